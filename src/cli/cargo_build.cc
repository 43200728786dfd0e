// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/cargo_build.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/fd.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cargo/artifact.h"
#include "cargo/command_lines.h"
#include "os/captured_command.h"
#include "os/search_path.h"

namespace wick {
namespace {

namespace fs = std::filesystem;
using Variables = std::vector<std::pair<std::string, std::string>>;

constexpr size_t kMostMessages = size_t{256} << 20, kMostSettings = size_t{4} << 20;

std::optional<std::string> variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

// Cargo passes its own path to its subcommands.
Result<std::string> find_cargo() {
  for (const std::string& name : {variable("CARGO").value_or(""), std::string("cargo")}) {
    std::string path = find_program(name);
    if (!path.empty()) { return path; }
  }
  return Error("cargo is not installed (not found in PATH)").with_code(Errc::kNoCommand).with_hint("sudo apt install cargo");
}

Result<std::string> project_directory(const cargo::Options& options) {
  std::error_code failed;
  fs::path path = options.manifest_path.empty() ? fs::current_path(failed)
                                                : fs::canonical(options.manifest_path, failed).parent_path();
  if (failed) { return Error("cannot find %s: %s", options.manifest_path.c_str(), failed.message().c_str()); }
  return path.string();
}

std::optional<cargo::SettingsFile> load_settings(const std::string& path, const std::string& name) {
  // Not a pipe, where reading would wait.
  if (!open_regular(path).ok()) { return std::nullopt; }
  Result<std::string> text = read_file(path, kMostSettings);
  if (!text.ok()) { return std::nullopt; }
  return cargo::SettingsFile{name, cargo::read_toml(*text)};
}

// Cargo looks for it in the current directory, whatever the manifest, and prefers the old name.
void add_config(const fs::path& directory, std::vector<cargo::SettingsFile>& out) {
  for (const char* name : {"config", "config.toml"}) {
    std::string path = directory / name;
    bool is_known = std::ranges::any_of(out, [&](const cargo::SettingsFile& f) { return f.name == path; });
    if (is_known) { return; }
    if (std::optional<cargo::SettingsFile> file = load_settings(path, path)) {
      out.push_back(*std::move(file));
      return;
    }
  }
}

cargo::SettingSources load_setting_sources(const std::string& workspace_root) {
  cargo::SettingSources out;
  out.variable = variable;
  if (auto manifest = load_settings(workspace_root + "/Cargo.toml", "Cargo.toml")) { out.manifest = *std::move(manifest); }
  std::error_code failed;
  for (fs::path at = fs::current_path(failed); !failed && !at.empty(); at = at.parent_path()) {
    add_config(at / ".cargo", out.configs);
    if (at == at.root_path()) { break; }
  }
  if (std::optional<std::string> home = variable("CARGO_HOME")) {
    add_config(*home, out.configs);
  } else if (std::optional<std::string> user = variable("HOME")) {
    add_config(fs::path(*user) / ".cargo", out.configs);
  }
  return out;
}

Result<cargo::Candidate> choose(const std::vector<cargo::Candidate>& candidates) {
  if (candidates.size() == 1) { return candidates[0]; }
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDERR_FILENO) == 0) { return cargo::explain_ambiguity(candidates); }
  bool several = cargo::has_several_packages(candidates);
  std::fprintf(stderr, "several %s fit:\n", cargo::plural(candidates[0].kind));
  for (size_t i = 0; i < candidates.size(); ++i) {
    std::string package = several ? "  (package " + candidates[i].package + ")" : "";
    std::fprintf(stderr, "  %zu  %s%s\n", i + 1, printable(candidates[i].name).c_str(), printable(package).c_str());
  }
  std::fprintf(stderr, "number or name: ");
  std::fflush(stderr);
  char line[256] = {};
  std::string answer(std::fgets(line, sizeof line, stdin) != nullptr ? trim(line) : "");
  std::optional<uint64_t> number = parse_u64(answer);
  if (number && *number >= 1 && *number <= candidates.size()) { return candidates[*number - 1]; }
  auto named = [&](const cargo::Candidate& c) { return c.name == answer; };
  if (std::ranges::count_if(candidates, named) == 1) { return *std::ranges::find_if(candidates, named); }
  return cargo::explain_ambiguity(candidates);
}

void print_settings(const cargo::BuildSettings& settings, bool quiet) {
  for (const std::string& note : settings.notes) {
    if (!quiet) { std::fprintf(stderr, "wick: %s\n", printable(note).c_str()); }
  }
  for (const std::string& warning : settings.warnings) { std::fprintf(stderr, "warning: %s\n", printable(warning).c_str()); }
}

