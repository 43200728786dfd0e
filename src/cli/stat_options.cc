// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/stat_options.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "base/text.h"
#include "cli/choice.h"
#include "cli/help.h"
#include "cli/shell_words.h"

namespace wick {
namespace {

Error usage(const std::string& message) {
  return Error("%s", message.c_str()).with_code(Errc::kUsage).with_hint("wick stat --help");
}

std::string quoted(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) { line += (line.empty() ? "" : " ") + shell_quote(word); }
  return line;
}

std::string joined(const std::vector<pid_t>& ids) {
  std::string list;
  for (pid_t id : ids) { list += (list.empty() ? "" : ",") + std::to_string(id); }
  return list;
}

void name_target(StatRequest& request, const std::string& cpus) {
  const stat::Target& target = request.target;
  if (!target.command.empty()) {
    request.title = quoted(target.command);
    request.record_target = "-- " + request.title;
  } else if (!target.pids.empty() || !target.tids.empty()) {
    std::string pids = target.pids.empty() ? "" : "-p " + joined(target.pids);
    std::string tids = target.tids.empty() ? "" : "-t " + joined(target.tids);
    request.record_target = pids + (pids.empty() || tids.empty() ? "" : " ") + tids;
    request.title = (target.pids.empty() ? "thread " + joined(target.tids) : "process " + joined(target.pids));
  } else {
    request.record_target = cpus.empty() ? "-a -d 10" : "-C " + cpus + " -d 10";
    request.title = cpus.empty() ? "the whole system" : "CPUs " + cpus;
  }
}

Status check_combinations(const StatArguments& a, const StatRequest& r) {
  bool has_command = !r.target.command.empty() || !r.compared.empty();
  auto needs_command = [](const char* option) { return usage(std::string(option) + " needs a command"); };
  if (!r.compared.empty()) {
    if (!r.target.command.empty() || !a.record.pids.empty() || !a.record.tids.empty() || a.record.system_wide) {
      return usage("--compare takes both commands: no other target can be given");
    }
    if (a.exact || a.per_thread || a.per_core || !a.interval.empty()) {
      return usage("--compare cannot be combined with --exact, --per-thread, --per-core or -I");
    }
  }
  if (a.json && a.csv) { return usage("--json and --csv cannot be combined"); }
  if (a.runs > 1 && !has_command) { return needs_command("-r"); }
  if (a.ignore_failure && !has_command) { return needs_command("--ignore-failure"); }
  if (a.runs > 1 && !a.interval.empty()) { return usage("-r and -I cannot be combined"); }
  if (a.runs > 1 && (a.per_thread || a.per_core)) { return usage("-r cannot be combined with --per-thread or --per-core"); }
  if (a.exact) {
    if (!has_command) { return needs_command("--exact"); }
    if (a.record.events || a.detailed || a.per_thread || a.per_core || !a.interval.empty()) {
      return usage("--exact has its own figures: it cannot be combined with -e, --detailed, --per-thread, --per-core or -I");
    }
  }
  if (a.per_thread && r.target.system_wide) { return usage("--per-thread needs a command or a process"); }
  return ok_status();
}

}  // namespace

