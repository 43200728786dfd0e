// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// cargo wick: build a target of a cargo project, then do what another command does with the program.

#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "base/text.h"
#include "cli/cargo_build.h"
#include "cli/cargo_options.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/help.h"
#include "cli/messages.h"
#include "cli/output.h"
#include "cli/record_run.h"
#include "cli/stat_show.h"
#include "os/browser.h"
#include "view/picture.h"

namespace wick {
namespace {

Status draw_picture_of(const std::string& recording, bool open) {
  ViewRequest request;
  request.files = {recording};
  PictureQuery query;
  const std::string path = "flamegraph.svg";
  WICK_OK(check_output(path, request.files));
  WICK_LET(View view, load_picture(std::move(request), query));
  std::string svg = draw_picture(view, query.picture);
  WICK_OK(write_output(path, svg));
  std::fprintf(stderr, "wrote %s (%s)\n", path.c_str(), human_bytes(svg.size()).c_str());
  if (!open) { return ok_status(); }
  Result<std::string> browser = find_browser();
  Status opened = browser.ok() ? open_in_browser(*browser, path) : Status(browser.error());
  if (!opened.ok()) { std::fprintf(stderr, "wick: open it in a browser (%s)\n", opened.error().message().c_str()); }
  return ok_status();
}

int record_program(CargoArguments& a) {
  bool draws = a.flamegraph || a.open;
  return record(a.record, draws ? [&](const std::string& path) { return draw_picture_of(path, a.open); } : AfterRecording());
}

int count_in_program(CargoArguments& a) {
  a.stat.record.command = std::move(a.record.command);
  a.stat.record.directory = std::move(a.record.directory);
  a.stat.record.events = std::move(a.record.events);
  a.stat.record.duration = std::move(a.record.duration);
  return show_stat(a.stat);
}

// What `cargo wick ACTION` does with the program that was built.
struct Action {
  const char* name;
  int (*run)(CargoArguments&);
};
const Action kActions[] = {
    {"record", record_program},
    {"stat", count_in_program},
    {"view", [](CargoArguments& a) { return a.record.view = true, record_program(a); }},
    {"flamegraph", [](CargoArguments& a) { return a.flamegraph = true, record_program(a); }},
};

int build_and_run(CargoArguments& a) {
  Result<CargoBuild> built = build_with_cargo(a.build);
  if (!built) { return fail_to_record(built.error()); }
  if (built->code != 0) {
    std::fprintf(stderr, "wick: nothing was recorded: cargo failed (exit status %d)\n", built->code);
    return built->code;
  }
  CargoProgram& program = built->program;
  for (const auto& [name, value] : program.environment) { ::setenv(name.c_str(), value.c_str(), 1); }
  a.record.directory = program.directory;
  a.record.command.insert(a.record.command.begin(), program.command.begin(), program.command.end());
  for (const Action& action : kActions) {
    if (a.action == action.name) { return action.run(a); }
  }
  return 2;
}

}  // namespace

Run add_cargo_command(CLI::App& app) {
  auto a = std::make_shared<CargoArguments>();
  std::vector<std::string> names;
  std::string list;
  for (const Action& action : kActions) {
    names.emplace_back(action.name);
    list += (list.empty() ? "" : "|") + names.back();
  }
  app.formatter(std::make_shared<Help>("cargo wick [" + list + "] [OPTIONS] [-- ARGS…]"));
  app.add_option("action", a->action, "What to do with the program: record, count, or also view it or draw it [record]")
      ->check(check_words(names));
  declare_cargo_options(app, *a);
  app.footer(
      "Builds in release mode with debug info, without changing Cargo.toml, and records the program, not cargo.\n\n"
      "Examples:\n"
      "  cargo wick                                          the binary of this package\n"
      "  cargo wick --bin server -F 4999 -- --port 8080      one of several, and its arguments\n"
      "  cargo wick flamegraph --example demo                draw flamegraph.svg\n"
      "  cargo wick --test parser -- long_input              only the tests whose name matches\n"
      "  cargo wick --bench speed -- --profile-time 10       a Criterion benchmark\n"
      "  cargo wick stat -r 10                               counters and times of ten runs\n"
      "\nExit status: cargo's if the build failed; else as of wick record.");
  return [&app, a] {
    if (Status fits = check_cargo_options(app, *a); !fits.ok()) { return fail(fits.error(), 2); }
    if (const auto& behind = command_behind_dashes()) { a->record.command = *behind; }
    return build_and_run(*a);
  };
}

}  // namespace wick
