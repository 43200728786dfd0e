// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cargo/command_lines.h"

namespace wick::cargo {
namespace {

void add_value(std::vector<std::string>& words, const char* name, const std::string& value) {
  if (!value.empty()) { words.insert(words.end(), {name, value}); }
}

void add_flag(std::vector<std::string>& words, const char* name, bool is_set) {
  if (is_set) { words.emplace_back(name); }
}

void add_common(std::vector<std::string>& words, const Options& options) {
  add_value(words, "--manifest-path", options.manifest_path);
  add_flag(words, "--locked", options.locked);
  add_flag(words, "--offline", options.offline);
  add_flag(words, "--frozen", options.frozen);
  add_flag(words, "--quiet", options.quiet);
}

// What cargo itself runs for a target of this kind.
std::vector<std::string> subcommand(const Candidate& target) {
  if (target.name.empty()) {  // only for the error that cargo prints
    constexpr const char* kAll[] = {"--bins", "--examples", "--tests", "--benches", "--lib"};
    return {"build", kAll[static_cast<size_t>(target.kind)]};
  }
  switch (target.kind) {
    case TargetKind::kBin: return {"build", "--bin", target.name};
    case TargetKind::kExample: return {"build", "--example", target.name};
    case TargetKind::kTest: return {"test", "--no-run", "--test", target.name};
    case TargetKind::kBench: return {"bench", "--no-run", "--bench", target.name};
    case TargetKind::kUnitTest: break;
  }
  if (target.is_library) { return {"test", "--no-run", "--lib"}; }
  return {"test", "--no-run", "--bin", target.name};
}

}  // namespace

std::vector<std::string> metadata_command(const std::string& cargo, const Options& options) {
  std::vector<std::string> words = {cargo, "metadata", "--no-deps", "--format-version", "1"};
  add_common(words, options);
  return words;
}

std::vector<std::string> build_command(const std::string& cargo, const Options& options, const Candidate& target,
                                       const BuildSettings& settings) {
  std::vector<std::string> words = {cargo};
  std::vector<std::string> command = subcommand(target);
  words.insert(words.end(), command.begin(), command.end());
  // Errors of the compiler are printed for people, artifacts as JSON.
  words.emplace_back("--message-format=json-render-diagnostics");
  add_value(words, "--profile", profile_name(options, target.kind));
  add_value(words, "--package", target.package);
  for (const std::string& list : options.features) { add_value(words, "--features", list); }
  add_flag(words, "--all-features", options.all_features);
  add_flag(words, "--no-default-features", options.no_default_features);
  add_value(words, "--target", options.triple);
  add_value(words, "--target-dir", options.target_dir);
  add_value(words, "--jobs", options.jobs);
  add_common(words, options);
  words.insert(words.end(), settings.arguments.begin(), settings.arguments.end());
  return words;
}

}  // namespace wick::cargo
