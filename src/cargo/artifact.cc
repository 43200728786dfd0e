// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cargo/artifact.h"

#include <algorithm>

#include "base/text.h"
#include "import/json/json.h"

namespace wick::cargo {
namespace {

bool has_kind(JsonValue target, std::initializer_list<std::string_view> wanted) {
  JsonValue::Walk kinds = target["kind"].items();
  for (JsonValue kind; kinds.next(kind);) {
    if (std::ranges::find(wanted, kind.text()) != wanted.end()) { return true; }
  }
  return false;
}

bool is_wanted(JsonValue message, const Candidate& wanted) {
  JsonValue target = message["target"];
  bool is_test = message["profile"]["test"].is_true();
  bool is_named = wanted.name.empty() || target["name"].text() == wanted.name;
  if (!message["executable"].is_string() || !is_named) { return false; }
  switch (wanted.kind) {
    case TargetKind::kBin: return !is_test && has_kind(target, {"bin"});
    case TargetKind::kExample: return !is_test && has_kind(target, {"example"});
    case TargetKind::kTest: return has_kind(target, {"test"});
    case TargetKind::kBench: return has_kind(target, {"bench"});
    case TargetKind::kUnitTest:
      return is_test && has_kind(target, {"bin", "lib", "rlib", "dylib", "cdylib", "staticlib", "proc-macro"});
  }
  return false;
}

void read_artifact(JsonValue message, Artifact& out) {
  out.executable = message["executable"].text();
  out.package_id = message["package_id"].text();
  JsonValue debug = message["profile"]["debuginfo"];  // a number or a word
  std::string word = debug.text();
  bool is_none = debug.is_number() ? debug.integer() == 0 : word.empty() || word == "none" || word == "line-directives-only";
  out.has_debug_info = !is_none;
  out.is_optimized = message["profile"]["opt_level"].text() != "0";
}

struct Script {
  std::string package_id, out_dir;
  std::vector<std::pair<std::string, std::string>> environment;
};

Script read_script(JsonValue message, std::vector<std::string>& native_directories) {
  Script out{message["package_id"].text(), message["out_dir"].text(), {}};
  JsonValue::Walk pairs = message["env"].items();
  for (JsonValue pair; pairs.next(pair);) {
    JsonValue::Walk parts = pair.items();
    JsonValue name, value;
    if (parts.next(name) && parts.next(value)) { out.environment.emplace_back(name.text(), value.text()); }
  }
  JsonValue::Walk paths = message["linked_paths"].items();
  for (JsonValue path; paths.next(path);) {
    std::string text = path.text();
    size_t equals = text.find('=');  // "native=/path"
    native_directories.push_back(equals == text.npos || text[0] == '/' ? text : text.substr(equals + 1));
  }
  return out;
}

}  // namespace

Result<Artifact> find_artifact(std::string_view messages, const Candidate& target) {
  Artifact out;
  std::vector<Script> scripts;
  for (std::string_view line : split(messages, '\n')) {
    JsonDocument document;
    if (!line.starts_with("{") || !document.check(line).ok()) { continue; }
    JsonValue message = document.root();
    std::string reason = message["reason"].text();
    if (reason == "compiler-artifact" && is_wanted(message, target)) { read_artifact(message, out); }
    if (reason == "build-script-executed") { scripts.push_back(read_script(message, out.native_directories)); }
  }
  if (out.executable.empty()) {
    std::string name = target.name.empty() ? "" : target.name + " ";
    return Error("cargo built no program for %s(%s)", name.c_str(), plural(target.kind))
        .with_hint("wick record -- PROGRAM   (records a program whose path is known)");
  }
  for (Script& script : scripts) {
    if (script.package_id != out.package_id) { continue; }
    out.out_dir = std::move(script.out_dir);
    out.script_environment = std::move(script.environment);
  }
  return out;
}

}  // namespace wick::cargo
