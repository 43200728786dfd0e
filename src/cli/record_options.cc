// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/record_options.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>

#include "base/text.h"
#include "record/event_spec.h"
#include "record/perf_open.h"

namespace wick {
namespace {

constexpr uint64_t kDefaultRate = 997;  // prime, so that it does not keep time with what a program does regularly

// CLI11 cannot know that a command may follow.
class RecordHelp : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: wick record [OPTIONS] -- COMMAND [ARGS…]\n"
           "       wick record [OPTIONS] -p PID | -t TID | -a | -C CPUS | --cgroup NAME\n";
  }
};

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
      if (!id || *id == 0 || *id > INT32_MAX) { return usage(option, list, "expects numbers, as in 4711,4712"); }
      ids.push_back(static_cast<pid_t>(*id));
    }
  }
  return ids;
}

Result<uint64_t> parse_rate(const std::optional<std::string>& asked, const Machine& machine, std::vector<std::string>& notes) {
  uint64_t highest = static_cast<uint64_t>(std::max<int64_t>(machine.max_sample_rate_hz.value_or(100'000), 1));
  if (!asked && highest < kDefaultRate) {  // the kernel lowers it by itself on slow machines
    notes.push_back(strf("%llu samples a second, which is all that perf_event_max_sample_rate allows",
                         static_cast<unsigned long long>(highest)));
    return highest;
  }
  if (!asked) { return kDefaultRate; }
  const std::string& text = *asked;
  if (text == "max") { return highest; }
  std::optional<uint64_t> rate = parse_u64(text);
  if (!rate || *rate == 0) { return usage("-F", text, "expects samples a second, as in 997, or max"); }
  if (*rate > highest) {
    return Error("-F %s: the kernel allows at most %llu samples a second (perf_event_max_sample_rate)", text.c_str(),
                 static_cast<unsigned long long>(highest))
        .with_code(Errc::kUsage)
        .with_hint("wick record -F max …");
  }
  return *rate;
}

Status understand_targets(const RecordArguments& a, const Machine& machine, RecordOptions& options) {
  options.command = a.command;
  WICK_LET(options.pids, parse_ids(a.pids, "-p"));
  WICK_LET(options.tids, parse_ids(a.tids, "-t"));
  options.system_wide = a.system_wide;
  options.cgroup = a.cgroup;
  options.inherit = !a.no_inherit;
  if (!a.cpus.empty()) {
    Result<std::vector<uint32_t>> cpus = parse_cpu_list(a.cpus);
    if (!cpus) { return usage("-C", a.cpus, "expects CPUs, as in 0,2-3"); }
    for (uint32_t cpu : *cpus) {
      if (std::find(machine.online_cpus.begin(), machine.online_cpus.end(), cpu) == machine.online_cpus.end()) {
        return Error("-C %s: there is no CPU %u (online are %s)", a.cpus.c_str(), cpu,
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
    return Error("more than one kind of target: give either a command, -p/-t, -a or --cgroup")
        .with_code(Errc::kUsage)
        .with_hint("wick record -- CMD ARGS");
  }
  if (kinds == 0 && options.cpus.empty()) {
    return Error("nothing to record: give a command, a process (-p), or the whole system (-a)")
        .with_code(Errc::kUsage)
        .with_hint("wick record -- CMD ARGS");
  }
  return ok_status();
}

}  // namespace

Result<uint64_t> parse_duration(const std::string& text, const char* option) {
  return parse_with_unit(text, option,
                         {{"", 1e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"m", 60e9}, {"min", 60e9}, {"h", 3600e9}},
                         "expects seconds, as in 30 or 1.5 (or 200ms, 2m)");
}

Result<uint64_t> parse_size(const std::string& text, const char* option) {
  if (std::optional<uint64_t> bytes = parse_bytes(text)) { return *bytes; }
  return usage(option, text, "expects a size, as in 500k, 100M or 2G");
}

void declare_record_options(CLI::App& app, RecordArguments& a) {
  app.formatter(std::make_shared<RecordHelp>());
  app.add_option("-p,--pid", a.pids, "running processes (all their threads, and those they start later)")
      ->type_name("PID,…")
      ->group("Target");
  app.add_option("-t,--tid", a.tids, "running threads")->type_name("TID,…")->group("Target");
  app.add_flag("-a,--all", a.system_wide, "the whole system (needs root or perf_event_paranoid 0)")->group("Target");
  app.add_option("-C,--cpu", a.cpus, "only on these CPUs, as in 0,2-3; alone: all that runs on them")
      ->type_name("CPUS")
      ->group("Target");
  app.add_option("--cgroup", a.cgroup, "what runs in a cgroup; for an ordinary user: its processes")
      ->type_name("NAME")
      ->group("Target");
  app.add_flag("--no-inherit", a.no_inherit, "leave out processes and threads that the target starts")->group("Target");

  app.add_option("-F,--freq", a.rate, "samples a second and thread, or max (default 997)")->type_name("HZ")->group("Sampling");
  app.add_option("-c,--count", a.period, "instead: one sample for so many events (with -e; nanoseconds for clocks)")
      ->type_name("N")
      ->group("Sampling");
  app.add_option("-e,--event", a.events,
                 "what to sample by: cycles, cache-misses, page-faults, sched:sched_switch, r1c2 …, with :u :k :p")
      ->type_name("EVENT,…")
      ->group("Sampling");
  app.add_option("-d,--duration", a.duration, "stop after this time; a launched command is ended as by Ctrl-C")
      ->type_name("SECONDS")
      ->group("Sampling");
  app.add_option("--delay", a.delay, "begin to sample only after this time")->type_name("SECONDS")->group("Sampling");
  app.add_option("--iterations", a.iterations, "run the command N times into one profile")
      ->type_name("N")
      ->check(CLI::Range(1u, 1'000'000u))
      ->group("Sampling");
  app.add_option("--engine", a.engine, "perf, ptrace or auto: ptrace where perf_event_open is refused")
      ->type_name("NAME")
      ->check(CLI::IsMember({"auto", "perf", "ptrace"}))
      ->group("Sampling");

  app.add_option("--unwind", a.unwind, "dwarf (unwind tables, the default), fp (frame pointers) or none")
      ->type_name("HOW")
      ->check(CLI::IsMember({"dwarf", "fp", "none"}))
      ->group("Stacks");
  app.add_option("--stack-size", a.stack_size,
                 "bytes of stack copied with each sample, up to 65528 (default 4096 to 16384, by the rate)")
      ->type_name("BYTES")
      ->group("Stacks");
  app.add_option("--max-depth", a.max_depth, "most frames kept of a stack (default 32768)")
      ->type_name("N")
      ->check(CLI::Range(1u, 1u << 20))
      ->group("Stacks");

  add_symbol_options(app, a.symbols, Fetching::kMay);

  app.add_option("-o,--output", a.output, "the profile (default profile.wick; an older one is kept as FILE.old)")
      ->type_name("FILE")
      ->group("Output");
  app.add_option("--max-size", a.max_size, "stop when the file has grown to this size, as in 100M")
      ->type_name("SIZE")
      ->group("Output");
  app.add_flag("--no-symbols", a.no_symbols, "leave names of functions for later (wick symbolize): the recording ends sooner")
      ->group("Output");
  app.add_flag("-q,--quiet", a.quiet, "say nothing but errors")->group("Output");
  app.footer(
      "Examples:\n"
      "  wick record -- ./app --arg          run a program, record it and all it starts\n"
      "  wick record -p 4711 -d 30           a running program for 30 seconds\n"
      "  wick record -F 9997 --iterations 20 -- ./short\n"
      "  sudo wick record -a -d 10           everything on this machine\n"
      "\nThe exit status is the command's (128+N when signal N ended it); 125: wick failed, 126/127: the command could not\n"
      "be started, 2: wrong usage.");
}

Result<RecordRequest> understand(const RecordArguments& a, const Machine& machine) {
  RecordRequest request;
  RecordOptions& options = request.options;
  WICK_OK(understand_targets(a, machine, options));
  WICK_LET(options.rate_hz, parse_rate(a.rate, machine, request.notes));
  if (a.events) { WICK_LET(options.events, parse_events(*a.events)); }
  if (a.period) {
    if (!a.events) {
      return Error("-c counts an event: say which").with_code(Errc::kUsage).with_hint("wick record -e page-faults -c 1 …");
    }
    if (a.rate) { return Error("-F and -c are two ways to choose samples: take one").with_code(Errc::kUsage); }
    if (*a.period == 0) { return usage("-c", "0", "expects a number of events, 1 or more"); }
    for (EventSpec& event : options.events) { event.period = *a.period; }
  }
  options.unwind = a.unwind == "fp" ? UnwindMode::kFramePointers : a.unwind == "none" ? UnwindMode::kNone : UnwindMode::kDwarf;
  if (!a.stack_size.empty()) {
    WICK_LET(uint64_t bytes, parse_size(a.stack_size, "--stack-size"));
    if (bytes < 8 || bytes > kLargestStackSize) {
      return usage("--stack-size", a.stack_size, "the kernel copies between 8 and 65528 bytes");
    }
    options.stack_size = static_cast<uint32_t>((bytes + 7) / 8 * 8);
  }
  request.engine = a.engine == "perf" ? EngineChoice::kPerf : a.engine == "ptrace" ? EngineChoice::kPtrace : EngineChoice::kAuto;
  if (!a.duration.empty()) {
    WICK_LET(request.limits.duration_ns, parse_duration(a.duration, "-d"));
    if (request.limits.duration_ns == 0) { return usage("-d", a.duration, "expects more than no time"); }
  }
  if (!a.delay.empty()) { WICK_LET(request.limits.delay_ns, parse_duration(a.delay, "--delay")); }
  if (!a.max_size.empty()) { WICK_LET(request.limits.max_size_bytes, parse_size(a.max_size, "--max-size")); }
  if (a.iterations > 1 && options.command.empty()) {
    return Error("--iterations is for a command that wick starts")
        .with_code(Errc::kUsage)
        .with_hint("wick record --iterations 10 -- CMD");
  }
  options.start_enabled = request.limits.delay_ns == 0;
  request.iterations = a.iterations;
  request.max_depth = a.max_depth;
  request.output = a.output;
  request.quiet = a.quiet;
  WICK_LET(request.sources, find_symbol_sources(a.symbols, Fetching::kMay, a.quiet));
  request.naming = a.no_symbols ? Naming::kLater : Naming::kAtOnce;
  return request;
}

}  // namespace wick
