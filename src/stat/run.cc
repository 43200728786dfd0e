// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Three sources, by what the user may do. Counters of the kernel include all children and end exactly with the command. Where
// they are refused, or do not see the kernel's part, the resource usage of the command has faults and switches, but only of
// children that were waited for. /proc has the time that threads wait for a CPU; a BPF program adds up that of ended threads,
// else wick looks every few milliseconds and says what it has read.

#include "stat/run.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "base/clock.h"
#include "base/text.h"
#include "os/proc_tasks.h"
#include "os/process_state.h"
#include "record/launch.h"
#include "record/perf_targets.h"

namespace wick::stat {
namespace {

constexpr uint64_t kAwaitFreeNs = 100'000'000, kAwaitChildNs = 1'000'000'000;
constexpr double kBlockBytes = 512;  // of ru_inblock

uint64_t ns_of(const timeval& t) {
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(t.tv_usec) * 1000;
}

rusage children_usage() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  return usage;
}

timeval operator-(const timeval& a, const timeval& b) {
  timeval out{};
  timersub(&a, &b, &out);
  return out;
}

rusage operator-(rusage a, const rusage& b) {
  a.ru_utime = a.ru_utime - b.ru_utime;
  a.ru_stime = a.ru_stime - b.ru_stime;
  a.ru_minflt -= b.ru_minflt;
  a.ru_majflt -= b.ru_majflt;
  a.ru_nvcsw -= b.ru_nvcsw;
  a.ru_nivcsw -= b.ru_nivcsw;
  a.ru_inblock -= b.ru_inblock;
  a.ru_oublock -= b.ru_oublock;
  a.ru_maxrss = 0;  // of whichever child was the largest ever
  return a;
}

void put(Figures& figures, const char* name, Unit unit, double value, Bound bound = Bound::kExact, std::string note = "") {
  if (find_figure(figures, name) != nullptr) { return; }
  figures.push_back({name, "", unit, Scope::kTarget, std::max(value, 0.0), 1, bound, std::move(note)});
}

// While it lives: standard output of this process, and so of a command that is started, goes nowhere.
class DiscardedOutput {
 public:
  explicit DiscardedOutput(bool discard) {
    if (!discard) { return; }
    Fd nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    saved_.reset(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
    if (saved_ && nowhere) { ::dup2(nowhere.get(), STDOUT_FILENO); }
  }
  DiscardedOutput(const DiscardedOutput&) = delete;
  DiscardedOutput& operator=(const DiscardedOutput&) = delete;
  ~DiscardedOutput() {
    if (saved_) { ::dup2(saved_.get(), STDOUT_FILENO); }
  }

 private:
  Fd saved_;
};

struct BlockUse {
  std::optional<uint64_t> read, written;
};
BlockUse load_block_use(const std::vector<pid_t>& pids) {
  BlockUse sum{0, 0};
  for (pid_t pid : pids) {
    Result<std::string> text = read_file(strf("/proc/%d/io", pid), 4096);
    if (!text.ok()) { return {}; }
    sum.read = *sum.read + parse_status_number(*text, "read_bytes").value_or(0);
    sum.written = *sum.written + parse_status_number(*text, "write_bytes").value_or(0);
  }
  return sum;
}

// "0,4": the CPUs of the core that this one belongs to.
std::string core_of(int cpu) {
  std::string path = strf("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
  std::string list(trim(read_file(path, 4096).value_or("")));
  return list.empty() ? strf("%d", cpu) : list;
}

}  // namespace

struct Runner::State {
  std::optional<CounterSet> counters;
  TaskWatch watch;
  TaskSums::Ended sums_before;
  bool looks = false;  // again and again, while the target runs
  pid_t pid = 0;       // of the command
  std::vector<Fd> ends;
  const std::function<void(const Interval&)>& on_interval;
  uint64_t began_ns = 0, interval_began_ns = 0, ended_ns = 0;
  std::vector<GroupTotal> counted;  // by the end of the last interval
  uint64_t run_ns = 0;
  Run out{};
};

std::vector<Place> Runner::places_of(const std::vector<pid_t>& tids) const {
  std::vector<Place> places;
  for (pid_t tid : tids) {
    if (!options_.per_core) { places.push_back({tid, -1}); }
    for (int cpu : options_.per_core ? target_.cpus : std::vector<int>{}) { places.push_back({tid, cpu}); }
  }
  return places;
}

Result<Run> Runner::run(const std::function<void(const Interval&)>& on_interval, int only) {
  return target_.command.empty() ? run_attached(on_interval, only) : run_command(on_interval, only);
}

// Until the target has ended, the time is over or the user stops it.
void Runner::wait(State& state) {
  uint64_t deadline = options_.duration_ns == 0 ? UINT64_MAX : state.began_ns + options_.duration_ns;
  uint64_t next_look = state.looks ? state.began_ns : UINT64_MAX;
  uint64_t next_interval = options_.interval_ns == 0 ? UINT64_MAX : state.began_ns + options_.interval_ns;
  for (;;) {
    uint64_t now = now_ns();
    if (now >= next_look) {
      state.watch.look();
      now = now_ns();
      next_look = now + state.watch.pause_ns();
    }
    if (now >= next_interval && now < deadline) {
      state.ended_ns = now;
      end_interval(state);
      next_interval += (now - next_interval) / options_.interval_ns * options_.interval_ns + options_.interval_ns;
    }
    uint64_t next = std::min({deadline, next_look, next_interval});
    std::vector<pollfd> fds{{signals_.fd(), POLLIN, 0}};
    for (const Fd& end : state.ends) { fds.push_back({end.get(), POLLIN, 0}); }
    bool system = target_.system_wide;
    if (!system && state.ends.empty()) { break; }
    uint64_t rest = next == UINT64_MAX ? 0 : next - std::min(next, now);
    timespec timeout{static_cast<time_t>(rest / 1'000'000'000), static_cast<long>(rest % 1'000'000'000)};
    ::ppoll(fds.data(), fds.size(), next == UINT64_MAX ? nullptr : &timeout, nullptr);
    state.ended_ns = now_ns();
    for (size_t i = fds.size(); i-- > 1;) {
      if (fds[i].revents != 0) { state.ends.erase(state.ends.begin() + static_cast<std::ptrdiff_t>(i) - 1); }
    }
    if (!system && state.ends.empty()) { break; }
    if (std::optional<StopSignal> signal = signals_.next()) {
      if (state.pid > 0) { pass_on(*signal, state.pid); }
      state.out.interrupted = true;
      break;
    }
    if (state.ended_ns >= deadline) { break; }
  }
}

void Runner::end_interval(State& state, std::optional<uint64_t> all_run_ns) {
  Interval interval{state.interval_began_ns - state.began_ns, state.ended_ns - state.began_ns, {}};
  double length = static_cast<double>(state.ended_ns - state.interval_began_ns);
  interval.figures.push_back({"elapsed", "", Unit::kNanoseconds, Scope::kTarget, length});
  if (state.counters) {
    std::vector<GroupTotal> counted = state.counters->read();
    for (Figure& f : count_figures(subtract(counted, state.counted), target_.system_wide)) { interval.figures.push_back(std::move(f)); }
    state.counted = std::move(counted);
  } else if (!target_.system_wide) {
    if (!all_run_ns) { state.watch.look(); }
    uint64_t run_ns = std::max(all_run_ns.value_or(state.watch.total().run_ns), state.run_ns);
    put(interval.figures, "task-clock", Unit::kNanoseconds, static_cast<double>(run_ns - state.run_ns));
    state.run_ns = run_ns;
  }
  add_cpu_use(interval.figures);
  state.interval_began_ns = state.ended_ns;
  if (state.on_interval) { state.on_interval(interval); }
  state.out.intervals.push_back(std::move(interval));
}

void Runner::add_counts(State& state) {
  if (!state.counters) { return; }
  for (Figure& figure : count_figures(state.counters->read(), target_.system_wide, &state.out.never_ran)) {
    state.out.figures.push_back(std::move(figure));
  }
}

// `before_ns`: what the command had waited before it was the command.
void Runner::add_wait(State& state, uint64_t before_ns) {
  double all_ns = 0;
  if (const Figure* clock = find_figure(state.out.figures, "task-clock")) { all_ns = clock->value; }
  TaskUse seen = state.watch.total();
  if (sums_ == nullptr) {
    double share = all_ns <= 0 ? 1 : std::min(static_cast<double>(seen.run_ns) / all_ns, 1.0);
    std::string note = strf("of the threads that wick saw in /proc, which used %.0f%% of the CPU time", 100 * share);
    put(state.out.figures, "run-queue-wait", Unit::kNanoseconds, static_cast<double>(seen.wait_ns), Bound::kAtLeast, note);
    return;
  }
  std::vector<WatchedTask> tasks = state.watch.tasks();
  uint64_t alive = 0, alive_wait_ns = 0, first_ns = before_ns;
  for (const WatchedTask& task : tasks) {
    bool lives = !task.has_ended && !has_ended(task.pid, task.tid);
    alive += lives;
    if (lives) {
      alive_wait_ns += task.use.wait_ns;
    } else if (state.pid == 0) {
      first_ns += task.first.wait_ns;
    }
  }
  TaskSums::Ended ended = sums_->read(), before = state.sums_before;
  for (uint64_t end = now_ns() + kAwaitFreeNs; ended.ending > 0 && now_ns() < end; ended = sums_->read()) { ::usleep(1000); }
  uint64_t ended_ns = ended.wait_ns - before.wait_ns;
  uint64_t wait_ns = ended_ns + alive_wait_ns - std::min(ended_ns + alive_wait_ns, first_ns);
  uint64_t living = ended.living - std::min(ended.living, before.living);  // without those left over from an earlier run
  uint64_t unread = living - std::min(living, alive);
  auto number = [](uint64_t n) { return static_cast<unsigned long long>(n); };
  std::string note = unread > 0         ? strf("without threads that still run: %llu", number(unread))
                     : ended.ending > 0 ? strf("without the last moments of %llu ended threads", number(ended.ending))
                                        : "";
  put(state.out.figures, "run-queue-wait", Unit::kNanoseconds, static_cast<double>(wait_ns),
      note.empty() ? Bound::kExact : Bound::kAtLeast, note);
}

void Runner::add_parts(State& state) {
  if (options_.per_core && state.counters) {
    std::map<std::string, std::vector<int>> cores;
    for (int cpu : target_.cpus) { cores[core_of(cpu)].push_back(cpu); }
    std::vector<std::pair<std::string, std::vector<int>>> sorted(cores.begin(), cores.end());
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    for (const auto& [core, of_core] : sorted) {
      auto is_of = [&cpus = of_core](const Place& p) { return std::find(cpus.begin(), cpus.end(), p.cpu) != cpus.end(); };
      std::vector<GroupTotal> totals = state.counters->read(is_of);
      std::map<std::string, double> ran;
      for (const GroupTotal& total : totals) { ran[total.group->core] = std::max(ran[total.group->core], total.running_ns); }
      // A task's counter of a CPU is enabled all the time, and runs while the task is there.
      for (GroupTotal& total : totals) { total.enabled_ns = target_.system_wide ? total.enabled_ns : ran[total.group->core]; }
      state.out.parts.push_back({"CPU " + core, count_figures(totals, true)});
    }
  }
  if (!options_.per_thread) { return; }
  TaskUse seen;
  for (const WatchedTask& task : state.watch.tasks()) {
    Part part{strf("%d %s", task.tid, task.name.c_str()), {}};
    bool is_counted = state.counters && target_.command.empty() && !options_.per_core;
    put(part.figures, "task-clock", Unit::kNanoseconds, static_cast<double>(task.use.run_ns));
    put(part.figures, "run-queue-wait", Unit::kNanoseconds, static_cast<double>(task.use.wait_ns));
    put(part.figures, "context-switches", Unit::kCount, static_cast<double>(task.use.voluntary + task.use.involuntary));
    put(part.figures, "page-faults", Unit::kCount, static_cast<double>(task.use.faults + task.use.major_faults));
    if (is_counted) {  // with the threads that it started meanwhile
      Figures counted = count_figures(state.counters->read([&](const Place& p) { return p.pid == task.tid; }), false);
      for (Figure& f : counted) { put(part.figures, f.name.c_str(), f.unit, f.value); }
    }
    state.out.parts.push_back(std::move(part));
    seen += task.use;
  }
  const Figure* clock = find_figure(state.out.figures, "task-clock");
  if (clock == nullptr) { return; }
  Part rest{"not read: ended threads", {}};
  put(rest.figures, "task-clock", Unit::kNanoseconds, clock->value - static_cast<double>(seen.run_ns));
  state.out.parts.push_back(std::move(rest));
}

Result<Run> Runner::run_command(const std::function<void(const Interval&)>& on_interval, int only) {
  DefaultSigchld sigchld;
  std::optional<DiscardedOutput> discarded(std::in_place, options_.discard_output);
  WICK_LET(Launch launch, Launch::prepare(target_.command, signals_.mask_before(), target_.directory));
  discarded.reset();
  RaisedFileLimit files;
  pid_t pid = launch.pid();
  State state{.counters = {},
              .watch = TaskWatch({pid}, {}, options_.per_thread),
              .sums_before = {},
              .pid = pid,
              .ends = {},
              .on_interval = on_interval,
              .counted = {}};
  if (!plan_.groups.empty()) {
    WICK_LET(CounterSet counters, CounterSet::open(plan_, places_of({pid}), port_, true, only));
    state.counters.emplace(std::move(counters));
  }
  if (sums_ != nullptr) {
    state.sums_before = sums_->read();
    WICK_OK(sums_->follow(pid));
  }
  state.looks = sums_ == nullptr || options_.per_thread;
  state.ends.push_back(open_pidfd(pid));
  // What the process did as a copy of wick is not the command's: until it waits for its release.
  for (uint64_t end = now_ns() + kAwaitChildNs; now_ns() < end; ::usleep(200)) {
    std::optional<TaskStat> child = load_process_stat(pid);
    if (!child || child->state == 'S') { break; }
  }
  TaskUse before = load_task_use(pid, pid);
  uint64_t peak_before = load_memory_peak_bytes(pid);
  state.watch.look();
  rusage usage_before = children_usage();
  MachineUse machine_before = load_machine_use();
  state.began_ns = state.interval_began_ns = now_ns();
  WICK_OK(launch.release());
  wait(state);
  bool has_ended = state.ends.empty();
  int status = 0;
  rusage usage{};
  if (has_ended) {
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT);
    state.watch.look();  // its first thread is a zombie that can still be read
    while (::wait4(pid, &status, 0, &usage) < 0 && errno == EINTR) {}
  } else {
    state.out.ended_by_us = !state.out.interrupted;
    if (state.looks) { state.watch.look(); }
    status = end_process(pid, state.out.interrupted);
    state.ended_ns = now_ns();
    usage = children_usage() - usage_before;
  }
  state.out.status = status;
  MachineUse machine_after = load_machine_use();
  Figures& figures = state.out.figures;
  put(figures, "elapsed", Unit::kNanoseconds, static_cast<double>(state.ended_ns - state.began_ns));
  add_counts(state);
  double user = static_cast<double>(ns_of(usage.ru_utime)), system = static_cast<double>(ns_of(usage.ru_stime));
  double before_exec = static_cast<double>(before.run_ns), most = user + system - before_exec;
  if (const Figure* clock = find_figure(figures, "task-clock")) { most = std::min(most, clock->value); }
  double own_share = std::clamp(most / std::max(user + system, 1.0), 0.0, 1.0);
  user *= own_share;
  system *= own_share;
  constexpr char kWaited[] = "of the command and the children that it waited for";
  double used = std::max(user + system, static_cast<double>(state.run_ns));
  put(figures, "task-clock", Unit::kNanoseconds, used, Bound::kExact, kWaited);
  put(figures, "user-time", Unit::kNanoseconds, user);
  put(figures, "system-time", Unit::kNanoseconds, system);
  add_cpu_use(figures);
  add_wait(state, before.wait_ns);
  double voluntary = static_cast<double>(usage.ru_nvcsw) - static_cast<double>(before.voluntary);
  double involuntary = static_cast<double>(usage.ru_nivcsw) - static_cast<double>(before.involuntary);
  put(figures, "context-switches", Unit::kCount, std::max(voluntary, 0.0) + std::max(involuntary, 0.0), Bound::kExact, kWaited);
  put(figures, "voluntary-switches", Unit::kCount, voluntary);
  put(figures, "involuntary-switches", Unit::kCount, involuntary);
  double major = static_cast<double>(usage.ru_majflt) - static_cast<double>(before.major_faults);
  double minor = static_cast<double>(usage.ru_minflt) - static_cast<double>(before.faults);
  put(figures, "page-faults", Unit::kCount, std::max(minor, 0.0) + std::max(major, 0.0), Bound::kExact, kWaited);
  put(figures, "major-faults", Unit::kCount, major, Bound::kExact, kWaited);
  // The kernel keeps the peak of the process across exec, and it began as a copy of wick.
  double peak = static_cast<double>(usage.ru_maxrss) * 1024;
  uint64_t seen_peak = state.watch.memory_peak_bytes();
  bool is_own = peak > 1.02 * static_cast<double>(peak_before);
  if (!has_ended) {
    if (seen_peak > peak_before) { put(figures, "memory-peak", Unit::kBytes, static_cast<double>(seen_peak), Bound::kAtLeast); }
  } else {
    put(figures, "memory-peak", Unit::kBytes, peak, is_own ? Bound::kExact : Bound::kAtMost, is_own ? "of the largest process" : "");
  }
  put(figures, "block-read", Unit::kBytes, kBlockBytes * static_cast<double>(usage.ru_inblock));
  put(figures, "block-written", Unit::kBytes, kBlockBytes * static_cast<double>(usage.ru_oublock));
  add_machine_figures(figures, machine_before, machine_after);
  if (options_.interval_ns != 0) { end_interval(state, static_cast<uint64_t>(find_figure(figures, "task-clock")->value)); }
  add_parts(state);
  return std::move(state.out);
}

Result<Run> Runner::run_attached(const std::function<void(const Interval&)>& on_interval, int only) {
  RaisedFileLimit files;
  RecordOptions options;
  options.pids = target_.pids;
  options.tids = target_.tids;
  WICK_LET(std::vector<pid_t> tids, load_target_threads(options, true));
  bool details = options_.per_thread || (!target_.system_wide && !plan_.with_kernel) || plan_.groups.empty();
  State state{.counters = {},
              .watch = TaskWatch(target_.pids, target_.tids, details),
              .sums_before = {},
              .ends = {},
              .on_interval = on_interval,
              .counted = {}};
  std::vector<Place> places = places_of(tids);
  if (target_.system_wide) {
    for (int cpu : target_.cpus) { places.push_back({-1, cpu}); }
  }
  if (!plan_.groups.empty()) {
    WICK_LET(CounterSet counters, CounterSet::open(plan_, places, port_, false, only));
    state.counters.emplace(std::move(counters));
  }
  if (!target_.system_wide) {
    if (sums_ != nullptr) { state.sums_before = sums_->read(); }
    for (pid_t tid : sums_ != nullptr ? tids : std::vector<pid_t>{}) { WICK_OK(sums_->follow(tid)); }
    state.looks = sums_ == nullptr || details;
    state.watch.look();
    for (pid_t pid : target_.pids) { state.ends.push_back(open_pidfd(pid)); }
    for (pid_t tid : target_.tids) { state.ends.push_back(open_pidfd(load_process_of_thread(tid).value_or(tid))); }
    std::erase_if(state.ends, [](const Fd& end) { return !end; });
  }
  BlockUse blocks_before = load_block_use(target_.pids);
  MachineUse machine_before = load_machine_use();
  state.began_ns = state.interval_began_ns = now_ns();
  if (state.counters) { state.counters->enable(); }
  wait(state);
  if (state.counters) { state.counters->disable(); }
  state.ended_ns = now_ns();
  MachineUse machine_after = load_machine_use();
  BlockUse blocks_after = load_block_use(target_.pids);
  Figures& figures = state.out.figures;
  put(figures, "elapsed", Unit::kNanoseconds, static_cast<double>(state.ended_ns - state.began_ns));
  add_counts(state);
  if (target_.system_wide) {
    std::erase_if(figures, [](const Figure& f) { return f.name == "task-clock"; });  // of a CPU, it is the elapsed time
    double busy = static_cast<double>(machine_after.busy_ns - std::min(machine_before.busy_ns, machine_after.busy_ns));
    bool is_all = target_.pids.empty() && target_.cpus.size() == static_cast<size_t>(::sysconf(_SC_NPROCESSORS_ONLN));
    if (is_all) { figures.push_back({"cpu-busy", "", Unit::kNanoseconds, Scope::kMachine, busy}); }
  } else {
    state.watch.look();
    TaskUse seen = state.watch.total();
    constexpr char kSeen[] = "of the threads that wick saw in /proc";
    put(figures, "task-clock", Unit::kNanoseconds, static_cast<double>(seen.run_ns), Bound::kAtLeast, kSeen);
    add_wait(state, 0);
    if (details) {
      double switches = static_cast<double>(seen.voluntary + seen.involuntary);
      put(figures, "context-switches", Unit::kCount, switches, Bound::kAtLeast, kSeen);
      put(figures, "page-faults", Unit::kCount, static_cast<double>(seen.faults + seen.major_faults), Bound::kAtLeast, kSeen);
      put(figures, "major-faults", Unit::kCount, static_cast<double>(seen.major_faults), Bound::kAtLeast, kSeen);
    }
    if (uint64_t peak = state.watch.memory_peak_bytes(); peak > 0) {
      put(figures, "memory-peak", Unit::kBytes, static_cast<double>(peak), Bound::kAtLeast, "of the largest process since its start");
    }
    if (blocks_before.read && blocks_after.read) {
      put(figures, "block-read", Unit::kBytes, static_cast<double>(*blocks_after.read) - static_cast<double>(*blocks_before.read));
      put(figures, "block-written", Unit::kBytes,
          static_cast<double>(*blocks_after.written) - static_cast<double>(*blocks_before.written));
    }
  }
  add_cpu_use(figures);
  add_machine_figures(figures, machine_before, machine_after);
  if (options_.interval_ns != 0) {
    const Figure* clock = find_figure(figures, "task-clock");
    end_interval(state, clock == nullptr ? 0 : static_cast<uint64_t>(clock->value));
  }
  add_parts(state);
  return std::move(state.out);
}

}  // namespace wick::stat
