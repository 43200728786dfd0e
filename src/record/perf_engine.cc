// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/perf_engine.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "base/byte_reader.h"
#include "base/clock.h"
#include "base/text.h"
#include "record/perf_targets.h"
#include "record/proc_tasks.h"

namespace wick {
namespace {

// Draining soon after the sample keeps the live stack close to the copied one; an idle target is looked at less often.
constexpr uint64_t kShortestDrainNs = 10'000'000, kLongestDrainNs = 100'000'000;
constexpr size_t kSidePages = 32, kLeastPages = 2;
constexpr uint64_t kBurstHz = 20'000;

// Besides the copied stack: registers, the kernel's chain, the rest of a record.
constexpr uint64_t kSampleOverheadBytes = 512;

// Bytes of rings that each CPU may have; a user's limit holds for all of his processes together.
uint64_t ring_share(const Machine& machine, size_t cpu_count) {
  uint64_t budget = machine.ring_budget_bytes();
  return budget == UINT64_MAX ? budget : budget / std::max<size_t>(machine.online_cpus.size(), cpu_count);
}

// A quarter of it at most for side records.
size_t side_ring_pages(const Machine& machine, size_t cpu_count) {
  uint64_t pages = ring_share(machine, cpu_count) / page_size() / 4;
  return std::max<size_t>(1, std::min<size_t>(kSidePages, std::bit_floor(static_cast<size_t>(pages))));
}

// What is not sampled by rate comes in bursts.
uint64_t expected_rate_hz(const RecordOptions& options) {
  bool counted = std::any_of(options.events.begin(), options.events.end(), [](const EventSpec& e) { return e.period != 0; });
  return counted ? std::max(options.rate_hz, kBurstHz) : options.rate_hz;
}

// A ring for some 100 ms of samples, within what this user may lock.
size_t sample_ring_pages(const Machine& machine, uint64_t rate_hz, uint64_t stack_size, size_t cpu_count) {
  uint64_t wanted = std::clamp<uint64_t>(rate_hz * (stack_size + kSampleOverheadBytes) / 10, 512 << 10, 4 << 20);
  uint64_t share = ring_share(machine, cpu_count);
  if (share != UINT64_MAX) {
    uint64_t others = (side_ring_pages(machine, cpu_count) + 2) * page_size();
    wanted = std::min(wanted, share > others ? share - others : 0);
  }
  return std::max<size_t>(kLeastPages, std::bit_floor(static_cast<size_t>(wanted / page_size())));
}

// The more of a stack is copied, the less has to be read from the live process later, which may have moved on; but a ring must
// hold 50 ms of samples, or a busy machine makes us lose some.
uint32_t choose_stack_size(const Machine& machine, uint64_t rate_hz, size_t cpu_count) {
  uint64_t ring = sample_ring_pages(machine, rate_hz, kLargestDefaultStack, cpu_count) * page_size();
  uint64_t per_sample = ring * 20 / rate_hz;
  return static_cast<uint32_t>(std::clamp<uint64_t>(std::bit_floor(per_sample), kSmallestDefaultStack, kLargestDefaultStack));
}

Fd open_pidfd(pid_t pid) { return Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))); }

uint64_t load_system_time(pid_t pid) {
  std::optional<TaskStat> stat = load_process_stat(pid);
  return stat ? stat->system_ns : 0;
}

bool process_lives(pid_t pid) {
  std::optional<TaskStat> stat = load_task_stat(pid, pid);
  return stat && stat->state != 'Z' && stat->state != 'X';
}

}  // namespace

PerfEngine::PerfEngine(RecordOptions options, Machine machine) : options_(std::move(options)), machine_(std::move(machine)) {
  plan_.with_kernel = machine_.allows_kernel();
  cpus_ = options_.cpus;
  if (cpus_.empty()) { cpus_.assign(machine_.online_cpus.begin(), machine_.online_cpus.end()); }
  plan_.stack_size =
      options_.stack_size != 0 ? options_.stack_size : choose_stack_size(machine_, expected_rate_hz(options_), cpus_.size());
  drain_interval_ns_ = kShortestDrainNs;
}

PerfEngine::~PerfEngine() = default;

