// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/stat_run.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/text.h"
#include "cli/record_run.h"
#include "os/search_path.h"
#include "record/perf_open.h"
#include "stat/cachegrind.h"

namespace wick {
namespace {

constexpr uint64_t kBlockSeed = 1;

// The counters for this machine and user.
struct Counting {
  stat::KernelCounters port;
  std::vector<stat::CorePmu> pmus;
  stat::CounterPlan plan;
  std::optional<TaskSums> sums;
};

bool has_watchdog() {
  Result<std::string> text = read_file("/proc/sys/kernel/nmi_watchdog", 16);
  return text.ok() && trim(*text) == "1";
}

Error in_words_of_counting(const Error& error) {
  constexpr std::string_view kRecord = "cannot record ";
  if (!error.message().starts_with(kRecord)) { return error; }
  return Error("cannot count for %s", error.message().c_str() + kRecord.size()).with_code(error.code()).with_hint(error.hint());
}

Status prepare(Counting& out, const StatRequest& request, const Machine& machine) {
  out.pmus = stat::load_core_pmus(machine.pmu_devices, "/sys");
  stat::PlanRequest plan{.events = request.events,
                         .with_kernel = machine.allows_kernel(),
                         .detailed = request.detailed,
                         .of_machine = request.target.system_wide,
                         .watchdog = has_watchdog()};
  WICK_LET(out.plan, stat::plan_counters(plan, out.pmus, "/sys", out.port));
  bool refused = request.target.system_wide && out.plan.software_error != 0;
  if (refused) {
    RecordOptions options;
    options.system_wide = true;
    return in_words_of_counting(explain_refusal(out.plan.software_error, default_software_event(), options, -1, machine));
  }
  // Without it, what ended threads waited is known only in part.
  if (!request.target.system_wide && machine.is_perfmon_capable()) {
    if (Result<TaskSums> sums = TaskSums::load(); sums.ok()) { out.sums.emplace(*std::move(sums)); }
  }
  return ok_status();
}

Error explain(Error error, const StatRequest& request, const Machine& machine) {
  bool is_refusal = error.errnum() != 0 && error.message().starts_with("cannot count");
  if (!is_refusal) { return error; }
  RecordOptions options;
  options.command = request.target.command;
  options.pids = request.target.pids;
  options.tids = request.target.tids;
  options.system_wide = request.target.system_wide;
  pid_t pid = !options.pids.empty() ? options.pids[0] : !options.tids.empty() ? options.tids[0] : options.system_wide ? -1 : 0;
  return in_words_of_counting(explain_refusal(error.errnum(), default_software_event(), options, pid, machine));
}

// How many hardware groups each type of cores has; 1 or less: nothing takes turns.
int count_passes(const stat::CounterPlan& plan) {
  std::map<std::string, int> groups;
  int most = 0;
  for (const stat::CounterGroup& group : plan.groups) {
    if (group.hardware) { most = std::max(most, ++groups[group.core]); }
  }
  return most;
}

bool is_scaled(const stat::Figures& figures) {
  return std::any_of(figures.begin(), figures.end(), [](const stat::Figure& f) { return f.counted < 0.995; });
}

std::string failed_words(size_t run, size_t runs, int code) {
  return strf("run %zu of %zu ended with exit code %d; --ignore-failure continues", run, runs, code);
}

void note_never_ran(const stat::Run& run, std::vector<std::string>& notes) {
  std::string names;
  for (const std::string& name : run.never_ran) { names += (names.empty() ? "" : ", ") + name; }
  if (names.empty()) { return; }
  notes.push_back("not counted: " + names + " (something else used the counters all the time, perhaps the NMI watchdog: " +
                  "sudo sysctl kernel.nmi_watchdog=0)");
}

// As execvp() would fail.
Status check_command(const std::string& name) {
  bool is_path = name.find('/') != std::string::npos;
  struct stat info{};
  bool exists = is_path ? ::stat(name.c_str(), &info) == 0 : !find_program(name).empty();
  if (!exists) { return Error("cannot run %s: no such command", name.c_str()).with_code(Errc::kNoCommand); }
  if (is_path && S_ISDIR(info.st_mode)) {
    return Error("cannot run %s: is a directory", name.c_str()).with_code(Errc::kNotExecutable);
  }
  if (is_path && ::access(name.c_str(), X_OK) != 0) {
    return Error("cannot run %s: not executable", name.c_str()).with_code(Errc::kNotExecutable);
  }
  return ok_status();
}

class TemporaryFolder {
 public:
  static Result<TemporaryFolder> create() {
    TemporaryFolder out;
    std::error_code error;
    out.path_ = (std::filesystem::temp_directory_path(error) / "wick-stat-XXXXXX").string();
    if (::mkdtemp(out.path_.data()) == nullptr) { return Error::from_errno(errno, "cannot create %s", out.path_.c_str()); }
    return out;
  }
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder() {
    std::error_code error;
    if (!path_.empty()) { std::filesystem::remove_all(path_, error); }
  }
  const std::string& path() const { return path_; }

