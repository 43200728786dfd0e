// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/perf_engine.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "base/byte_reader.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/text.h"
#include "os/proc_tasks.h"
#include "record/perf_targets.h"
#include "record/ptrace_call.h"

namespace wick {
namespace {

// An idle target is drained less often.
constexpr uint64_t kHurriedDrainNs = 1'000'000;
constexpr uint64_t kFirstSamples = 200, kBeginNs = 200'000'000;
constexpr uint64_t kShortestDrainNs = 10'000'000, kLongestDrainNs = 100'000'000;
constexpr size_t kSidePages = 32, kMostSidePages = 256, kLeastPages = 2;
constexpr uint64_t kBurstHz = 20'000;
constexpr uint64_t kSpreadAfterNs = 20'000'000;  // short programs are spared the work

// Per sample besides the copied stack: registers, the kernel's chain, the rest of the record.
constexpr uint64_t kSampleOverheadBytes = 512;

// Bytes of rings per CPU; a user's limit applies to all their processes together.
uint64_t ring_share(const Machine& machine, size_t cpu_count) {
  uint64_t budget = machine.ring_budget_bytes();
  return budget == UINT64_MAX ? budget : budget / std::max<size_t>(machine.online_cpus.size(), cpu_count);
}

// At most a quarter of it for side records. A program can map files every microsecond: if there is room, the ring holds a few
// thousand records.
size_t side_ring_pages(const Machine& machine, size_t cpu_count) {
  uint64_t pages = ring_share(machine, cpu_count) / page_size();
  uint64_t wanted = std::clamp<uint64_t>(pages / 16, kSidePages, kMostSidePages);
  return std::max<size_t>(1, std::bit_floor(static_cast<size_t>(std::min(wanted, pages / 4))));
}

// Events not sampled by rate come in bursts. Occurrences such as page faults are sampled the less often, the longer the period;
// clocks and hardware counters have long periods anyway.
uint64_t expected_rate_hz(const RecordOptions& options) {
  uint64_t rate_hz = options.rate_hz;
  for (const EventSpec& e : options.events) {
    if (e.period == 0) { continue; }
    bool occurs = (e.type == PERF_TYPE_SOFTWARE && !e.is_clock) || e.type == PERF_TYPE_TRACEPOINT;
    rate_hz = std::max(rate_hz, occurs ? kBurstHz / e.period : kBurstHz);
  }
  return rate_hz;
}

// A ring for about 250 ms of samples, within the user's limit and a reasonable total for all CPUs.
size_t sample_ring_pages(const Machine& machine, uint64_t rate_hz, uint64_t stack_size, size_t cpu_count) {
  constexpr uint64_t kLeast = 512 << 10, kMost = 4 << 20, kMostOfAll = 256 << 20;
  uint64_t most = std::clamp<uint64_t>(kMostOfAll / std::max<size_t>(cpu_count, 1), kLeast, kMost);
  uint64_t wanted = std::clamp<uint64_t>(rate_hz * (stack_size + kSampleOverheadBytes) / 4, kLeast, most);
  uint64_t share = ring_share(machine, cpu_count);
  if (share != UINT64_MAX) {
    uint64_t others = (2 * side_ring_pages(machine, cpu_count) + 3) * page_size();  // side records, switches, control pages
    wanted = std::min(wanted, share > others ? share - others : 0);
  }
  return std::max<size_t>(kLeastPages, std::bit_floor(static_cast<size_t>(wanted / page_size())));
}

// The more of a stack is copied, the fewer threads must be stopped to read theirs; but a ring must hold 50 ms of samples, or a
// busy machine loses some.
uint32_t choose_stack_size(const Machine& machine, uint64_t rate_hz, size_t cpu_count) {
  uint64_t ring = sample_ring_pages(machine, rate_hz, kLargestDefaultStack, cpu_count) * page_size();
  uint64_t per_sample = ring * 20 / rate_hz;
  return static_cast<uint32_t>(std::clamp<uint64_t>(std::bit_floor(per_sample), kSmallestDefaultStack, kLargestDefaultStack));
}

uint64_t load_system_time(pid_t pid) {
  std::optional<TaskStat> stat = load_process_stat(pid);
  return stat ? stat->system_ns : 0;
}

std::optional<TaskEnd> parse_task_end(std::span<const uint8_t> record) {
  ByteReader r(record);
  if (r.u32() != PERF_RECORD_SAMPLE) { return std::nullopt; }
  r.skip(4 + 8);  // the rest of the header, the event ID
  TaskEnd end;
  end.time_ns = r.u64();
  r.skip(4);  // size
  end.tid = r.u32();
  end.pid = r.u32();
  end.run_ns = r.u64();
  if (!r.ok()) { return std::nullopt; }
  return end;
}

uint64_t nanoseconds(const timeval& time) {
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_usec) * 1000;
}

bool process_lives(pid_t pid) {
  std::optional<TaskStat> stat = load_task_stat(pid, pid);
  return stat && stat->state != 'Z' && stat->state != 'X';
}

// The clocks of the CPUs run since they were enabled. A program that always began with them and ended before the first period
// would never be sampled, however often it is run.
void wait_for_a_random_phase(uint64_t rate_hz) {
  constexpr uint64_t kSecond = 1'000'000'000, kLongestNs = 20'000'000;
  uint64_t period_ns = std::min(kSecond / std::max<uint64_t>(rate_hz, 1), kLongestNs);
  auto ns = static_cast<long>(random_seed() % (period_ns + 1));
  timespec rest{0, ns};
  ::clock_nanosleep(CLOCK_MONOTONIC, 0, &rest, nullptr);
}

}  // namespace