// What cargo says that it used, whatever the settings were.
void print_doubts(const cargo::Artifact& artifact) {
  if (!artifact.has_debug_info) {
    std::fprintf(stderr, "warning: cargo built it without debug info: lines and inlined functions will be missing\n");
  }
  if (!artifact.is_optimized) {
    std::fprintf(stderr, "warning: built without optimization: the profile differs from that of a release build\n");
  }
}

// Where programs with dynamic Rust libraries, and those of build scripts, find them.
std::string library_path(const std::string& cargo, const cargo::Options& options, const cargo::Artifact& artifact) {
  fs::path directory = fs::path(artifact.executable).parent_path();
  if (directory.filename() == "deps" || directory.filename() == "examples") { directory = directory.parent_path(); }
  std::string out;
  for (const std::string& native : artifact.native_directories) {
    if (native.starts_with(directory.string() + "/")) { out += native + ":"; }
  }
  out += directory.string() + ":" + (directory / "deps").string();
  std::string beside = (fs::path(cargo).parent_path() / "rustc").string();
  std::string rustc = variable("RUSTC").value_or(find_program(beside).empty() ? "rustc" : beside);
  std::vector<std::string> words = {rustc, "--print", "target-libdir"};
  if (!options.triple.empty()) { words.insert(words.end(), {"--target", options.triple}); }
  Result<CapturedCommand> printed = run_captured(words, {}, kMostSettings);
  if (printed.ok() && printed->code == 0) { out += ":" + std::string(trim(printed->output)); }
  if (std::optional<std::string> own = variable("LD_LIBRARY_PATH"); own && !own->empty()) { out += ":" + *own; }
  return out;
}

// As `cargo run`, `cargo test` and `cargo bench` set it.
Variables program_environment(const cargo::Package* package, const cargo::SettingSources& sources,
                              const cargo::Artifact& artifact) {
  Variables out;
  for (const cargo::SettingsFile& config : sources.configs) {
    for (const cargo::ProgramVariable& v : cargo::program_variables(config)) {
      bool is_set = std::ranges::any_of(out, [&](const auto& set) { return set.first == v.name; });
      if (is_set || (variable(v.name) && !v.force)) { continue; }
      fs::path base = fs::path(config.name).parent_path().parent_path();
      out.emplace_back(v.name, v.is_relative ? (base / v.value).string() : v.value);
    }
  }
  if (package != nullptr) { out.insert(out.end(), package->environment.begin(), package->environment.end()); }
  out.insert(out.end(), artifact.script_environment.begin(), artifact.script_environment.end());
  if (!artifact.out_dir.empty()) { out.emplace_back("OUT_DIR", artifact.out_dir); }
  return out;
}

}  // namespace

Result<CargoBuild> build_with_cargo(const cargo::Options& options) {
  WICK_LET(std::string cargo, find_cargo());
  WICK_LET(CapturedCommand metadata, run_captured(cargo::metadata_command(cargo, options), {}, kMostMessages));
  if (metadata.code != 0) { return CargoBuild{metadata.code}; }
  WICK_LET(cargo::Workspace workspace, cargo::parse_metadata(metadata.output));
  WICK_LET(std::string directory, project_directory(options));
  WICK_LET(std::vector<cargo::Candidate> candidates, cargo::find_candidates(workspace, options, directory));
  WICK_LET(cargo::Candidate target, choose(candidates));
  cargo::SettingSources sources = load_setting_sources(workspace.root);
  cargo::BuildSettings settings = cargo::plan_build_settings(cargo::profile_name(options, target.kind), sources);
  print_settings(settings, options.quiet);
  WICK_LET(CapturedCommand built, run_captured(cargo::build_command(cargo, options, target, settings), settings.environment,
                                               kMostMessages));
  if (built.code != 0) { return CargoBuild{built.code}; }
  WICK_LET(cargo::Artifact artifact, cargo::find_artifact(built.output, target));
  print_doubts(artifact);
  auto package = std::ranges::find(workspace.packages, artifact.package_id, &cargo::Package::id);
  const cargo::Package* own = package != workspace.packages.end() ? &*package : nullptr;
  CargoBuild out;
  out.program.command = {artifact.executable};
  if (target.kind == cargo::TargetKind::kBench) { out.program.command.emplace_back("--bench"); }
  bool starts_in_package = target.kind != cargo::TargetKind::kBin && target.kind != cargo::TargetKind::kExample;
  if (starts_in_package && own != nullptr) { out.program.directory = own->directory(); }
  out.program.environment = program_environment(own, sources, artifact);
  out.program.environment.emplace_back("CARGO", cargo);
  out.program.environment.emplace_back("LD_LIBRARY_PATH", library_path(cargo, options, artifact));
  return out;
}

}  // namespace wick