 private:
  TemporaryFolder() = default;
  std::string path_;
};

stat::Report begin_report(const StatRequest& request) {
  stat::Report report;
  report.title = request.title;
  report.command = request.target.command;
  return report;
}

}  // namespace

Result<stat::Report> measure(const StatRequest& request, const Machine& machine, StopSignals& signals,
                             const OnInterval& on_interval) {
  Counting counting;
  WICK_OK(prepare(counting, request, machine));
  stat::Runner runner(request.target, request.options, counting.plan, counting.port, signals,
                      counting.sums ? &*counting.sums : nullptr);
  stat::Report report = begin_report(request);
  std::vector<stat::Figures> runs;
  int passes = count_passes(counting.plan);
  bool takes_turns = false;
  for (uint32_t i = 0; i < request.runs; ++i) {
    int only = takes_turns ? static_cast<int>(i - 1) % passes : -1;
    Result<stat::Run> run = runner.run(on_interval, only);
    if (!run) { return explain(run.error(), request, machine); }
    // Counters that do not fit at once are counted in separate runs if there are enough.
    if (i == 0) { takes_turns = passes > 1 && is_scaled(run->figures) && request.runs > static_cast<uint32_t>(passes); }
    runs.push_back(std::move(run->figures));
    int code = run->status ? code_to_pass_on(*run->status, run->ended_by_us) : 0;
    if (report.exit_code == 0) { report.exit_code = code; }
    if (i + 1 == request.runs || i == 0) {
      report.parts = std::move(run->parts);
      report.intervals = std::move(run->intervals);
      note_never_ran(*run, report.notes);
    }
    if (run->interrupted) {
      report.notes.push_back(request.runs > 1 ? strf("interrupted in run %u of %u", i + 1, request.runs) : "interrupted");
      if (i > 0) { runs.pop_back(); }  // an incomplete run is no measurement
      break;
    }
    if (code != 0 && !request.ignore_failure && i + 1 < request.runs) {
      report.notes.push_back("stopped: " + failed_words(i + 1, request.runs, code));
      break;
    }
  }
  report.runs = runs.size();
  report.rows = stat::combine(runs);
  stat::add_meanings(report.rows, request.record_target, !machine.allows_system_wide());
  bool has_hardware = counting.plan.hardware_error == 0 && passes > 0;
  report.user_only = has_hardware && !counting.plan.with_kernel;
  if (request.events.empty()) {
    stat::Missing missing = stat::explain_missing(counting.plan, machine, probe_perf_call(), request.record_target);
    report.missing = missing.why;
    report.missing_next = missing.next;
  }
  return report;
}

Result<stat::Report> simulate(const StatRequest& request, StopSignals& signals) {
  WICK_OK(check_command(request.target.command[0]));
  if (find_program("valgrind").empty()) {
    return Error("--exact needs valgrind, which is not installed").with_hint("sudo apt-get install valgrind");
  }
  stat::KernelCounters port;
  stat::CounterPlan none;
  stat::Report report = begin_report(request);
  report.simulated = true;
  std::vector<stat::Figures> runs;
  for (uint32_t i = 0; i < request.runs; ++i) {
    WICK_LET(TemporaryFolder folder, TemporaryFolder::create());
    stat::Target target = request.target;
    target.command = stat::cachegrind_command(target.command, folder.path());
    stat::Runner runner(target, request.options, none, port, signals, nullptr);
    WICK_LET(stat::Run run, runner.run(nullptr));
    int code = run.status ? code_to_pass_on(*run.status, run.ended_by_us) : 0;
    if (report.exit_code == 0) { report.exit_code = code; }
    Result<stat::SimulatedRun> simulated = stat::load_simulated(folder.path());
    if (!simulated) {
      if (run.interrupted && i > 0) { break; }
      return std::move(simulated).error().context("valgrind could not run " + request.target.command[0]);
    }
    stat::Bound bound = simulated->forked > 0 ? stat::Bound::kAtMost : stat::Bound::kExact;
    std::string note = bound == stat::Bound::kExact ? "" : strf("%zu forked processes include what their parent had counted before", simulated->forked);
    runs.push_back(stat::simulated_figures(simulated->totals, bound, note));
    if (i == 0 && simulated->processes > 1) {
      report.notes.push_back(strf("sum of %zu processes, each from its last exec", simulated->processes));
    }
    if (run.interrupted) {
      report.notes.push_back("interrupted");
      break;
    }
    if (code != 0 && !request.ignore_failure && i + 1 < request.runs) {
      report.notes.push_back("stopped: " + failed_words(i + 1, request.runs, code));
      break;
    }
  }
  report.runs = runs.size();
  report.rows = stat::combine(runs);
  stat::add_meanings(report.rows, request.record_target, false);
  return report;
}

Result<Compared> measure_both(const StatRequest& request, const Machine& machine, StopSignals& signals) {
  Counting counting;
  WICK_OK(prepare(counting, request, machine));
  TaskSums* sums = counting.sums ? &*counting.sums : nullptr;
  Compared out;
  std::vector<stat::Figures> runs[2];
  std::vector<stat::Runner> runners;
  for (size_t which : {0, 1}) {
    for (const std::string& word : request.compared[which].command) {
      std::string& line = out.report.commands[which];
      line += (line.empty() ? "" : " ") + shell_quote(word);
    }
    runners.emplace_back(request.compared[which], request.options, counting.plan, counting.port, signals, sums);
  }
  bool goes_on = true;
  for (const std::vector<size_t>& block : stat::shuffle_blocks(request.runs, 2, kBlockSeed)) {
    for (size_t which : block) {
      WICK_LET(stat::Run run, runners[which].run(nullptr));
      int code = run.status ? code_to_pass_on(*run.status, run.ended_by_us) : 0;
      if (out.exit_code == 0) { out.exit_code = code; }
      bool failed = code != 0 && !request.ignore_failure;
      goes_on = goes_on && !failed && !run.interrupted;
      if (run.interrupted) { out.report.notes.push_back("interrupted: with the pairs of runs so far"); }
      if (failed && !run.interrupted) {
        out.report.notes.push_back(
            strf("stopped: %s ended with exit code %d; --ignore-failure continues", which == 0 ? "A" : "B", code));
      }
      if (!goes_on) { break; }
      runs[which].push_back(std::move(run.figures));
    }
    if (!goes_on) { break; }
  }
  size_t pairs = std::min(runs[0].size(), runs[1].size());
  for (auto& list : runs) { list.resize(pairs); }
  out.report.pairs = pairs;
  out.report.rows = stat::compare_runs(runs[0], runs[1]);
  return out;
}

}  // namespace wick
