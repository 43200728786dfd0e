// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cargo/workspace.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "import/json/json.h"

namespace wick::cargo {
namespace {

constexpr std::string_view kManifest = "/Cargo.toml";

bool has_item(JsonValue array, std::string_view wanted) {
  JsonValue::Walk items = array.items();
  for (JsonValue item; items.next(item);) {
    if (item.text() == wanted) { return true; }
  }
  return false;
}

Target parse_target(JsonValue json) {
  Target out;
  out.name = json["name"].text();
  JsonValue kinds = json["kind"];
  out.is_bin = has_item(kinds, "bin");
  out.is_example = has_item(kinds, "example") && has_item(json["crate_types"], "bin");
  out.is_test = has_item(kinds, "test");
  out.is_bench = has_item(kinds, "bench");
  for (const char* kind : {"lib", "rlib", "dylib", "cdylib", "staticlib", "proc-macro"}) {
    out.is_library |= has_item(kinds, kind);
  }
  // Older versions of cargo do not say which targets have unit tests.
  out.has_unit_tests = (out.is_bin || out.is_library) && (!json["test"].present() || json["test"].is_true());
  return out;
}

// CARGO_PKG_…
std::vector<std::pair<std::string, std::string>> package_environment(JsonValue json, const Package& package) {
  std::string authors;
  JsonValue::Walk list = json["authors"].items();
  for (JsonValue author; list.next(author);) { authors += (authors.empty() ? "" : ":") + author.text(); }
  std::string_view version = package.version;
  std::string_view plain = version.substr(0, version.find_first_of("-+"));
  std::vector<std::string_view> numbers = split(plain, '.');
  numbers.resize(3);
  std::string_view pre;
  if (plain.size() < version.size() && version[plain.size()] == '-') {
    pre = version.substr(plain.size() + 1);
    pre = pre.substr(0, pre.find('+'));
  }
  std::vector<std::pair<std::string, std::string>> out = {
      {"CARGO_MANIFEST_DIR", package.directory()},
      {"CARGO_MANIFEST_PATH", package.manifest_path},
      {"CARGO_PKG_NAME", package.name},
      {"CARGO_PKG_VERSION", package.version},
      {"CARGO_PKG_VERSION_MAJOR", std::string(numbers[0])},
      {"CARGO_PKG_VERSION_MINOR", std::string(numbers[1])},
      {"CARGO_PKG_VERSION_PATCH", std::string(numbers[2])},
      {"CARGO_PKG_VERSION_PRE", std::string(pre)},
      {"CARGO_PKG_AUTHORS", authors},
  };
  constexpr std::pair<const char*, const char*> kTexts[] = {{"DESCRIPTION", "description"}, {"HOMEPAGE", "homepage"},
                                                            {"LICENSE", "license"},         {"LICENSE_FILE", "license_file"},
                                                            {"README", "readme"},           {"REPOSITORY", "repository"},
                                                            {"RUST_VERSION", "rust_version"}};
  for (auto [name, key] : kTexts) { out.emplace_back(std::string("CARGO_PKG_") + name, json[key].text()); }
  return out;
}

Package parse_package(JsonValue json) {
  Package out;
  out.id = json["id"].text();
  out.name = json["name"].text();
  out.version = json["version"].text();
  out.manifest_path = json["manifest_path"].text();
  out.default_run = json["default_run"].text();
  out.environment = package_environment(json, out);
  JsonValue::Walk targets = json["targets"].items();
  for (JsonValue target; targets.next(target);) { out.targets.push_back(parse_target(target)); }
  return out;
}

bool is_inside(std::string_view path, std::string_view directory) {
  return path == directory || (path.starts_with(directory) && (directory == "/" || path[directory.size()] == '/'));
}

// As cargo selects packages.
std::vector<Package> select_packages(const Workspace& workspace, const Options& options, std::string_view current_dir) {
  std::vector<Package> out;
  if (!options.package.empty()) {
    std::string_view wanted = options.package;
    for (const Package& p : workspace.packages) {
      if (p.name == wanted || p.id == wanted || wanted == p.name + "@" + p.version) { out.push_back(p); }
    }
    return out;
  }
  const Package* nearest = nullptr;
  for (const Package& p : workspace.packages) {
    std::string directory = p.directory();
    if (is_inside(current_dir, directory) && (nearest == nullptr || nearest->directory().size() < directory.size())) {
      nearest = &p;
    }
  }
  if (nearest == nullptr || nearest->directory() == workspace.root) { return workspace.default_members; }
  return {*nearest};
}

const char* option(TargetKind kind) {
  constexpr const char* kOptions[] = {"--bin", "--example", "--test", "--bench", "--unit-test"};
  return kOptions[static_cast<size_t>(kind)];
}

void add_fitting(const Package& package, TargetKind kind, const std::string& name, std::vector<Candidate>& out) {
  for (const Target& t : package.targets) {
    bool is_named = name.empty() || t.name == name;
    if (is_named && t.fits(kind)) { out.push_back({kind, t.name, package.name, t.is_library}); }
  }
}

// The targets of the first other kind that there is.
std::vector<Candidate> find_others(const std::vector<Package>& packages, TargetKind kind) {
  constexpr TargetKind kKinds[] = {TargetKind::kBin, TargetKind::kExample, TargetKind::kBench, TargetKind::kTest,
                                   TargetKind::kUnitTest};
  std::vector<Candidate> out;
  for (TargetKind other : kKinds) {
    for (const Package& p : packages) {
      if (other != kind) { add_fitting(p, other, "", out); }
    }
    if (!out.empty()) { break; }
  }
  return out;
}

Error no_candidate(const std::vector<Package>& packages, TargetKind kind) {
  Error error = packages.size() == 1 ? Error("package %s has no %s", packages[0].name.c_str(), plural(kind))
                                     : Error("the workspace has no %s", plural(kind));
  std::vector<Candidate> others = find_others(packages, kind);
  std::string hint = others.empty() ? "cargo wick -p PACKAGE" : "cargo wick " + others[0].arguments(packages.size() > 1);
  return std::move(error).with_code(Errc::kUsage).with_hint(hint);
}

}  // namespace

std::string profile_name(const Options& options, TargetKind kind) {
  if (options.dev) { return "dev"; }
  if (!options.profile.empty()) { return options.profile == "debug" ? "dev" : options.profile; }
  return kind == TargetKind::kBench ? "bench" : "release";
}

bool Target::fits(TargetKind kind) const {
  switch (kind) {
    case TargetKind::kBin: return is_bin;
    case TargetKind::kExample: return is_example;
    case TargetKind::kTest: return is_test;
    case TargetKind::kBench: return is_bench;
    case TargetKind::kUnitTest: return has_unit_tests;
  }
  return false;
}

std::string Package::directory() const {
  std::string_view path = manifest_path;
  return std::string(path.ends_with(kManifest) ? path.substr(0, path.size() - kManifest.size()) : path);
}

Result<Workspace> parse_metadata(std::string_view json) {
  JsonDocument document;
  if (Status checked = document.check(json); !checked.ok()) { return std::move(checked).error().context("cargo metadata"); }
  JsonValue root = document.root();
  Workspace out;
  out.root = root["workspace_root"].text();
  if (!root["packages"].is_array() || out.root.empty()) {
    return Error("cargo metadata: expected packages and workspace_root").with_code(Errc::kBadInput);
  }
  JsonValue::Walk packages = root["packages"].items();
  for (JsonValue package; packages.next(package);) { out.packages.push_back(parse_package(package)); }
  JsonValue members = root["workspace_default_members"];  // since cargo 1.71
  for (const Package& p : out.packages) {
    bool is_default = members.is_array() ? has_item(members, p.id) : true;
    if (is_default) { out.default_members.push_back(p); }
  }
  return out;
}

std::string Candidate::arguments(bool with_package) const {
  std::string out = with_package && !package.empty() ? "-p " + shell_quote(package) + " " : "";
  return out + option(kind) + " " + shell_quote(name);
}

Result<std::vector<Candidate>> find_candidates(const Workspace& workspace, const Options& options, std::string_view current_dir) {
  std::vector<Package> packages = select_packages(workspace, options, current_dir);
  std::vector<Candidate> out;
  for (const Package& p : packages) { add_fitting(p, options.kind, options.name, out); }
  bool asks_cargo = packages.empty() || (!options.name.empty() && out.empty());
  if (asks_cargo) { return std::vector<Candidate>{{options.kind, options.name, options.package}}; }
  if (out.empty()) { return no_candidate(packages, options.kind); }
  if (options.has_kind || out.size() == 1) { return out; }
  std::vector<Candidate> preferred;
  for (const Package& p : packages) {
    if (!p.default_run.empty()) { add_fitting(p, TargetKind::kBin, p.default_run, preferred); }
  }
  return preferred.size() == 1 ? preferred : out;
}

const char* plural(TargetKind kind) {
  constexpr const char* kPlurals[] = {"binaries", "examples", "tests", "benchmarks", "unit tests"};
  return kPlurals[static_cast<size_t>(kind)];
}

bool has_several_packages(const std::vector<Candidate>& candidates) {
  return std::ranges::any_of(candidates, [&](const Candidate& c) { return c.package != candidates[0].package; });
}

Error explain_ambiguity(const std::vector<Candidate>& candidates) {
  bool several = has_several_packages(candidates);
  std::string list;
  for (const Candidate& c : candidates) {
    list += (list.empty() ? "" : ", ") + c.name + (several ? " (package " + c.package + ")" : "");
  }
  return Error("several %s fit: %s", plural(candidates[0].kind), list.c_str())
      .with_code(Errc::kUsage)
      .with_hint("cargo wick " + candidates[0].arguments(several));
}

}  // namespace wick::cargo
