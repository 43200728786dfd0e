// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// wick record: plan, start, run, finish, tell. All messages go to standard error; standard output is the target's.

#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "base/clock.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/record_options.h"
#include "cli/record_summary.h"
#include "cli/status_line.h"
#include "module/cache_dir.h"

namespace wick {
namespace {

constexpr int kWickFailed = 125, kNotExecutable = 126, kNotFound = 127;

int code_of(const Error& error, const RecordOptions& options) {
  if (error.code() == Errc::kUsage) { return 2; }
  return options.command.empty() ? 1 : kWickFailed;
}

capture::Info describe(const EnginePlan& plan, const Machine& machine) {
  capture::Info info;
  info.wick_version = WICK_VERSION;
  info.engine = plan.ptrace ? "ptrace" : "perf";
  info.unwind = plan.options.unwind == UnwindMode::kDwarf           ? "dwarf"
                : plan.options.unwind == UnwindMode::kFramePointers ? "fp"
                                                                    : "none";
  info.host = machine.host;
  info.kernel = machine.kernel_release;
  info.cpu_model = machine.cpu_model;
  info.arch = host_arch();
  info.cpu_count = static_cast<uint32_t>(machine.online_cpus.size());
  info.command = plan.options.command;
  info.start_wall_ns = wall_ns();
  info.start_ns = now_ns();
  for (const EventSpec& event : plan.options.events) {
    info.events.push_back({event.name, event.unit, event.period != 0 ? 0 : plan.options.rate_hz});
  }
  info.notes = plan.notes;
  return info;
}

// -d and --max-size end the command themselves: that is no failure of it.
int code_to_pass_on(int status, bool ended_by_us) {
  if (WIFEXITED(status)) { return WEXITSTATUS(status); }
  return ended_by_us ? 0 : 128 + WTERMSIG(status);
}

// How it is recorded, in one line, however much there is to say.
void print_notes(const std::vector<std::string>& notes) {
  std::string line;
  for (const std::string& note : notes) { line += (line.empty() ? "" : "; ") + note; }
  if (!line.empty()) { std::fprintf(stderr, "wick: %s\n", line.c_str()); }
}

// Whether something will be started; nothing is said of how that would be recorded otherwise.
bool is_there(const std::vector<std::string>& command) {
  if (command.empty()) { return true; }
  auto executable = [](const std::string& path) { return ::access(path.c_str(), X_OK) == 0; };
  if (command[0].find('/') != std::string::npos) { return executable(command[0]); }
  const char* path = std::getenv("PATH");
  std::vector<std::string_view> folders = split(path != nullptr ? path : "/usr/bin:/bin", ':');
  return std::any_of(folders.begin(), folders.end(),
                     [&](std::string_view f) { return executable(std::string(f) + "/" + command[0]); });
}

// Deep stacks are finished from the memory of the target, which takes a right of its own.
std::string explain_unreadable(const Machine& machine) {
  std::string note = "the target's memory may not be read: stacks deeper than what is copied of them are cut";
  bool by_yama = machine.ptrace_scope.value_or(0) > 0 && !machine.has(Capability::kSysPtrace);
  return note + (by_yama ? " (sudo sysctl kernel.yama.ptrace_scope=0)" : "");
}

struct RunResult {
  int code = 0;
  bool go_on = true;
};

Result<RunResult> run_once(const EnginePlan& plan, const Machine& machine, const RecordRequest& request, Recording& recording,
                           StopSignals& signals, bool first) {
  WICK_LET(std::unique_ptr<Engine> engine, make_engine(plan, machine));
  capture::Info info = describe(plan, machine);
  if (first && !request.quiet && is_there(plan.options.command)) {
    print_notes(plan.notes);
  }  // the terminal is the command's then
  WICK_OK(engine->start(signals.mask_before()));
  if (first) {
    if (Status begun = recording.begin(info); !begun.ok()) {
      pid_t pid = engine->launched_pid();
      engine.reset();
      if (pid > 0) { end_process(pid, false); }  // it was not to run unrecorded
      return std::move(begun).error();
    }
  }
  // What was started uses this terminal too.
  StatusLine status(!request.quiet, engine->launched_pid());
  std::function<void(const Progress&)> on_progress;
  if (status.on()) {
    on_progress = [&](const Progress& progress) { status.show(progress); };
  }
  WICK_LET(StopReason reason, recording.run(*engine, signals, request.limits, on_progress));
  status.clear();

  RunResult result;
  result.go_on = reason == StopReason::kTargetEnded;
  if (pid_t pid = engine->launched_pid(); pid > 0) {
    std::optional<int> ended = engine->exit_status();
    bool by_us = !ended && (reason == StopReason::kDuration || reason == StopReason::kMaxSize);
    // A full disk is not the target's fault: it goes on. A second Ctrl-C or the end of the duration ends it.
    int code = ended                             ? *ended
               : reason == StopReason::kDiskFull ? wait_for_process(pid, signals)
                                                 : end_process(pid, reason == StopReason::kSignal);
    result.code = code_to_pass_on(code, by_us);
    result.go_on = result.go_on && !(WIFSIGNALED(code) && (WTERMSIG(code) == SIGINT || WTERMSIG(code) == SIGTERM));
  }
  if (reason == StopReason::kMaxSize && !request.quiet) { std::fprintf(stderr, "stopped: the file has reached --max-size\n"); }
  return result;
}

int record(const RecordArguments& arguments) {
  Machine machine = load_machine();
  Result<RecordRequest> understood = understand(arguments, machine);
  if (!understood) { return fail(understood.error(), understood.error().code() == Errc::kUsage ? 2 : 1); }
  RecordRequest& request = *understood;
  const RecordOptions& options = request.options;
  auto give_up = [&](const Error& error) { return fail(error, code_of(error, options)); };

  Result<EnginePlan> plan = plan_engine(options, request.engine, machine);
  if (!plan) { return give_up(plan.error()); }
  plan->notes.insert(plan->notes.end(), request.notes.begin(), request.notes.end());
  // Before any thread is started: one that does not block a signal would be ended by it.
  Result<StopSignals> signals = StopSignals::open();
  if (!signals) { return give_up(signals.error()); }
  LiveOptions live;
  live.unwind = options.unwind;
  live.max_depth = request.max_depth;
  live.max_chain = plan->ptrace ? kMostPtraceChain : static_cast<uint32_t>(machine.max_stack.value_or(kMostPerfChain));
  live.workers = static_cast<unsigned>(std::min<size_t>(machine.online_cpus.size() / 2, 8));
  live.cache_dir = find_cache_dir();
  if (request.naming == Naming::kAtOnce) { live.names = request.sources; }
  Recording recording(live);
  if (Status opened = recording.open(request.output); !opened.ok()) { return give_up(opened.error()); }
  int code = 0;
  for (uint32_t i = 0; i < request.iterations; ++i) {
    Result<RunResult> ran = run_once(*plan, machine, request, recording, *signals, i == 0);
    if (!ran) {
      bool no_command = ran.error().code() == Errc::kNoCommand, not_executable = ran.error().code() == Errc::kNotExecutable;
      code = fail(ran.error(), no_command ? kNotFound : not_executable ? kNotExecutable : code_of(ran.error(), options));
      if (i == 0) { return code; }
      break;  // what the runs before have given is kept
    }
    if (code == 0) { code = ran->code; }
    if (!ran->go_on) { break; }
  }
  // All samples are in the file: Ctrl-C now ends the waiting for debug files, nothing else.
  while (signals->next()) {}
  bool stopped = false;
  request.sources.fetch.is_stopped = [&] { return stopped |= signals->next().has_value(); };
  Result<RecordingOutcome> outcome = recording.finish(request.naming, request.sources);
  if (!outcome) {
    return give_up(
        std::move(outcome).error().with_hint("what was written before is whole: wick report " + shell_quote(request.output)));
  }
  if (outcome->totals.unreadable > 0) { outcome->notes.push_back(explain_unreadable(machine)); }
  print_record_summary(*outcome, request);
  return code;
}

}  // namespace

Run add_record_command(CLI::App& app) {
  auto arguments = std::make_shared<RecordArguments>();
  declare_record_options(app, *arguments);
  app.prefix_command();  // the first word that is no option begins the command
  return [&app, arguments] {
    arguments->command = app.remaining();
    if (!arguments->command.empty() && arguments->command[0].starts_with("-")) {
      return fail(Error("there is no option \"%s\"", arguments->command[0].c_str()).with_hint("wick record --help"), 2);
    }
    if (const auto& behind = command_behind_dashes()) {
      if (!arguments->command.empty()) { arguments->command.push_back("--"); }  // that one is the command's own
      arguments->command.insert(arguments->command.end(), behind->begin(), behind->end());
    }
    return record(*arguments);
  };
}

}  // namespace wick