void declare_stat_options(CLI::App& app, StatArguments& a) {
  RecordArguments& record = a.record;
  app.formatter(
      std::make_shared<Help>("wick stat [OPTIONS] -- COMMAND [ARGS…]\n"
                             "       wick stat [OPTIONS] -p PID | -t TID | -a | -C CPUS\n"
                             "       wick stat [OPTIONS] --compare 'COMMAND A' 'COMMAND B'"));
  app.add_option("-p,--pid", record.pids, "Count in running processes, with their threads and new children")
      ->type_name("PID,…")
      ->group("Target");
  app.add_option("-t,--tid", record.tids, "Count in running threads")->type_name("TID,…")->group("Target");
  app.add_flag("-a,--all", record.system_wide, "Count in the whole system (needs root or perf_event_paranoid 0)")->group("Target");
  app.add_option("-C,--cpu", record.cpus, "Count everything on these CPUs, as in 0,2-3")->type_name("CPUS")->group("Target");
  app.add_option("--compare", a.compare, "Compare two commands, each in quotes: alternating runs and a verdict")
      ->expected(2)
      ->type_name("A B")
      ->group("Target");
  app.add_option("-e,--event", record.events, "Count these events instead of the usual hardware events, as wick record")
      ->type_name("EVENT,…")
      ->join()
      ->group("Counting");
  app.add_flag("--detailed", a.detailed, "Also count loads and misses of each level of cache")->group("Counting");
  app.add_option("-d,--duration", record.duration, "Stop after this time; a launched command is interrupted as by Ctrl-C")
      ->type_name("SECONDS")
      ->group("Counting");
  app.add_option("-r,--repeat", a.runs, "Run the command N times: mean, spread and outliers [1; with --compare 10]")
      ->type_name("N")
      ->check(check_number(1, 100'000))
      ->group("Counting");
  app.add_flag("--ignore-failure", a.ignore_failure, "Continue -r and --compare after a run that fails")->group("Counting");
  app.add_flag("--exact", a.exact, "Count instructions and simulate caches and branches with valgrind (15 to 100 times slower)")
      ->group("Counting");
  app.add_option("-I,--interval", a.interval, "Print a line every MS milliseconds")->type_name("MS")->group("Output");
  app.add_flag("--per-thread", a.per_thread, "Show the figures of each thread")->group("Output");
  app.add_flag("--per-core", a.per_core, "Show the figures of each core")->group("Output");
  app.add_flag("--json", a.json, "Print JSON (docs/stat.md)")->group("Output");
  app.add_flag("--csv", a.csv, "Print CSV")->group("Output");
  app.add_option("-o,--output", a.output, "Write here; - is standard output [standard error with a command]")
      ->type_name("FILE")
      ->group("Output");
  app.footer(
      "Examples:\n"
      "  wick stat -- ./app --arg            count events of a program, and say what they mean\n"
      "  wick stat -r 10 -- ./app            ten runs: mean, spread and outliers\n"
      "  wick stat --compare './a x' './b x' is B faster than A?\n"
      "  wick stat -p 4711 -d 10 -I 1000     a running process, every second for 10 seconds\n"
      "  wick stat --exact -- ./app          instructions without hardware counters, with valgrind\n"
      "\nExit status: the command's (128+N if signal N ended it); 125 if wick failed, 126 or 127 if the command could not\n"
      "be started, 2 for wrong usage.");
}

Result<StatRequest> understand_stat(const StatArguments& a, const Machine& machine) {
  StatRequest r;
  RecordArguments record = a.record;
  for (const std::string& line : a.compare) {
    WICK_LET(std::vector<std::string> words, split_shell_words(line));
    r.compared.push_back({.command = std::move(words), .pids = {}, .tids = {}, .system_wide = false, .cpus = {}});
  }
  bool names_target = !record.command.empty() || !record.pids.empty() || !record.tids.empty() || record.system_wide;
  if (!record.cpus.empty() && (names_target || !r.compared.empty())) { return usage("-C is a target of its own"); }
  if (!names_target && record.cpus.empty() && !r.compared.empty()) { record.command = r.compared[0].command; }
  if (!names_target && record.cpus.empty() && r.compared.empty()) {
    return Error("nothing to count: give a command, a process (-p) or the whole system (-a)")
        .with_code(Errc::kUsage)
        .with_hint("wick stat -- CMD ARGS");
  }
  record.quiet = true;
  WICK_LET(RecordRequest checked, understand(record, machine));
  const RecordOptions& options = checked.options;
  if (r.compared.empty()) {
    r.target.command = options.command;
    r.target.directory = options.directory;
  }
  r.target.pids = options.pids;
  r.target.tids = options.tids;
  r.target.system_wide = options.system_wide || !options.cpus.empty();
  r.target.cpus = options.cpus;
  if (r.target.cpus.empty()) { r.target.cpus.assign(machine.online_cpus.begin(), machine.online_cpus.end()); }
  WICK_OK(check_combinations(a, r));
  r.events = options.events;
  for (const EventSpec& event : r.events) {
    if (event.automatic) { return usage("-e auto is for sampling: name the events to count"); }
  }
  r.options.duration_ns = checked.limits.duration_ns;
  if (!a.interval.empty()) {
    std::optional<uint64_t> ms = parse_u64(a.interval);
    if (!ms || *ms < 10 || *ms > 86'400'000) { return usage("-I " + a.interval + ": must be milliseconds, 10 or more"); }
    r.options.interval_ns = *ms * 1'000'000;
  }
  r.options.per_thread = a.per_thread;
  r.options.per_core = a.per_core;
  r.options.discard_output = !r.compared.empty();
  r.runs = a.runs != 0 ? a.runs : r.compared.empty() ? 1 : 10;
  r.detailed = a.detailed;
  r.exact = a.exact;
  r.json = a.json;
  r.csv = a.csv;
  r.ignore_failure = a.ignore_failure;
  r.output = a.output;
  name_target(r, a.record.cpus);
  return r;
}

}  // namespace wick