Status PerfEngine::start(const sigset_t& child_signal_mask) {
  // With -C too, side records are followed everywhere: a process maps files and starts programs on whichever CPU it is.
  for (uint32_t cpu : machine_.online_cpus) {
    rings_.emplace_back();
    rings_.back().cpu = static_cast<int>(cpu);
    rings_.back().sampled = std::find(cpus_.begin(), cpus_.end(), static_cast<int>(cpu)) != cpus_.end();
  }
  if (!options_.command.empty()) {
    WICK_LET(Launch launch, Launch::prepare(options_.command, child_signal_mask));
    launch_ = std::make_unique<Launch>(std::move(launch));
    // After the fork: the command keeps what wick was given.
    file_limit_.emplace();
    sigchld_.emplace();
    launched_pid_ = launch_->pid();
    WICK_OK(open_target(launched_pid_, 0));
    launched_fd_ = open_pidfd(launched_pid_);
    scheduling_.emplace(true);
    return launch_->release();
  }
  file_limit_.emplace();
  scheduling_.emplace(true);
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
  if (options_.start_enabled) { enable(); }
  return ok_status();
}

// Threads may be born while we attach. One that was born of a thread we had already attached to has inherited its events; one
// that was not is found by looking again. A thread found both ways gives each sample twice: told apart by the event's id later.
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
  std::vector<pid_t> known;
  for (;;) {
    // What was named must be there at first; the members of a cgroup come and go.
    bool must_live = known.empty() && options_.cgroup.empty();
    WICK_LET(std::vector<pid_t> found, load_target_threads(options_, must_live));
    std::vector<pid_t> fresh;
    std::set_difference(found.begin(), found.end(), known.begin(), known.end(), std::back_inserter(fresh));
    if (fresh.empty()) { break; }
    for (pid_t tid : fresh) {
      Status opened = open_target(tid, 0);
      bool gone = !opened.ok() && opened.error().code() == Errc::kNotFound;
      if (!opened.ok() && !(gone && (known.size() + fresh.size() > 1))) { return opened; }
    }
    known.insert(known.end(), fresh.begin(), fresh.end());
    std::sort(known.begin(), known.end());
    if (!options_.tids.empty() && options_.pids.empty()) { break; }
  }
  bool any_left = std::all_of(rings_.begin(), rings_.end(), [](const CpuRings& rings) {
    return rings.side != nullptr && (rings.samples != nullptr || !rings.sampled);
  });
  if (!any_left) {
    return Error("there is nothing left to record: every target ended while wick attached to it").with_code(Errc::kNotFound);
  }
  attached_several_ = known.size() > 1;
  enable_side();
  std::vector<pid_t> pids = options_.pids;
  for (pid_t tid : options_.tids) {
    if (std::optional<pid_t> pid = load_process_of_thread(tid)) { pids.push_back(*pid); }
  }
  std::sort(pids.begin(), pids.end());
  pids.erase(std::unique(pids.begin(), pids.end()), pids.end());
  pending_side_ = describe_processes(pids, now_ns());
  return ok_status();
}

Status PerfEngine::open_target(pid_t pid, unsigned long flags) {
  for (CpuRings& rings : rings_) { WICK_OK(open_on_cpu(rings, pid, flags)); }
  return ok_status();
}

Status PerfEngine::open_on_cpu(CpuRings& rings, pid_t pid, unsigned long flags) {
  bool whole_cpu = pid == -1 || flags != 0;
  pid_t named = flags != 0 ? -1 : pid;  // of a cgroup it is a descriptor
  perf_event_attr side = side_attr(options_, whole_cpu);
  Result<Fd> side_fd = open_perf_event(side, pid, rings.cpu, flags);
  if (!side_fd) { return explain_refusal(side_fd.error().errnum(), options_.events[0], options_, named, machine_); }
  if (rings.side == nullptr) {
    WICK_OK(map_ring(rings.side, side_fd->get(), true));
  } else if (::ioctl(side_fd->get(), PERF_EVENT_IOC_SET_OUTPUT, rings.side->fd()) != 0) {
    return Error::from_errno(errno, "cannot share a ring buffer");
  }
  side_.push_back({*std::move(side_fd), rings.sampled});
  if (!rings.sampled) { return ok_status(); }

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
    if (::ioctl(fd->get(), PERF_EVENT_IOC_ID, &id) != 0) { return Error::from_errno(errno, "cannot ask for an event's id"); }
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
  Result<PerfRing> mapped = PerfRing::map(fd, pages, side ? 1 : kLeastPages);
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
}

void PerfEngine::enable() {
  // What ran unrecorded:
  for (pid_t pid : followed_processes()) { system_before_ns_[pid] = load_system_time(pid); }
  if (!options_.start_enabled) { cpu_time_before_ns_ = load_cpu_time(); }
  for (const OpenEvent& event : sampling_) { ::ioctl(event.fd.get(), PERF_EVENT_IOC_ENABLE, 0); }
}

