// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// wick top: plan, start, show until the user quits, end.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "base/text.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/live_recording.h"
#include "cli/messages.h"
#include "cli/record_options.h"
#include "cli/record_run.h"
#include "os/search_path.h"
#include "tui/run.h"
#include "tui/screen.h"

namespace wick {
namespace {

struct TopArguments {
  RecordArguments record;
  std::string window = "10";
  std::vector<std::string> source_dirs;
};

int fail_to_show(const Error& error) { return fail_to_record(error, "wick top"); }

Status check_window(uint64_t window_ns) {
  constexpr uint64_t kSecond = 1'000'000'000, kHour = 3600 * kSecond;
  if (window_ns >= kSecond && window_ns <= kHour) { return ok_status(); }
  return Error("--window must be between 1 second and 1 hour").with_code(Errc::kUsage).with_hint("wick top --help");
}

int top(const TopArguments& arguments) {
  if (Status terminal = tui::check_terminal(); !terminal.ok()) {
    return fail_to_record(std::move(terminal).error().with_hint("wick record …   (and then wick report)"));
  }
  Machine machine = load_machine();
  Result<RecordRequest> request = understand(arguments.record, machine);
  if (!request) { return fail_to_show(request.error()); }
  Result<uint64_t> window_ns = parse_duration(arguments.window, "--window");
  if (!window_ns) { return fail_to_show(window_ns.error()); }
  if (Status window = check_window(*window_ns); !window.ok()) { return fail_to_show(window.error()); }
  Result<SourcePlaces> places = find_source_places(arguments.source_dirs);
  if (!places) { return fail_to_show(places.error()); }
  Result<EnginePlan> plan = plan_engine(request->options, request->engine, machine);
  if (!plan) { return fail_to_show(plan.error()); }
  plan->notes.insert(plan->notes.end(), request->notes.begin(), request->notes.end());
  // Before any thread starts.
  Result<StopSignals> signals = StopSignals::open();
  if (!signals) { return fail_to_show(signals.error()); }
  auto live = std::make_unique<LiveRecording>(*request, *plan, machine, *places, *window_ns);
  if (Status started = live->start(signals->mask_before()); !started.ok()) { return fail_to_show(started.error()); }
  Result<tui::LiveEnd> ended = tui::run_live(*live);
  int code = live->end(ended.ok() && *ended == tui::LiveEnd::kInterrupted);
  std::string output = live->command_output();
  std::fwrite(output.data(), 1, output.size(), stdout);
  std::fflush(stdout);
  live.reset();
  signals->unblock();
  return ended.ok() ? code : fail_to_show(ended.error());
}

}  // namespace

Run add_top_command(CLI::App& app) {
  auto arguments = std::make_shared<TopArguments>();
  RecordArguments& record = arguments->record;
  record.default_rate_hz = 99;
  record.max_size = "1G";
  record.symbols.no_fetch = true;
  app.formatter(
      std::make_shared<Help>("wick top [OPTIONS] -- COMMAND [ARGS…]\n"
                             "       wick top [OPTIONS] -p PID | -t TID | -a | -C CPUS | --cgroup NAME"));
  declare_target_options(app, record);
  app.add_option("--window", arguments->window, "Show the samples of this time before now [10]")
      ->type_name("SECONDS")
      ->group("Display");
  add_source_dirs(app, arguments->source_dirs, "Look for source files here first (repeatable)");
  declare_event_options(app, record);
  declare_engine_option(app, record);
  declare_stack_options(app, record);
  add_symbol_options(app, record.symbols);
  app.add_option("-o,--output", record.output, "Save the recording here with s; an existing file becomes FILE.old [profile.wick]")
      ->type_name("FILE")
      ->group("Output");
  app.add_option("--max-size", record.max_size, "Save at most this much of the recording; the display continues [1G]")
      ->type_name("SIZE")
      ->group("Output");
  app.prefix_command();
  app.footer(
      "Keys: 1-7 change the view, p pauses, s saves the recording, Enter shows source and assembly, ? lists all keys, q "
      "quits.\n\n"
      "Examples:\n"
      "  wick top -p 4711                    watch a running process\n"
      "  sudo wick top -a --window 30        watch the whole system\n"
      "  wick top -- ./app --arg             run a program and watch it\n"
      "\nExit status: as of wick record.");
  return [&app, arguments] {
    if (Status taken = take_command(app, arguments->record); !taken.ok()) { return fail(taken.error(), 2); }
    return top(*arguments);
  };
}

}  // namespace wick
