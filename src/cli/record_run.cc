// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/record_run.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "base/clock.h"
#include "cli/messages.h"
#include "cli/recording_info.h"
#include "cli/status_line.h"
#include "module/cache_dir.h"
#include "os/search_path.h"

namespace wick {
namespace {

// Waits for the launched process, or ends it if it must not continue.
RunResult end_of(pid_t pid, Engine& engine, StopReason reason, StopSignals& signals, uint64_t end_ns) {
  std::optional<int> ended = engine.exit_status();
  // Only the file is full: the command continues, until -d ends it.
  bool file_full = reason == StopReason::kDiskFull || reason == StopReason::kMaxSize;
  if (!ended && file_full) { ended = wait_for_process(pid, signals, end_ns); }
  bool by_us = !ended && reason != StopReason::kSignal;
  int status = ended ? *ended : end_process(pid, reason == StopReason::kSignal);
  bool interrupted = WIFSIGNALED(status) && (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM);
  return {code_to_pass_on(status, by_us), reason == StopReason::kTargetEnded && !interrupted};
}

}  // namespace

int fail_to_record(const Error& given, std::string_view as) {
  std::string hint = given.hint();
  constexpr std::string_view kRecord = "wick record";
  for (size_t at = 0; (at = hint.find(kRecord, at)) != hint.npos; at += as.size()) { hint.replace(at, kRecord.size(), as); }
  Error error = Error(given).with_hint(std::move(hint));
  switch (error.code()) {
    case Errc::kUsage: return fail(error, 2);
    case Errc::kNoCommand: return fail(error, kNotFound);
    case Errc::kNotExecutable: return fail(error, kNotExecutable);
    default: return fail(error, kWickFailed);
  }
}

int code_to_pass_on(int status, bool ended_by_us) {
  if (WIFEXITED(status)) { return WEXITSTATUS(status); }
  return ended_by_us ? 0 : 128 + WTERMSIG(status);
}

void print_notes(const std::vector<std::string>& notes) {
  std::string line;
  for (const std::string& note : notes) { line += (line.empty() ? "" : "; ") + note; }
  if (!line.empty()) { std::fprintf(stderr, "wick: %s\n", line.c_str()); }
}

UnwindOptions unwind_options(const RecordRequest& request, const EnginePlan& plan, const Machine& machine) {
  UnwindOptions unwind;
  unwind.mode = request.options.unwind;
  unwind.max_depth = request.max_depth;
  unwind.max_chain = plan.engine.max_chain;
  unwind.workers = static_cast<unsigned>(std::min<size_t>(machine.online_cpus.size() / 2, 8));
  unwind.cache_dir = find_cache_dir();
  if (request.naming == Naming::kAtOnce) { unwind.names = request.sources; }
  return unwind;
}

Result<RunResult> run_once(const EnginePlan& plan, const Machine& machine, const RecordRequest& request, Recording& recording,
                           StopSignals& signals, bool first) {
  WICK_LET(std::unique_ptr<Engine> engine, make_engine(plan, machine));
  capture::Info info = describe_recording(plan, machine);
  // Skip the recording notes when the target cannot be recorded. Once a command runs, the terminal belongs to it.
  const std::vector<std::string>& command = plan.options.command;
  bool says_notes = first && !request.quiet;
  if (says_notes && !command.empty() && !find_program(command[0]).empty()) { print_notes(plan.notes); }
  WICK_OK(engine->start(signals.mask_before()));
  if (says_notes && command.empty()) { print_notes(plan.notes); }
  if (first) {
    if (Status begun = recording.begin(info); !begun.ok()) {
      pid_t pid = engine->launched_pid();
      engine.reset();
      if (pid > 0) { end_process(pid, false); }  // must not run unrecorded
      return std::move(begun).error();
    }
  }
  // The target shares this terminal.
  StatusLine status(!request.quiet, engine->launched_pid());
  std::function<void(const Progress&)> on_progress;
  if (status.on()) {
    on_progress = [&](const Progress& progress) { status.show(progress); };
  }
  const Limits& limits = request.limits;
  uint64_t end_ns = limits.duration_ns == 0 ? UINT64_MAX : now_ns() + limits.delay_ns + limits.duration_ns;
  WICK_LET(StopReason reason, recording.run(*engine, signals, limits, on_progress));
  status.clear();

  if (pid_t pid = engine->launched_pid(); pid > 0) { return end_of(pid, *engine, reason, signals, end_ns); }
  return RunResult{0, reason == StopReason::kTargetEnded};
}

}  // namespace wick