void PerfEngine::wait_for_data(int wake_fd, uint64_t deadline_ns) {
  std::vector<pollfd> fds;
  fds.push_back({wake_fd, POLLIN, 0});
  if (launched_fd_ && !exit_status_) { fds.push_back({launched_fd_.get(), POLLIN, 0}); }
  for (const Fd& fd : attached_fds_) { fds.push_back({fd.get(), POLLIN, 0}); }
  size_t first_ring = fds.size();
  for (CpuRings& rings : rings_) {
    if (rings.hung_up) { continue; }  // its events are over: poll would not wait any more
    fds.push_back({rings.side->fd(), POLLIN, 0});
    fds.push_back({rings.sampled ? rings.samples->fd() : -1, POLLIN, 0});
  }
  uint64_t now = now_ns();
  uint64_t until = std::min(deadline_ns, std::max(last_drain_ns_ + drain_interval_ns_, now));
  timespec timeout{static_cast<time_t>((until - now) / 1'000'000'000), static_cast<long>((until - now) % 1'000'000'000)};
  if (until <= now) { timeout = {0, 0}; }
  ::ppoll(fds.data(), fds.size(), &timeout, nullptr);
  size_t at = first_ring;
  for (CpuRings& rings : rings_) {
    if (rings.hung_up) { continue; }
    rings.hung_up = ((fds[at].revents | fds[at + 1].revents) & (POLLHUP | POLLERR)) != 0;
    at += 2;
  }
}

