// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cargo/artifact.h"

#include <gtest/gtest.h>

#include "cargo/command_lines.h"

namespace wick::cargo {
namespace {

std::string artifact(const std::string& kind, const std::string& name, const std::string& executable, bool is_test = false,
                     const std::string& profile = R"("opt_level":"3","debuginfo":1)") {
  return R"({"reason":"compiler-artifact","package_id":"p","target":{"kind":[")" + kind + R"("],"name":")" + name +
         R"("},"profile":{)" + profile + R"(,"test":)" + (is_test ? "true" : "false") + R"(},"executable":)" +
         (executable.empty() ? "null" : "\"" + executable + "\"") + "}\n";
}

std::string path_of(const std::string& messages, const Candidate& target) {
  Result<Artifact> found = find_artifact(messages, target);
  return found.ok() ? found->executable : "error: " + found.error().message();
}

// A test run also builds the binaries of the package, build scripts and proc macros.
TEST(CargoArtifact, TakesOnlyTheWantedTarget) {
  std::string messages = artifact("proc-macro", "a", "") + artifact("custom-build", "build-script-build", "/t/build") +
                         artifact("lib", "a", "") + artifact("bin", "a", "/t/a") + artifact("bin", "a", "/t/deps/a-1", true) +
                         artifact("test", "a", "/t/deps/a-2", true) + artifact("bench", "a", "/t/deps/a-3", true) +
                         artifact("example", "a", "/t/examples/a") + R"({"reason":"build-finished","success":true})";
  EXPECT_EQ(path_of(messages, {TargetKind::kBin, "a", ""}), "/t/a");
  EXPECT_EQ(path_of(messages, {TargetKind::kTest, "a", ""}), "/t/deps/a-2");
  EXPECT_EQ(path_of(messages, {TargetKind::kBench, "a", ""}), "/t/deps/a-3");
  EXPECT_EQ(path_of(messages, {TargetKind::kExample, "a", ""}), "/t/examples/a");
  EXPECT_EQ(path_of(messages, {TargetKind::kUnitTest, "a", ""}), "/t/deps/a-1");
  EXPECT_EQ(path_of(messages, {TargetKind::kBin, "b", ""}), "error: cargo built no program for b (binaries)");
}

TEST(CargoArtifact, SkipsOtherLines) {
  EXPECT_EQ(path_of("note: from a wrapper\n{\"reason\":\n{}\n[]\n\n" + artifact("bin", "a", "/t/a"), {TargetKind::kBin, "a", ""}), "/t/a");
}

TEST(CargoArtifact, SaysWhatCargoUsed) {
  auto read = [](const char* profile) { return *find_artifact(artifact("bin", "a", "/a", false, profile), {TargetKind::kBin, "a", ""}); };
  EXPECT_TRUE(read(R"("opt_level":"3","debuginfo":1)").has_debug_info);
  EXPECT_TRUE(read(R"("opt_level":"3","debuginfo":"line-tables-only")").has_debug_info);
  EXPECT_FALSE(read(R"("opt_level":"3","debuginfo":0)").has_debug_info);
  EXPECT_FALSE(read(R"("opt_level":"3","debuginfo":null)").has_debug_info);
  EXPECT_FALSE(read(R"("opt_level":"0","debuginfo":2)").is_optimized);
  EXPECT_TRUE(read(R"("opt_level":"s","debuginfo":2)").is_optimized);
}

TEST(CargoArtifact, HasTheEnvironmentOfItsBuildScript) {
  std::string scripts =
      R"({"reason":"build-script-executed","package_id":"p","linked_paths":["native=/t/out/lib","/t/other"],"env":[["A","1"],["B"]],"out_dir":"/t/out"})"
      "\n"
      R"({"reason":"build-script-executed","package_id":"q","linked_paths":[],"env":[["C","1"]],"out_dir":"/t/q"})"
      "\n";
  Result<Artifact> found = find_artifact(scripts + artifact("bin", "a", "/t/a"), {TargetKind::kBin, "a", ""});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->out_dir, "/t/out");
  ASSERT_EQ(found->script_environment.size(), 1u);
  EXPECT_EQ(found->script_environment[0].first, "A");
  EXPECT_EQ(found->native_directories, (std::vector<std::string>{"/t/out/lib", "/t/other"}));
}

std::string line(const Options& options, const Candidate& target) {
  std::string out;
  for (const std::string& word : build_command("cargo", options, target, {})) { out += (out.empty() ? "" : " ") + word; }
  return out;
}

TEST(CargoCommand, IsThatOfTheKind) {
  const std::string json = " --message-format=json-render-diagnostics";
  EXPECT_EQ(line({}, {TargetKind::kBin, "a", "p"}), "cargo build --bin a" + json + " --profile release --package p");
  EXPECT_EQ(line({}, {TargetKind::kBench, "a", ""}), "cargo bench --no-run --bench a" + json + " --profile bench");
  EXPECT_EQ(line({.dev = true}, {TargetKind::kTest, "a", ""}), "cargo test --no-run --test a" + json + " --profile dev");
  EXPECT_EQ(line({}, {TargetKind::kUnitTest, "a", "", true}), "cargo test --no-run --lib" + json + " --profile release");
  EXPECT_EQ(line({}, {TargetKind::kUnitTest, "a", "", false}), "cargo test --no-run --bin a" + json + " --profile release");
  Options all{.profile = "debug", .manifest_path = "m", .target_dir = "d", .triple = "t", .jobs = "2", .features = {"x y", "z"}};
  all.offline = all.all_features = true;
  EXPECT_EQ(line(all, {TargetKind::kExample, "a", ""}),
            "cargo build --example a" + json +
                " --profile dev --features x y --features z --all-features --target t --target-dir d --jobs 2 --manifest-path m --offline");
}

}  // namespace
}  // namespace wick::cargo
