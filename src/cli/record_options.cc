// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/record_options.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>

#include "base/text.h"
#include "cli/choice.h"
#include "cli/command_line.h"
#include "cli/help.h"
#include "cli/usage_error.h"
#include "record/event_spec.h"
#include "record/perf_open.h"

namespace wick {
namespace {

Error usage(const char* option, const std::string& value, const char* what) {
  return Error("%s %s: %s", option, value.c_str(), what).with_code(Errc::kUsage).with_hint("wick record --help");
}

struct Unit {
  const char* name;
  double factor;
};

Result<uint64_t> parse_with_unit(const std::string& text, const char* option, std::initializer_list<Unit> units,
                                 const char* what) {
  size_t end = text.find_first_not_of("0123456789.");
  std::string_view number = std::string_view(text).substr(0, end);
  std::string_view unit = end == std::string::npos ? std::string_view() : trim(std::string_view(text).substr(end));
  std::optional<double> value = parse_double(number);
  for (const Unit& known : units) {
    if (value && unit == known.name && *value * known.factor < 9e18) { return static_cast<uint64_t>(*value * known.factor); }
  }
  return usage(option, text, what);
}

Result<std::vector<pid_t>> parse_ids(const std::vector<std::string>& lists, const char* option) {
  std::vector<pid_t> ids;
  for (const std::string& list : lists) {
    for (std::string_view one : split(list, ',')) {
      std::optional<uint64_t> id = parse_u64(trim(one));
      if (!id || *id == 0 || *id > INT32_MAX) { return usage(option, list, "must be numbers, as in 4711,4712"); }
      ids.push_back(static_cast<pid_t>(*id));
    }
  }
  return ids;
}

Result<uint64_t> parse_rate(const RecordArguments& a, const Machine& machine, std::vector<std::string>& notes) {
  const std::optional<std::string>& asked = a.rate;
  uint64_t highest = static_cast<uint64_t>(std::max<int64_t>(machine.max_sample_rate_hz.value_or(100'000), 1));
  if (!asked && highest < a.default_rate_hz) {  // the kernel lowers the limit on slow machines
    notes.push_back(
        strf("sampling at %llu Hz, the limit of perf_event_max_sample_rate", static_cast<unsigned long long>(highest)));
    return highest;
  }
  if (!asked) { return a.default_rate_hz; }
  const std::string& text = *asked;
  if (text == "max") { return highest; }
  std::optional<uint64_t> rate = parse_u64(text);
  if (!rate || *rate == 0) { return usage("-F", text, "must be a rate in Hz, as in 997, or max"); }
  if (*rate > highest) {
    return Error("-F %s: the kernel allows at most %llu Hz (perf_event_max_sample_rate)", text.c_str(),
                 static_cast<unsigned long long>(highest))
        .with_code(Errc::kUsage)
        .with_hint("wick record -F max …");
  }
  return *rate;
}

Status understand_targets(const RecordArguments& a, const Machine& machine, RecordOptions& options) {
  options.command = a.command;
  options.directory = a.directory;
  WICK_LET(options.pids, parse_ids(a.pids, "-p"));
  WICK_LET(options.tids, parse_ids(a.tids, "-t"));
  options.system_wide = a.system_wide;
  options.cgroup = a.cgroup;
  options.inherit = !a.no_inherit;
  if (!a.cpus.empty()) {
    Result<std::vector<uint32_t>> cpus = parse_cpu_list(a.cpus);
    if (!cpus) { return usage("-C", a.cpus, "must be CPU numbers, as in 0,2-3"); }
    for (uint32_t cpu : *cpus) {
      if (std::find(machine.online_cpus.begin(), machine.online_cpus.end(), cpu) == machine.online_cpus.end()) {
        return Error("-C %s: CPU %u is not online (online: %s)", a.cpus.c_str(), cpu,
                     format_cpu_list(machine.online_cpus).c_str())
            .with_code(Errc::kUsage)
            .with_hint("wick record -C " + format_cpu_list(machine.online_cpus) + " …");
      }
    }
    options.cpus.assign(cpus->begin(), cpus->end());
  }
  int kinds =
      !options.command.empty() + (!options.pids.empty() || !options.tids.empty()) + options.system_wide + !options.cgroup.empty();
  if (kinds > 1) {
    return Error("more than one target: give a command, -p/-t, -a or --cgroup")
        .with_code(Errc::kUsage)
        .with_hint("wick record -- CMD ARGS");
  }
  if (kinds == 0 && options.cpus.empty()) {
    return Error("nothing to record: give a command, a process (-p) or the whole system (-a)")
        .with_code(Errc::kUsage)
        .with_hint("wick record -- CMD ARGS");
  }
  return ok_status();
}

// perf's unwinding methods. All except frame pointers mean wick's default, which has no depth limit.
Result<std::string> parse_call_graph(const std::string& text) {
  size_t comma = text.find(',');
  std::string way = text.substr(0, comma);
  if (way == "fp" && comma == text.npos) { return std::string("fp"); }
  bool has_size = comma != text.npos && parse_bytes(text.substr(comma + 1)).has_value();
  bool known = way == "dwarf" ? comma == text.npos || has_size : way == "lbr" && comma == text.npos;
  if (!known) { return usage("--call-graph", text, "must be fp, dwarf, dwarf,SIZE or lbr"); }
  return std::string("dwarf");
}

Result<UnwindMode> parse_unwind(const RecordArguments& a) {
  std::string way = a.unwind;
  if (!a.call_graph.empty()) {
    WICK_LET(std::string asked, parse_call_graph(a.call_graph));
    if (!way.empty() && way != asked) {
      return Error("--unwind %s and --call-graph %s contradict each other", way.c_str(), a.call_graph.c_str())
          .with_code(Errc::kUsage);
    }
    way = asked;
  }
  return way == "fp" ? UnwindMode::kFramePointers : way == "none" ? UnwindMode::kNone : UnwindMode::kDwarf;
}

// One sample is the same amount of a thread's time, whether it runs or not: so CPU time is sampled, not cycles.
Status plan_wall(const RecordArguments& a, RecordOptions& options) {
  if (a.events || a.period) {
    return Error("--wall samples time: it cannot be combined with %s", a.events ? "-e" : "-c").with_code(Errc::kUsage);
  }
  // It follows threads from the start and on all CPUs, by events of their own.
  const char* part = !a.delay.empty() ? "--delay" : !a.cpus.empty() ? "-C" : !a.cgroup.empty() ? "--cgroup" : nullptr;
  if (part != nullptr) { return Error("--wall cannot be combined with %s", part).with_code(Errc::kUsage); }
  EventSpec clock = default_software_event();
  clock.name = "cpu";
  options.events = {clock};
  options.waits = true;
  return ok_status();
}

}  // namespace

Result<uint64_t> parse_duration(const std::string& text, const char* option) {
  return parse_with_unit(text, option,
                         {{"", 1e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"m", 60e9}, {"min", 60e9}, {"h", 3600e9}},
                         "must be a time, as in 30, 1.5, 200ms or 2m");
}

Result<uint64_t> parse_size(const std::string& text, const char* option) {
  if (std::optional<uint64_t> bytes = parse_bytes(text)) { return *bytes; }
  return usage(option, text, "must be a size, as in 500k, 100M or 2G");
}

void declare_target_options(CLI::App& app, RecordArguments& a) {
  app.add_option("-p,--pid", a.pids, "Record running processes, with their threads and children")
      ->type_name("PID,…")
      ->group("Target");
  app.add_option("-t,--tid", a.tids, "Record running threads")->type_name("TID,…")->group("Target");
  app.add_flag("-a,--all", a.system_wide, "Record the whole system (needs root or perf_event_paranoid 0)")->group("Target");
  app.add_option("-C,--cpu", a.cpus, "Record only on these CPUs, as in 0,2-3; alone: everything on them")
      ->type_name("CPUS")
      ->group("Target");
  app.add_option("--cgroup", a.cgroup, "Record a cgroup (ordinary users: those of its processes they may record)")
      ->type_name("NAME")
      ->group("Target");
  app.add_flag("--no-inherit", a.no_inherit, "Do not record children and new threads of the target")->group("Target");
}

void declare_event_options(CLI::App& app, RecordArguments& a) {
  app.add_option("-F,--freq", a.rate, strf("Samples per second per thread, or max [%d]", static_cast<int>(a.default_rate_hz)))
      ->type_name("HZ")
      ->group("Sampling");
  app.add_option("-c,--count", a.period, "Sample every N events instead of at a rate (with -e; nanoseconds for clocks)")
      ->type_name("N")
      ->check(check_number(1))
      ->group("Sampling");
  app.add_option("-e,--event", a.events,
                 "Events to sample: cycles, page-faults, sched:sched_switch, r1c2, … with :u :k :p [auto]")
      ->type_name("EVENT,…")
      ->join()  // by line breaks: -e A -e B, as in perf
      ->group("Sampling");
}

void declare_engine_option(CLI::App& app, RecordArguments& a) {
  std::vector<std::string> engines = engine_names();
  engines.insert(engines.begin(), "auto");
  app.add_option("--engine", a.engine, "auto, perf, or ptrace [auto: ptrace only if perf_event_open is refused]")
      ->type_name("NAME")
      ->check(check_words(std::move(engines)))
      ->group("Sampling");
}

void declare_stack_options(CLI::App& app, RecordArguments& a) {
  app.add_option("--unwind", a.unwind, "dwarf (unwind tables), fp (frame pointers) or none [dwarf]")
      ->type_name("HOW")
      ->check(check_words({"dwarf", "fp", "none"}))
      ->group("Stacks");
  app.add_flag("-g", a.stacks, "Record stacks, as wick always does (for perf users)")->group("Stacks");
  app.add_option("--call-graph", a.call_graph, "perf's name for --unwind: fp; dwarf, dwarf,SIZE and lbr mean the default")
      ->type_name("HOW")
      ->group("Stacks");
  app.add_option("--stack-size", a.stack_size, "Copy this much stack with each sample, up to 65528 [4096 to 16384, by rate]")
      ->type_name("BYTES")
      ->group("Stacks");
  app.add_option("--max-depth", a.max_depth, "Keep at most N frames of a stack [32768]")
      ->type_name("N")
      ->check(check_number(1, 1u << 20))
      ->group("Stacks");
}

void declare_recording_options(CLI::App& app, RecordArguments& a) {
  declare_event_options(app, a);
  app.add_flag("--wall", a.wall, "Also record where threads wait, and for what: the events cpu, ready and blocked")
      ->group("Sampling");
  app.add_option("-d,--duration", a.duration, "Stop after this time; a launched command is interrupted as by Ctrl-C")
      ->type_name("SECONDS")
      ->group("Sampling");
  app.add_option("--delay", a.delay, "Start sampling after this time")->type_name("SECONDS")->group("Sampling");
  app.add_option("--iterations", a.iterations, "Run the command N times into one profile")
      ->type_name("N")
      ->check(check_number(1, 1'000'000))
      ->group("Sampling");
  declare_engine_option(app, a);
  declare_stack_options(app, a);
  add_symbol_options(app, a.symbols, Fetching::kMay);

  app.add_option("-o,--output", a.output, "Write the profile here; an existing one becomes FILE.old [profile.wick]")
      ->type_name("FILE")
      ->group("Output");
  app.add_option("--max-size", a.max_size, "Stop recording when the file reaches SIZE, as in 100M; a launched command runs on")
      ->type_name("SIZE")
      ->group("Output");
  app.add_flag("--no-symbols", a.no_symbols, "Do not look up symbols; `wick symbolize` adds them later")->group("Output");
  app.add_flag("--no-code", a.no_code, "Do not store the instructions of the hottest functions")->group("Output");
  app.add_flag("--embed-source", a.embed_source, "Store the source files of sampled lines in the profile")->group("Output");
  app.add_flag("-q,--quiet", a.quiet, "Print only errors")->group("Output");
  app.add_flag("--view", a.view, "Show the recording in a browser, like wick view")->group("Output");
}

void declare_record_options(CLI::App& app, RecordArguments& a) {
  app.formatter(
      std::make_shared<Help>("wick record [OPTIONS] -- COMMAND [ARGS…]\n"
                             "       wick record [OPTIONS] -p PID | -t TID | -a | -C CPUS | --cgroup NAME"));
  declare_target_options(app, a);
  declare_recording_options(app, a);
  app.footer(
      "Examples:\n"
      "  wick record -- ./app --arg          run a program and record it with its children\n"
      "  wick record -p 4711 -d 30           record a running process for 30 seconds\n"
      "  wick record -F 9997 --iterations 20 -- ./short\n"
      "  sudo wick record -a -d 10           record the whole system\n"
      "\nExit status: the command's (128+N if signal N ended it); 125 if wick failed, 126 or 127 if the command could not\n"
      "be started, 2 for wrong usage.");
}

Status take_command(CLI::App& app, RecordArguments& a) {
  a.command = app.remaining();
  if (!a.command.empty() && a.command[0].starts_with("-")) { return unknown_option(app, a.command[0]); }
  if (const auto& behind = command_behind_dashes()) {
    if (!a.command.empty()) { a.command.push_back("--"); }  // this "--" belongs to the command
    a.command.insert(a.command.end(), behind->begin(), behind->end());
  }
  return ok_status();
}

Result<RecordRequest> understand(const RecordArguments& a, const Machine& machine) {
  RecordRequest request;
  RecordOptions& options = request.options;
  if (a.output == "-") {
    return Error("-o -: cannot record to standard output, a recording needs a file")
        .with_code(Errc::kUsage)
        .with_hint("wick record -o profile.wick …");
  }
  WICK_OK(understand_targets(a, machine, options));
  WICK_LET(options.rate_hz, parse_rate(a, machine, request.notes));
  if (a.events) {
    std::string events = *a.events;
    std::replace(events.begin(), events.end(), '\n', ',');
    WICK_LET(options.events, parse_events(events));
  }
  if (a.period) {
    if (!a.events) { return Error("-c needs an event").with_code(Errc::kUsage).with_hint("wick record -e page-faults -c 1 …"); }
    if (a.rate) { return Error("-F and -c cannot be combined").with_code(Errc::kUsage); }
    if (std::ranges::any_of(options.events, &EventSpec::automatic)) {
      return Error("-c needs a named event: -e auto may count cycles or nanoseconds")
          .with_code(Errc::kUsage)
          .with_hint("wick record -e cpu-clock -c 1000000 …");
    }
    for (EventSpec& event : options.events) { event.period = *a.period; }
  }
  if (a.wall) { WICK_OK(plan_wall(a, options)); }
  WICK_LET(options.unwind, parse_unwind(a));
  if (!a.stack_size.empty()) {
    WICK_LET(uint64_t bytes, parse_size(a.stack_size, "--stack-size"));
    if (bytes < 8 || bytes > kLargestStackSize) {
      return usage("--stack-size", a.stack_size, "must be between 8 and 65528 bytes");
    }
    options.stack_size = static_cast<uint32_t>((bytes + 7) / 8 * 8);
  }
  if (a.engine != "auto") { request.engine = a.engine; }
  if (!a.duration.empty()) {
    WICK_LET(request.limits.duration_ns, parse_duration(a.duration, "-d"));
    if (request.limits.duration_ns == 0) {
      return Error("-d must be greater than 0").with_code(Errc::kUsage).with_hint("wick record --help");
    }
  }
  if (!a.delay.empty()) { WICK_LET(request.limits.delay_ns, parse_duration(a.delay, "--delay")); }
  if (!a.max_size.empty()) { WICK_LET(request.limits.max_size_bytes, parse_size(a.max_size, "--max-size")); }
  if (a.iterations > 1 && options.command.empty()) {
    return Error("--iterations needs a command to run").with_code(Errc::kUsage).with_hint("wick record --iterations 10 -- CMD");
  }
  options.start_enabled = request.limits.delay_ns == 0;
  request.iterations = a.iterations;
  request.max_depth = a.max_depth;
  request.output = a.output;
  request.quiet = a.quiet;
  request.view = a.view;
  WICK_LET(request.sources, find_symbol_sources(a.symbols, Fetching::kMay, a.quiet));
  request.embed_code = !a.no_code;
  request.embed_source = a.embed_source;
  if (a.embed_source && a.no_symbols) {
    return Error("--embed-source needs symbols: it cannot be combined with --no-symbols").with_code(Errc::kUsage);
  }
  request.naming = a.no_symbols ? Naming::kLater : Naming::kAtOnce;
  return request;
}

}  // namespace wick