PerfEngine::PerfEngine(RecordOptions options, Machine machine) : options_(std::move(options)), machine_(std::move(machine)) {
  plan_.with_kernel = machine_.allows_kernel();
  cpus_ = options_.cpus;
  if (cpus_.empty()) { cpus_.assign(machine_.online_cpus.begin(), machine_.online_cpus.end()); }
  plan_.stack_size =
      options_.stack_size != 0 ? options_.stack_size : choose_stack_size(machine_, expected_rate_hz(options_), cpus_.size());
  drain_interval_ns_ = kHurriedDrainNs;
  if (options_.waits) {
    auto blocked = static_cast<uint32_t>(options_.events.size()) + 1;  // after "ready", which has no samples
    waits_.emplace(WaitWatch::Options{1'000'000'000 / std::max<uint64_t>(options_.rate_hz, 1), blocked});
  }
}

PerfEngine::~PerfEngine() = default;

Status PerfEngine::start(const sigset_t& child_signal_mask) {
  // With -C too, side records are followed on all CPUs: a process may map files and start programs on any of them.
  for (uint32_t cpu : machine_.online_cpus) {
    rings_.emplace_back();
    rings_.back().cpu = static_cast<int>(cpu);
    rings_.back().sampled = std::find(cpus_.begin(), cpus_.end(), static_cast<int>(cpu)) != cpus_.end();
  }
  if (!options_.command.empty()) {
    WICK_LET(Launch launch, Launch::prepare(options_.command, child_signal_mask, options_.directory));
    launch_ = std::make_unique<Launch>(std::move(launch));
    // After the fork: the command keeps wick's original settings.
    file_limit_.emplace();
    sigchld_.emplace();
    launched_pid_ = launch_->pid();
    plan_filter();
    WICK_OK(open_target(launched_pid_, 0));
    if (filter_) {
      WICK_OK(open_filtered());
      WICK_OK(filter_->follow(launched_pid_));
      enable();
      wait_for_a_random_phase(expected_rate_hz(options_));
    }
    launched_fd_ = open_pidfd(launched_pid_);
    scheduling_.emplace();
    // As late as possible: what the child has used to get ready is not the command's.
    if (counts_) { counts_->begin(static_cast<uint32_t>(launched_pid_), static_cast<uint32_t>(launched_pid_), 0); }
    before_exec_ns_ = load_group_time(launched_pid_);
    WICK_OK(launch_->release());
    started_ = {now_ns(), load_group_time(launched_pid_)};
    return ok_status();
  }
  file_limit_.emplace();
  scheduling_.emplace();
  if (options_.system_wide || (options_.pids.empty() && options_.tids.empty() && options_.cgroup.empty())) {
    WICK_OK(open_target(-1, 0));
    enable_side();
    pending_side_ = describe_processes(load_process_ids(), now_ns());
  } else if (!options_.cgroup.empty() && machine_.allows_system_wide()) {
    WICK_LET(std::string folder, find_cgroup_folder(options_.cgroup));
    WICK_LET(Fd group, open_read(folder));
    WICK_OK(open_target(group.get(), PERF_FLAG_PID_CGROUP));
    enable_side();
    pending_side_ = describe_processes(load_process_ids(), now_ns());
  } else {
    WICK_OK(attach_running());
  }
  if (!options_.start_enabled) { begin_counts(); }
  enable_due_ = options_.start_enabled;
  return ok_status();
}

// Threads may be created while wick attaches. A thread created by an attached thread has inherited its events; any other is found
// by looking again. A thread found both ways produces each sample twice; the event IDs identify duplicates later.
Status PerfEngine::attach_running() {
  if (!options_.cgroup.empty()) {
    WICK_LET(std::string folder, find_cgroup_folder(options_.cgroup));
    WICK_LET(std::vector<pid_t> members, load_cgroup_processes(folder));
    if (members.empty()) { return Error("cgroup %s has no processes", options_.cgroup.c_str()).with_code(Errc::kNotFound); }
    options_.pids = members;
  }
  for (pid_t pid : options_.pids) {
    Fd fd = open_pidfd(pid);
    if (fd) { attached_fds_.push_back(std::move(fd)); }
  }
  watches_processes_ = !attached_fds_.empty();
  plan_filter();
  std::vector<pid_t> known;
  for (;;) {
    // Targets named by the user must exist; the members of a cgroup come and go.
    bool must_live = known.empty() && options_.cgroup.empty();
    WICK_LET(std::vector<pid_t> found, load_target_threads(options_, must_live));
    std::vector<pid_t> fresh;
    std::set_difference(found.begin(), found.end(), known.begin(), known.end(), std::back_inserter(fresh));
    if (fresh.empty()) { break; }
    for (pid_t tid : fresh) {
      Status opened = open_target(tid, 0);
      bool gone = !opened.ok() && opened.error().code() == Errc::kNotFound;
      if (!opened.ok() && !(gone && (known.size() + fresh.size() > 1))) { return opened; }
      if (filter_ && opened.ok()) {
        WICK_OK(filter_->follow(tid));
        if (!load_process_of_thread(tid)) { filter_->forget(tid); }  // it had ended before: its TID may be reused
      }
    }
    known.insert(known.end(), fresh.begin(), fresh.end());
    std::sort(known.begin(), known.end());
    if (!options_.tids.empty() && options_.pids.empty()) { break; }
  }
  bool any_left = std::all_of(rings_.begin(), rings_.end(), [&](const CpuRings& rings) {
    return rings.side != nullptr && (rings.samples != nullptr || !rings.sampled || filter_);
  });
  if (!any_left) { return Error("nothing to record: every target ended while wick attached to it").with_code(Errc::kNotFound); }
  attached_several_ = known.size() > 1 && !filter_;
  if (filter_) { WICK_OK(open_filtered()); }
  enable_side();
  std::vector<pid_t> pids = options_.pids;
  for (pid_t tid : options_.tids) {
    if (std::optional<pid_t> pid = load_process_of_thread(tid)) { pids.push_back(*pid); }
  }
  std::sort(pids.begin(), pids.end());
  pids.erase(std::unique(pids.begin(), pids.end()), pids.end());
  pending_side_ = describe_processes(pids, now_ns());
  attached_tids_ = std::move(known);
  return ok_status();
}

void PerfEngine::begin_counts() {
  if (!counts_) { return; }
  for (pid_t tid : attached_tids_) {
    auto pid = static_cast<uint32_t>(load_process_of_thread(tid).value_or(tid));
    counts_->begin(pid, static_cast<uint32_t>(tid), now_ns());
    clocks_.begin(static_cast<uint32_t>(tid));
  }
}

// Existing state is passed on before the first sample: with tens of thousands of mappings that takes longer than a ring of
// samples lasts.
void PerfEngine::enable_attached(RawSink& sink) {
  enable_due_ = false;
  RawBatch known;
  known.side = std::move(pending_side_);
  pending_side_.clear();
  if (!known.side.empty()) { sink.consume(known); }
  begin_counts();
  enable();
  if (!waits_) { return; }
  for (pid_t tid : attached_tids_) {
    auto pid = static_cast<uint32_t>(load_process_of_thread(tid).value_or(tid));
    waits_->begin(pid, static_cast<uint32_t>(tid), now_ns());
  }
}

Status PerfEngine::open_target(pid_t pid, unsigned long flags) {
  for (CpuRings& rings : rings_) { WICK_OK(open_on_cpu(rings, pid, flags)); }
  // Last, with the remaining memory: samples and mappings have priority.
  for (CpuRings& rings : rings_) {
    bool counts = counts_ && !filter_ && rings.sampled;
    Status opened = counts || waits_ ? open_switches(rings, pid) : ok_status();
    if (opened.ok() || opened.error().errnum() == ESRCH) { continue; }  // an ended task has nothing left to count
    if (waits_) { return opened; }
    notes_.push_back(
        "not counting the CPU time of short threads and processes: no locked memory left (kernel.perf_event_mlock_kb)");
    counts_.reset();
    switch_events_.clear();
    for (CpuRings& r : rings_) { r.switches.reset(); }
  }
  return ok_status();
}

Status PerfEngine::open_on_cpu(CpuRings& rings, pid_t pid, unsigned long flags) {
  bool whole_cpu = pid == -1 || flags != 0;
  pid_t named = flags != 0 ? -1 : pid;  // for a cgroup it is a descriptor
  perf_event_attr side = side_attr(options_, whole_cpu);
  Result<Fd> side_fd = open_perf_event(side, pid, rings.cpu, flags);
  if (!side_fd) { return explain_refusal(side_fd.error().errnum(), options_.events[0], options_, named, machine_); }
  if (rings.side == nullptr) {
    WICK_OK(map_ring(rings.side, side_fd->get(), true));
  } else if (::ioctl(side_fd->get(), PERF_EVENT_IOC_SET_OUTPUT, rings.side->fd()) != 0) {
    return Error::from_errno(errno, "cannot share a ring buffer");
  }
  side_.push_back({*std::move(side_fd), rings.sampled});
  bool is_sampled_here = rings.sampled && !filter_;
  return is_sampled_here ? open_sampling(rings, pid, flags) : ok_status();
}

Status PerfEngine::open_sampling(CpuRings& rings, pid_t pid, unsigned long flags) {
  pid_t named = flags != 0 ? -1 : pid;
  for (uint32_t i = 0; i < options_.events.size(); ++i) {
    const EventSpec& spec = options_.events[i];
    Result<Fd> fd = Error("not opened");
    perf_event_attr attr{};
    for (;;) {
      attr = sampling_attr(spec, options_, plan_);
      fd = open_perf_event(attr, pid, rings.cpu, flags);
      if (fd) { break; }
      int error = fd.error().errnum();
      if (error == EINVAL && plan_.with_lost_count) {  // before Linux 6.0
        plan_.with_lost_count = false;
      } else if ((error == EACCES || error == EPERM) && plan_.with_kernel && !spec.kernel_only && !spec.kernel_side) {
        plan_.with_kernel = false;
      } else {
        return explain_refusal(error, spec, options_, named, machine_);
      }
    }
    uint64_t id = 0;
    if (::ioctl(fd->get(), PERF_EVENT_IOC_ID, &id) != 0) { return Error::from_errno(errno, "cannot get an event's ID"); }
    sources_[id] = {i, pid, layout_of(attr)};
    if (rings.samples == nullptr) {
      WICK_OK(map_ring(rings.samples, fd->get(), false));
    } else if (::ioctl(fd->get(), PERF_EVENT_IOC_SET_OUTPUT, rings.samples->fd()) != 0) {
      return Error::from_errno(errno, "cannot share a ring buffer");
    }
    sampling_.push_back({*std::move(fd), i});
  }
  return ok_status();
}

Status PerfEngine::map_ring(std::unique_ptr<PerfRing>& ring, int fd, bool side) {
  size_t pages = side ? side_ring_pages(machine_, cpus_.size())
                      : sample_ring_pages(machine_, expected_rate_hz(options_), plan_.stack_size, cpus_.size());
  pages = std::min(pages, most_ring_pages_);
  Result<PerfRing> mapped = PerfRing::map(fd, pages, side ? 1 : kLeastPages);
  // Other processes of this user have used their part: the remainder must suffice for all further rings.
  if (mapped && mapped->pages() < pages) { most_ring_pages_ = std::max(kLeastPages, mapped->pages() / 4); }
  if (!mapped) {
    return std::move(mapped).error().with_hint(
        strf("sudo sysctl kernel.perf_event_mlock_kb=%lld   (the ring buffers of all your recordings share this; is another one "
             "running?)",
             static_cast<long long>(machine_.mlock_kb.value_or(516) * 2)));
  }
  ring = std::make_unique<PerfRing>(*std::move(mapped));
  return ok_status();
}

void PerfEngine::enable_side() {
  for (const SideCounter& side : side_) { ::ioctl(side.fd.get(), PERF_EVENT_IOC_ENABLE, 0); }
  for (const Fd& fd : switch_events_) { ::ioctl(fd.get(), PERF_EVENT_IOC_ENABLE, 0); }
}

void PerfEngine::enable() {
  // Measures the unrecorded time so far.
  for (pid_t pid : followed_processes()) { system_before_ns_[pid] = load_system_time(pid); }
  stolen_before_ns_ = load_stolen_time();
  if (!options_.start_enabled) { cpu_time_before_ns_ = load_cpu_time(); }
  for (const OpenEvent& event : sampling_) { ::ioctl(event.fd.get(), PERF_EVENT_IOC_ENABLE, 0); }
  plan_clocks(now_ns() + kSpreadAfterNs, false);
}

// Samples by rate fill a ring more slowly than the keeper looks at it, so this thread need not wait for them. Waiting would wake it
// whenever an inherited event ends (RingKeeper).
bool PerfEngine::fills_slowly() const {
  bool is_by_rate =
      std::all_of(options_.events.begin(), options_.events.end(), [](const EventSpec& event) { return event.period == 0; });
  return is_by_rate && keeper_->is_running();
}

void PerfEngine::wait_for_data(int wake_fd, uint64_t deadline_ns) {
  std::vector<pollfd> fds;
  fds.push_back({wake_fd, POLLIN, 0});
  if (launched_fd_ && !exit_status_) { fds.push_back({launched_fd_.get(), POLLIN, 0}); }
  for (const Fd& fd : attached_fds_) { fds.push_back({fd.get(), POLLIN, 0}); }
  if (deep_ && !deep_->empty()) { fds.push_back({deep_->fd(), POLLIN, 0}); }
  // The keeper waits for the other rings. It could not wait for these: an event that samples signals each sample, not each half
  // of a ring.
  size_t first_ring = fds.size();
  for (const CpuRings& rings : rings_) {
    bool waits = rings.sampled && !rings.hung_up && !fills_slowly();
    fds.push_back({waits ? rings.samples->fd() : -1, POLLIN, 0});
  }
  for (const CpuRings& rings : rings_) {
    if (rings.large) { fds.push_back({rings.large->fd(), POLLIN, 0}); }
  }
  uint64_t now = now_ns();
  uint64_t until = std::min(deadline_ns, std::max(last_drain_ns_ + drain_interval_ns_, now));
  if (deep_) { until = std::min(until, deep_->next_tick_ns()); }
  if (waits_) { until = std::min(until, std::max(waits_->next_look_ns(), now)); }
  if (!due_clocks_.empty()) { until = std::min(until, due_clocks_.back().start_ns); }
  timespec timeout{static_cast<time_t>((until - now) / 1'000'000'000), static_cast<long>((until - now) % 1'000'000'000)};
  if (until <= now) { timeout = {0, 0}; }
  ::ppoll(fds.data(), fds.size(), &timeout, nullptr);
  woke_ns_ = now_ns();
  for (size_t i = 0; i < rings_.size(); ++i) {  // its events ended: poll would return at once
    rings_[i].hung_up = rings_[i].hung_up || (fds[first_ring + i].revents & (POLLHUP | POLLERR)) != 0;
  }
}

bool PerfEngine::target_ended() {
  if (launched_pid_ > 0) {
    int status = 0;
    rusage used{};
    siginfo_t info{};  // a thread stopped for sampling must not be collected by wait4
    bool is_over = !exit_status_ &&
                   (::waitid(P_PID, static_cast<id_t>(launched_pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || is_end(info));
    bool is_counted = is_over && filter_ && counts_;
    if (is_counted) {
      last_run_ns_ = load_task_times(launched_pid_, launched_pid_).value_or(TaskTimes{}).run_ns;
      last_group_ns_ = load_group_time(launched_pid_);
    }
    pid_t done = is_over ? ::wait4(launched_pid_, &status, WNOHANG, &used) : 0;
    if (done == launched_pid_ || (done < 0 && errno == ECHILD)) {
      exit_status_ = status;
      ended_system_ns_ = nanoseconds(used.ru_stime);
      ended_all_ns_ = ended_system_ns_ + nanoseconds(used.ru_utime);
    }
    return exit_status_.has_value();
  }
  // The pidfd of an ended process stays readable: in the poll set, it would keep wick from sleeping.
  std::erase_if(attached_fds_, [](const Fd& fd) {
    pollfd one{fd.get(), POLLIN, 0};
    return ::poll(&one, 1, 0) > 0;
  });
  if (!attached_fds_.empty()) { return false; }
  if (!options_.tids.empty()) {
    return std::none_of(options_.tids.begin(), options_.tids.end(),
                        [](pid_t tid) { return load_process_of_thread(tid).has_value(); });
  }
  return watches_processes_;
}

Result<TargetState> PerfEngine::pump(RawSink& sink, int wake_fd, uint64_t deadline_ns) {
  if (!keeper_) {
    keep_rings();
    if (waits_) { ::prctl(PR_SET_TIMERSLACK, 1UL); }  // many waits are shorter than the usual 50 us
  }
  if (enable_due_) { enable_attached(sink); }
  wait_for_data(wake_fd, deadline_ns);
  if (deep_) { look_at_deep(sink); }  // first, since they are stopped
  start_due_clocks();
  bool ended = target_ended();  // before draining, so that the target's last records are drained below
  bool only_looks = waits_ && !ended && now_ns() < std::min(last_drain_ns_ + drain_interval_ns_, deadline_ns);
  if (waits_) { look_at_waits(); }
  if (only_looks) { return TargetState::kRunning; }
  bool any = drain(sink);
  bool tick_due = deep_ && now_ns() >= deep_->next_tick_ns();
  if (tick_due) {
    deep_->tick(now_ns(), woke_ns_);
    look_at_deep(sink);  // threads on other CPUs have often stopped already
  }
  drain_interval_ns_ = any ? kShortestDrainNs : std::min(drain_interval_ns_ * 2, kLongestDrainNs);
  // Detects stacks that are deep from the start quickly.
  if (begin_ns_ == 0) { begin_ns_ = last_drain_ns_; }
  bool begins = samples_made_ < kFirstSamples && last_drain_ns_ - begin_ns_ < kBeginNs;
  if (begins || last_drain_ns_ < hurry_until_ns_) { drain_interval_ns_ = kHurriedDrainNs; }
  check_early_exits();
  return ended ? TargetState::kEnded : TargetState::kRunning;
}

void PerfEngine::keep_rings() {
  keeper_ = std::make_unique<RingKeeper>();
  for (const CpuRings& rings : rings_) {
    for (PerfRing* ring : {rings.samples.get(), rings.side.get(), rings.switches.get()}) {
      if (ring != nullptr) { keeper_->add(ring); }
    }
  }
  for (const SideCounter& side : side_) { keeper_->heed(side.fd.get()); }
  for (const std::vector<Fd>* events : {&switch_events_, &outputs_}) {
    for (const Fd& fd : *events) { keeper_->heed(fd.get()); }
  }
}

// First the contents of each sample ring, then the side rings to their end: a mapping that a sample hits was reported before the
// sample was taken, so it is read before the sample is used. Side records from after the samples wait for the next round.
bool PerfEngine::drain(RawSink& sink) {
  RawBatch batch;
  uint64_t upto_ns = now_ns();
  ended_tasks_.forget_until(last_drain_ns_);
  last_drain_ns_ = upto_ns;
  for (CpuRings& rings : rings_) {
    if (rings.sampled) { rings.samples->take(); }
    if (rings.large) { rings.large->take(); }
    if (rings.switches) { rings.switches->take(); }
  }
  for (CpuRings& rings : rings_) { read_side(rings); }
  for (CpuRings& rings : rings_) {
    if (rings.sampled) { read_samples(*rings.samples, batch); }
    if (rings.large) { read_samples(*rings.large, batch); }
    if (rings.switches) { read_switches(rings); }
  }

  if (rings_.size() > 1 && !batch.samples.empty()) {
    std::stable_sort(batch.samples.begin(), batch.samples.end(),
                     [](const RawSample& a, const RawSample& b) { return a.time_ns < b.time_ns; });
  }
  if (waits_) {
    watch_waits(upto_ns);
    if (ended_) { waits_->finish(upto_ns); }
    waits_->take(upto_ns, batch.samples, pending_side_);
    std::stable_sort(batch.samples.begin(), batch.samples.end(),
                     [](const RawSample& a, const RawSample& b) { return a.time_ns < b.time_ns; });
  }
  bool any_samples = !batch.samples.empty();
  if (any_samples) { upto_ns = std::max(upto_ns, batch.samples.back().time_ns); }
  if (deep_) {  // in the order of time
    replaced_ += std::erase_if(batch.samples, [&](const RawSample& s) { return s.event == 0 && deep_->replace(s); });
  }
  reread_maps(batch);
  std::stable_sort(pending_side_.begin(), pending_side_.end(),
                   [](const SideEvent& a, const SideEvent& b) { return time_of(a) < time_of(b); });
  auto later =
      std::partition_point(pending_side_.begin(), pending_side_.end(), [&](const SideEvent& e) { return time_of(e) <= upto_ns; });
  batch.side.assign(std::make_move_iterator(pending_side_.begin()), std::make_move_iterator(later));
  pending_side_.erase(pending_side_.begin(), later);
  if (counts_) { count_tasks(batch.side, upto_ns); }
  bool has_task_clocks = !filter_ && options_.inherit && (launched_pid_ > 0 || !attached_tids_.empty());
  if (has_task_clocks) { keep_clocks(batch.side); }

  if (deep_) { take_unexamined(sink); }  // before an exec in this batch
  bool any = !batch.samples.empty() || !batch.side.empty();
  if (any) { sink.consume(batch); }
  notice_deep(batch);
  if (waits_) {
    for (const RawSample& sample : batch.samples) {
      if (sample.wait != nullptr) { waits_->on_unwound(sample); }
    }
  }
  for (CpuRings& rings : rings_) {
    if (rings.sampled) { rings.samples->release(); }
    if (rings.large) { rings.large->release(); }
  }
  return any || any_samples;
}

void PerfEngine::read_side(CpuRings& rings) {
  uint64_t trailer = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER;
  rings.side->take();
  for (std::span<const uint8_t> record = rings.side->next(); !record.empty(); record = rings.side->next()) {
    if (std::optional<SideEvent> event = parse_perf_side(record, trailer)) {
      notice_side(*event);
      if (const ExitEvent* exit = std::get_if<ExitEvent>(&*event)) {
        ended_tasks_.on_exit(static_cast<uint32_t>(rings.cpu), *exit);
      }
      pending_side_.push_back(*std::move(event));
    } else if (std::optional<PerfLost> lost = parse_perf_lost(record)) {
      side_lost_ += lost->count;
    } else if (std::optional<TaskEnd> end = parse_task_end(record); end && counts_) {
      ends_.push_back(*end);
    }
  }
  rings.side->release();
}

void PerfEngine::notice_side(const SideEvent& event) {
  if (const ExitEvent* exit = std::get_if<ExitEvent>(&event)) {
    notice_exit(*exit);
    large_.erase(exit->tid);
  } else if (const ForkEvent* fork = std::get_if<ForkEvent>(&event)) {
    if (attached_several_) { roots_.begin(fork->tid, fork->time_ns); }
  } else if (const CommEvent* comm = std::get_if<CommEvent>(&event)) {
    bool begins = comm->exec && exec_ns_ == 0 && comm->pid == static_cast<uint32_t>(launched_pid_);
    if (begins) { begin_command(comm->time_ns); }
    if (comm->exec && deep_) { deep_->on_exec(comm->pid, comm->time_ns); }
  }
}

// What the child has used until its exec, at least: after that moment it can have used no more than the time that passed. Samples
// from before are not the command's, so this time is not either.
void PerfEngine::begin_command(uint64_t exec_ns) {
  exec_ns_ = exec_ns;
  uint64_t since_ns = started_.time_ns - std::min(started_.time_ns, exec_ns);
  before_exec_ns_ = std::max(before_exec_ns_, started_.run_ns - std::min(started_.run_ns, since_ns));
  if (counts_ && filter_) { counts_->begin_command(static_cast<uint32_t>(launched_pid_), before_exec_ns_); }
}

void PerfEngine::read_samples(PerfRing& ring, RawBatch& batch) {
  for (std::span<const uint8_t> record = ring.next(); !record.empty(); record = ring.next()) {
    perf_event_header header;
    std::memcpy(&header, record.data(), sizeof header);
    if (header.type == PERF_RECORD_SAMPLE) {
      auto source = sources_.find(ByteReader(record, sizeof header).u64());  // PERF_SAMPLE_IDENTIFIER comes first
      std::optional<PerfSample> sample;
      if (source != sources_.end()) { sample = parse_perf_sample(record, source->second.layout); }
      if (!sample) {
        ++malformed_;
        continue;
      }
      if (!ended_tasks_.name(sample->raw)) {
        ++unknown_thread_;
        continue;
      }
      bool twice = attached_several_ && !roots_.covers(source->second.root, sample->raw.tid, sample->raw.time_ns);
      if (twice) {
        ++duplicates_;
        continue;
      }
      if (source->second.weight != 0) {
        uint64_t time = sample->raw.time_ns, late = source->second.ticks.late_ns(time);
        uint64_t last = std::exchange(last_tick_ns_[&ring], time);
        if (is_held_up(late, time - std::min(time, last))) {
          ++held_up_;
          continue;
        }
      }
      ++samples_made_;
      sample->raw.event = source->second.event;
      uint64_t fixed = options_.events[source->second.event].period;
      uint64_t given = source->second.weight != 0 ? source->second.weight : sample->period;
      sample->raw.weight = fixed > 1 ? fixed : given;
      bool is_before = filter_ && launched_pid_ > 0 && (exec_ns_ == 0 || sample->raw.time_ns < exec_ns_);
      if (is_before) {  // wick itself, before exec
        --samples_made_;
        continue;
      }
      batch.samples.push_back(sample->raw);
      continue;
    }
    if (std::optional<PerfLost> lost = parse_perf_lost(record)) {
      lost_records_ += lost->count;
    } else if (header.type == PERF_RECORD_THROTTLE) {
      ++throttles_;
    }
  }
}

// A set-uid exec ends the events of a process, which the kernel reports like an exit. Whether the process still runs is checked a
// little later.
void PerfEngine::notice_exit(const ExitEvent& exit) {
  if (exit.pid == exit.tid) { early_exits_.push_back({exit.time_ns, exit.pid}); }
}

void PerfEngine::check_early_exits() {
  uint64_t now = now_ns();
  auto settled = [&](const std::pair<uint64_t, uint32_t>& exit) {
    if (now < exit.first + 200'000'000) { return false; }
    pid_t pid = static_cast<pid_t>(exit.second);
    if (process_lives(pid) && notes_.empty()) {
      notes_.push_back(load_task_name(pid, pid) + " runs with raised privileges (set-uid): the kernel stops recording it");
    }
    return true;
  };
  early_exits_.erase(std::remove_if(early_exits_.begin(), early_exits_.end(), settled), early_exits_.end());
}

void PerfEngine::suspend() {
  if (deep_) { deep_->release_all(); }
}

void PerfEngine::stop(RawSink& sink) {
  ended_ = true;
  if (deep_) {
    deep_->release_all();
    take_unexamined(sink);
  }
  for (const OpenEvent& event : sampling_) { ::ioctl(event.fd.get(), PERF_EVENT_IOC_DISABLE, 0); }
  target_ended();
  drain(sink);
  report_counts(sink);
  pending_side_.clear();
  keeper_.reset();
  scheduling_.reset();
  if (plan_.with_lost_count) {
    lost_samples_ = 0;
    for (const OpenEvent& event : sampling_) {
      uint64_t values[2] = {0, 0};  // the count, and the lost samples
      if (::read(event.fd.get(), values, sizeof values) == sizeof values) { *lost_samples_ += values[1]; }
    }
  }
  measure();
  // A task's events end before its exit in the kernel does. The resource usage from wait4() includes that time.
  bool is_all_waited_for = !plan_.with_kernel && options_.start_enabled && options_.inherit && ended_all_ns_ > before_exec_ns_;
  if (is_all_waited_for) {
    used_ns_ = ended_all_ns_ - before_exec_ns_;
    cpu_time_ns_ = std::max(cpu_time_ns_, used_ns_);
  }
}

void PerfEngine::measure() {
  uint64_t cpu_time_ns = load_cpu_time();
  cpu_time_ns_ = cpu_time_ns - std::min(cpu_time_ns, cpu_time_before_ns_);
  uint64_t stolen_ns = load_stolen_time();
  stolen_ns_ = stolen_ns - std::min(stolen_ns, stolen_before_ns_);
  count_system_time();
}

// CPU time of the targets on the sampled CPUs since their side events were enabled.
uint64_t PerfEngine::load_cpu_time() const {
  uint64_t sum_ns = 0;
  for (const SideCounter& side : side_) {
    uint64_t value = 0;
    if (side.sampled && ::read(side.fd.get(), &value, sizeof value) == sizeof value) { sum_ns += value; }
  }
  return sum_ns;
}

std::vector<pid_t> PerfEngine::followed_processes() const {
  return launched_pid_ > 0 ? std::vector<pid_t>{launched_pid_} : options_.pids;
}

// The system time accounted by the kernel: for a launched command including all children it waited for, for attached processes
// while they run. If the kernel cannot be sampled and the event is not a clock, this is the only information about it.
void PerfEngine::count_system_time() {
  system_ns_ = 0;
  for (pid_t pid : followed_processes()) {
    uint64_t now = exit_status_ ? ended_system_ns_ : load_system_time(pid);
    system_ns_ += now - std::min(now, system_before_ns_[pid]);
  }
}

EngineInfo describe_perf_engine(const RecordOptions& options, const Machine& machine) {
  EngineInfo info;
  info.name = "perf";
  info.needs = "perf_event_open";
  info.samples_kernel = machine.allows_kernel();
  info.hides_kernel_time = !info.samples_kernel;
  info.max_stack_bytes = kLargestStackSize;
  info.max_chain = static_cast<uint32_t>(machine.max_stack.value_or(kMostPerfChain));
  info.chain_limit = "the kernel's limit (sudo sysctl kernel.perf_event_max_stack=1024)";
  bool launches = !options.command.empty();
  info.misses = std::string("threads and processes ended before their next sample (") +
                (machine.user == 0 ? "sampling them needs BPF: wick doctor" : "sudo wick record samples them") +
                (!launches           ? ")"
                 : machine.user == 0 ? "; or --engine ptrace)"
                                     : "; so does --engine ptrace)");
  return info;
}

EngineInfo PerfEngine::info() const {
  EngineInfo info = describe_perf_engine(options_, machine_);
  info.samples_kernel = plan_.with_kernel;
  info.hides_kernel_time = !plan_.with_kernel;
  info.stack_bytes = plan_.stack_size;
  if (filter_) {  // events of CPUs
    info.shares_clock = info.grows_copies = true;
    info.misses = "some threads and processes were too short for this rate (try -F 4999)";
    info.misses_between = "ticks of the sampling clock were late, or fell into pauses of the program (try -F 4999)";
  }
  return info;
}

std::vector<EngineCounter> PerfEngine::counters() const {
  std::vector<EngineCounter> out = {
      {"samples.made", samples_made_}, {"lost.ring_full", lost_samples_.value_or(lost_records_)},
      {"lost.malformed", malformed_},  {"lost.unknown_thread", unknown_thread_},
      {"side.lost", side_lost_},       {"samples.twice", duplicates_},
      {"throttled", throttles_},       {"cpu.total_ns", cpu_time_ns_},
  };
  if (deep_) {
    out.push_back({"samples.replaced", replaced_ - deep_->unreplaced()});
    out.push_back({"samples.stopped", deep_->looks()});
    out.push_back({"samples.coarse", deep_->coarse()});
    out.push_back({"samples.late", late_ + deep_->late()});
    if (plan_.with_kernel) { out.push_back({"samples.kernel_unknown", deep_->in_kernel()}); }
    out.push_back({"deep.refused", deep_->refused()});
  }
  if (waits_) {
    out.push_back({"waits.looks", waits_->looks()});
    out.push_back({"waits.missed", waits_->missed()});
  }
  if (held_up_ > 0) { out.push_back({"samples.held_up", held_up_}); }
  if (lost_switches_ > 0) { out.push_back({"switches.lost", lost_switches_}); }
  if (way_out_ns_ > 0) { out.push_back({"cpu.way_out_ns", way_out_ns_}); }
  if (afterwards_ns_ > 0) { out.push_back({"cpu.afterwards_ns", afterwards_ns_}); }
  if (stolen_ns_ > 0) { out.push_back({"machine.stolen_ns", stolen_ns_}); }
  if (used_ns_ > 0) { out.push_back({"cpu.used_ns", used_ns_}); }
  if (!plan_.with_kernel) { out.push_back({"cpu.system_ns", system_ns_}); }
  return out;
}

}  // namespace wick
