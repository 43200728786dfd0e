// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/cargo_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "cli/choice.h"

namespace wick {
namespace {

struct KindOption {
  const char* name;
  cargo::TargetKind kind;
  const char* help;
};

constexpr KindOption kKindOptions[] = {
    {"--bin", cargo::TargetKind::kBin, "Record a binary [the only one, or default-run]"},
    {"--example", cargo::TargetKind::kExample, "Record an example"},
    {"--test", cargo::TargetKind::kTest, "Record an integration test; ARGS filter its tests"},
    {"--bench", cargo::TargetKind::kBench, "Record a benchmark; ARGS go to it"},
    {"--unit-test", cargo::TargetKind::kUnitTest, "Record the unit tests of the library or a binary"},
};

void declare_kinds(CLI::App& app, cargo::Options& build) {
  for (const KindOption& option : kKindOptions) {
    auto set = [&build, kind = option.kind](const std::string& name) {
      build.has_kind = true;
      build.kind = kind;
      build.name = name;
    };
    app.add_option_function<std::string>(option.name, set, option.help)->type_name("[NAME]")->expected(0, 1)->group("Target");
  }
}

void declare_build_options(CLI::App& app, CargoArguments& a) {
  cargo::Options& b = a.build;
  auto text = [&](const char* name, std::string& value, const char* type, const char* help) {
    app.add_option(name, value, help)->type_name(type)->group("Build");
  };
  text("-p,--package", b.package, "SPEC", "Package of the target [that of the current directory]");
  app.add_option("--features", b.features, "Enable these features")->type_name("LIST")->group("Build");
  app.add_flag("--all-features", b.all_features, "Enable all features")->group("Build");
  app.add_flag("--no-default-features", b.no_default_features, "Do not enable the default features")->group("Build");
  text("--profile", b.profile, "NAME", "Build with this profile [release; bench for benchmarks]");
  app.add_flag("--release", a.release, "Build with the profile release, as by default")->group("Build");
  app.add_flag("--dev", b.dev, "Build with the profile dev (not optimized)")->group("Build");
  text("--target", b.triple, "TRIPLE", "Build for this target triple");
  text("--target-dir", b.target_dir, "DIR", "Directory for what cargo builds");
  text("--manifest-path", b.manifest_path, "FILE", "Path of Cargo.toml");
  app.add_option("-j,--jobs", b.jobs, "Number of parallel jobs")->type_name("N")->group("Build");
  app.add_flag("--locked", b.locked, "Require that Cargo.lock is up to date")->group("Build");
  app.add_flag("--offline", b.offline, "Do not use the network")->group("Build");
  app.add_flag("--frozen", b.frozen, "Like --locked and --offline")->group("Build");
  app.add_flag("--doc", a.doc)->group("");  // only to explain that doctests cannot be recorded
}

// `stat` does not sample, and only it counts.
Status check_options_of_action(const CLI::App& app, const CargoArguments& a) {
  constexpr std::string_view kShared[] = {"--event", "--duration", "--output", "--quiet"};
  for (const CLI::Option* option : app.get_options()) {
    const std::string &group = option->get_group(), name = option->get_name();
    if (option->count() == 0 || group == "Target" || group == "Build" || !name.starts_with("-")) { continue; }
    bool is_shared = std::any_of(std::begin(kShared), std::end(kShared), [&](std::string_view s) { return name.ends_with(s); });
    bool counts = group == "Counting";
    if (is_shared || counts == (a.action == "stat")) { continue; }
    const char* why = counts ? "goes with cargo wick stat only" : "is for recording: cargo wick stat takes no samples";
    return Error("%s %s", name.c_str(), why).with_code(Errc::kUsage).with_hint("cargo wick --help");
  }
  return ok_status();
}

}  // namespace

void declare_cargo_options(CLI::App& app, CargoArguments& a) {
  declare_kinds(app, a.build);
  declare_build_options(app, a);
  declare_recording_options(app, a.record);
  app.add_option("-r,--repeat", a.stat.runs, "With stat: run the program N times")
      ->type_name("N")
      ->check(check_number(1, 100'000))
      ->group("Counting");
  app.add_flag("--exact", a.stat.exact, "With stat: count instructions with valgrind")->group("Counting");
  app.add_flag("--json", a.stat.json, "With stat: print JSON (docs/stat.md)")->group("Counting");
  app.add_flag("--flamegraph", a.flamegraph, "Draw the flame graph flamegraph.svg")->group("Output");
  app.add_flag("--open", a.open, "Draw the flame graph and open it in a browser")->group("Output");
}

Status check_cargo_options(CLI::App& app, CargoArguments& a) {
  auto wrong = [](const char* message, const char* hint) { return Error("%s", message).with_code(Errc::kUsage).with_hint(hint); };
  size_t kinds = 0;
  for (const KindOption& option : kKindOptions) { kinds += app.count(option.name); }
  if (a.doc) { return wrong("doctests cannot be recorded: rustdoc builds and runs them", "cargo wick --unit-test"); }
  if (kinds > 1) {
    return wrong("more than one target: give one of --bin, --example, --test, --bench or --unit-test", "cargo wick --help");
  }
  bool several = (a.build.dev ? 1 : 0) + (a.release ? 1 : 0) + (a.build.profile.empty() ? 0 : 1) > 1;
  if (several) { return wrong("--dev, --release and --profile cannot be combined", "cargo wick --help"); }
  if (a.release) { a.build.profile = "release"; }
  WICK_OK(check_options_of_action(app, a));
  a.build.quiet = a.record.quiet;
  if (app.count("--output") > 0) { a.stat.output = a.record.output; }
  return ok_status();
}

}  // namespace wick