bool PerfEngine::target_ended() {
  if (launched_pid_ > 0) {
    int status = 0;
    rusage used{};
    pid_t done = exit_status_ ? 0 : ::wait4(launched_pid_, &status, WNOHANG, &used);
    if (done == launched_pid_ || (done < 0 && errno == ECHILD)) {
      exit_status_ = status;
      ended_system_ns_ =
          static_cast<uint64_t>(used.ru_stime.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(used.ru_stime.tv_usec) * 1000;
    }
    return exit_status_.has_value();
  }
  // One that ended stays readable for ever: left in the poll set, it would keep us from sleeping.
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
  wait_for_data(wake_fd, deadline_ns);
  bool ended = target_ended();  // asked first: what it left in the rings before it ended is then drained below
  bool any = drain(sink);
  drain_interval_ns_ = any ? kShortestDrainNs : std::min(drain_interval_ns_ * 2, kLongestDrainNs);
  check_early_exits();
  return ended ? TargetState::kEnded : TargetState::kRunning;
}

// First how far each sample ring is filled, then the side rings to their end: a mapping that a sample can stand in was reported
// before the sample was taken, so it is read before the sample is used. Side records from after the samples wait for the next
// round.
bool PerfEngine::drain(RawSink& sink) {
  RawBatch batch;
  uint64_t upto_ns = now_ns();
  last_drain_ns_ = upto_ns;
  for (CpuRings& rings : rings_) {
    if (rings.sampled) { rings.samples->snapshot(); }
  }
  for (CpuRings& rings : rings_) { read_side(rings); }
  for (CpuRings& rings : rings_) {
    if (rings.sampled) { read_samples(rings, batch); }
  }

  if (rings_.size() > 1 && !batch.samples.empty()) {
    std::stable_sort(batch.samples.begin(), batch.samples.end(),
                     [](const RawSample& a, const RawSample& b) { return a.time_ns < b.time_ns; });
  }
  if (!batch.samples.empty()) { upto_ns = std::max(upto_ns, batch.samples.back().time_ns); }
  std::stable_sort(pending_side_.begin(), pending_side_.end(),
                   [](const SideEvent& a, const SideEvent& b) { return time_of(a) < time_of(b); });
  auto later =
      std::partition_point(pending_side_.begin(), pending_side_.end(), [&](const SideEvent& e) { return time_of(e) <= upto_ns; });
  batch.side.assign(std::make_move_iterator(pending_side_.begin()), std::make_move_iterator(later));
  pending_side_.erase(pending_side_.begin(), later);

  bool any = !batch.samples.empty() || !batch.side.empty();
  if (any) { sink.consume(batch); }
  for (CpuRings& rings : rings_) {
    if (rings.sampled) { rings.samples->release(); }
  }
  return any;
}

void PerfEngine::read_side(CpuRings& rings) {
  uint64_t trailer = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER;
  rings.side->snapshot();
  for (std::span<const uint8_t> record = rings.side->next(); !record.empty(); record = rings.side->next()) {
    if (std::optional<SideEvent> event = parse_perf_side(record, trailer)) {
      if (const ExitEvent* exit = std::get_if<ExitEvent>(&*event)) { notice_exit(*exit); }
      if (const ForkEvent* fork = std::get_if<ForkEvent>(&*event); fork != nullptr && attached_several_) {
        roots_.begin(fork->tid, fork->time_ns);
      }
      pending_side_.push_back(*std::move(event));
    } else if (std::optional<PerfLost> lost = parse_perf_lost(record)) {
      side_lost_ += lost->count;
    }
  }
  rings.side->release();
}

void PerfEngine::read_samples(CpuRings& rings, RawBatch& batch) {
  for (std::span<const uint8_t> record = rings.samples->next(); !record.empty(); record = rings.samples->next()) {
    perf_event_header header;
    std::memcpy(&header, record.data(), sizeof header);
    if (header.type == PERF_RECORD_SAMPLE) {
      auto source = sources_.find(ByteReader(record, sizeof header).u64());  // PERF_SAMPLE_IDENTIFIER stands first
      std::optional<PerfSample> sample;
      if (source != sources_.end()) { sample = parse_perf_sample(record, source->second.layout); }
      if (!sample) {
        ++malformed_;
        continue;
      }
      bool twice = attached_several_ && !roots_.speaks_for(source->second.root, sample->raw.tid, sample->raw.time_ns);
      if (twice) {
        ++duplicates_;
        continue;
      }
      sample->raw.event = source->second.event;
      uint64_t fixed = options_.events[source->second.event].period;
      sample->raw.weight = fixed > 1 ? fixed : sample->period;
      ++samples_made_;
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

// A set-uid exec ends the events of a process, and the kernel reports that like its exit. Whether it lives on is seen a little
// later.
void PerfEngine::notice_exit(const ExitEvent& exit) {
  if (exit.pid == exit.tid) { early_exits_.push_back({exit.time_ns, exit.pid}); }
}

void PerfEngine::check_early_exits() {
  uint64_t now = now_ns();
  auto settled = [&](const std::pair<uint64_t, uint32_t>& exit) {
    if (now < exit.first + 200'000'000) { return false; }
    pid_t pid = static_cast<pid_t>(exit.second);
    if (process_lives(pid) && notes_.empty()) {
      notes_.push_back(load_task_name(pid, pid) +
                       " is a program with set-uid or other raised rights: the kernel ends recording there");
    }
    return true;
  };
  early_exits_.erase(std::remove_if(early_exits_.begin(), early_exits_.end(), settled), early_exits_.end());
}

void PerfEngine::stop(RawSink& sink) {
  for (const OpenEvent& event : sampling_) { ::ioctl(event.fd.get(), PERF_EVENT_IOC_DISABLE, 0); }
  target_ended();
  drain(sink);
  pending_side_.clear();
  scheduling_.reset();
  if (plan_.with_lost_count) {
    lost_samples_ = 0;
    for (const OpenEvent& event : sampling_) {
      uint64_t values[2] = {0, 0};  // the count, and the lost samples
      if (::read(event.fd.get(), values, sizeof values) == sizeof values) { *lost_samples_ += values[1]; }
    }
  }
  uint64_t cpu_time_ns = load_cpu_time();
  cpu_time_ns_ = cpu_time_ns - std::min(cpu_time_ns, cpu_time_before_ns_);
  count_system_time();
}

// Of the targets, on the CPUs that are sampled, since their side events were enabled.
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

// What the kernel has accounted to itself: of a launched command with all that it has waited for, of attached processes as long
// as they live. Where the kernel's side cannot be sampled and the event is no clock, this is all that is known of it.
void PerfEngine::count_system_time() {
  for (pid_t pid : followed_processes()) {
    uint64_t now = exit_status_ ? ended_system_ns_ : load_system_time(pid);
    system_ns_ += now - std::min(now, system_before_ns_[pid]);
  }
}

std::vector<EngineCounter> PerfEngine::counters() const {
  std::vector<EngineCounter> out = {
      {"samples.made", samples_made_}, {"lost.ring_full", lost_samples_.value_or(lost_records_)},
      {"lost.malformed", malformed_},  {"side.lost", side_lost_},
      {"samples.twice", duplicates_},  {"throttled", throttles_},
      {"cpu.total_ns", cpu_time_ns_},
  };
  if (!plan_.with_kernel) {
    out.push_back({"kernel.unseen", 1});
    out.push_back({"cpu.system_ns", system_ns_});
  }
  return out;
}

}  // namespace wick
