// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cargo/workspace.h"

#include <gtest/gtest.h>

namespace wick::cargo {
namespace {

std::string target(const std::string& kind, const std::string& name, const std::string& crate = "bin") {
  return R"({"kind":[")" + kind + R"("],"crate_types":[")" + crate + R"("],"name":")" + name + R"(","test":)" +
         (kind == "bin" || kind == "lib" ? "true" : "false") + "}";
}

std::string package(const std::string& name, const std::string& directory, const std::string& targets, const std::string& more = "") {
  return R"({"name":")" + name + R"(","version":"1.2.3-rc.1+x","id":"id-)" + name + R"(","manifest_path":")" + directory +
         R"(/Cargo.toml","authors":["A","B"],"description":null,"targets":[)" + targets + "]" + more + "}";
}

std::string metadata(const std::string& packages, const std::string& more = "") {
  return R"({"workspace_root":"/w","packages":[)" + packages + "]" + more + "}";
}

const std::string kA = package("a", "/w/a", target("lib", "a", "lib") + "," + target("bin", "one") + "," + target("bin", "two") + "," +
                                                target("example", "ex") + "," + target("example", "exlib", "lib") + "," +
                                                target("bench", "speed") + "," + target("custom-build", "build-script-build"));
const std::string kB = package("b", "/w/b", target("bin", "b"));
const std::string kNoBins = package("c", "/w/c", target("lib", "c", "lib") + "," + target("test", "it"));

std::string found_by(const std::string& json, const Options& options, std::string_view directory = "/w") {
  Result<Workspace> workspace = parse_metadata(json);
  if (!workspace.ok()) { return "error: " + workspace.error().message(); }
  Result<std::vector<Candidate>> found = find_candidates(*workspace, options, directory);
  if (!found.ok()) { return "error: " + found.error().message() + " | " + found.error().hint(); }
  std::string out;
  for (const Candidate& c : *found) { out += (out.empty() ? "" : ", ") + c.arguments(true); }
  return out;
}

Options of(TargetKind kind, const std::string& name = "") { return {.has_kind = true, .kind = kind, .name = name}; }

TEST(CargoWorkspace, TakesThePackageOfTheDirectory) {
  EXPECT_EQ(found_by(metadata(kA + "," + kB), {}, "/w/b/src"), "-p b --bin b");
  EXPECT_EQ(found_by(metadata(kA + "," + kB), {}, "/w/bb"), "-p a --bin one, -p a --bin two, -p b --bin b");
  EXPECT_EQ(found_by(metadata(kA + "," + kB), {}, "/w/a"), "-p a --bin one, -p a --bin two");
  EXPECT_EQ(found_by(metadata(kA + "," + kB, R"(,"workspace_default_members":["id-b"])"), {}), "-p b --bin b");
}

TEST(CargoWorkspace, TakesTheNamedTarget) {
  EXPECT_EQ(found_by(metadata(kA + "," + kB), of(TargetKind::kBin, "two")), "-p a --bin two");
  EXPECT_EQ(found_by(metadata(kA + "," + kB), of(TargetKind::kExample)), "-p a --example ex");  // the other one is a library
  EXPECT_EQ(found_by(metadata(kA), of(TargetKind::kBench)), "-p a --bench speed");
  EXPECT_EQ(found_by(metadata(kA), of(TargetKind::kUnitTest)), "-p a --unit-test a, -p a --unit-test one, -p a --unit-test two");
  Options named = of(TargetKind::kBin, "b");
  named.package = "b";
  EXPECT_EQ(found_by(metadata(kA + "," + kB), named, "/w/a"), "-p b --bin b");
}

TEST(CargoWorkspace, LeavesUnknownNamesToCargo) {
  EXPECT_EQ(found_by(metadata(kA), of(TargetKind::kBin, "nope")), "--bin nope");
  Options unknown;
  unknown.package = "zz";
  EXPECT_EQ(found_by(metadata(kA), unknown), "-p zz --bin ''");
}

TEST(CargoWorkspace, PrefersDefaultRun) {
  std::string two = target("bin", "one") + "," + target("bin", "two");
  EXPECT_EQ(found_by(metadata(package("a", "/w", two, R"(,"default_run":"two")")), {}), "-p a --bin two");
  EXPECT_EQ(found_by(metadata(package("a", "/w", two, R"(,"default_run":"two")")), of(TargetKind::kBin)), "-p a --bin one, -p a --bin two");
}

TEST(CargoWorkspace, SaysWhatThereIsInstead) {
  EXPECT_EQ(found_by(metadata(kNoBins), {}, "/w/c"), "error: package c has no binaries | cargo wick --test it");
  EXPECT_EQ(found_by(metadata(kB), of(TargetKind::kExample), "/w/b"), "error: package b has no examples | cargo wick --bin b");
}

TEST(CargoWorkspace, NamesAllThatFit) {
  Result<Workspace> workspace = parse_metadata(metadata(kA + "," + kB));
  ASSERT_TRUE(workspace.ok());
  Error error = explain_ambiguity(*find_candidates(*workspace, {}, "/w"));
  EXPECT_EQ(error.message(), "several binaries fit: one (package a), two (package a), b (package b)");
  EXPECT_EQ(error.hint(), "cargo wick -p a --bin one");
  error = explain_ambiguity(*find_candidates(*workspace, {}, "/w/a"));
  EXPECT_EQ(error.message(), "several binaries fit: one, two");
}

TEST(CargoWorkspace, GivesProgramsTheEnvironmentOfCargo) {
  Result<Workspace> workspace = parse_metadata(metadata(kA));
  ASSERT_TRUE(workspace.ok());
  std::string all;
  for (const auto& [name, value] : workspace->packages[0].environment) { all += name + "=" + value + "\n"; }
  for (const char* line : {"CARGO_MANIFEST_DIR=/w/a\n", "CARGO_PKG_VERSION_PATCH=3\n", "CARGO_PKG_VERSION_PRE=rc.1\n",
                           "CARGO_PKG_AUTHORS=A:B\n", "CARGO_PKG_DESCRIPTION=\n"}) {
    EXPECT_NE(all.find(line), std::string::npos) << line << all;
  }
}

TEST(CargoWorkspace, RejectsOtherTexts) {
  for (const char* text : {"", "[]", "{}", "{\"packages\":3}", "{\"packages\":[]", "null"}) {
    EXPECT_FALSE(parse_metadata(text).ok()) << text;
  }
  EXPECT_TRUE(parse_metadata(R"({"workspace_root":"/","packages":[3,{"targets":[7,{"kind":"bin"}],"manifest_path":5}]})").ok());
}

}  // namespace
}  // namespace wick::cargo
