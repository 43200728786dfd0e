// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of the perf engine for tasks that its plain events cannot handle: those too short to be sampled, and those whose
// stacks are too deep to be copied.
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <random>

#include "base/clock.h"
#include "base/random.h"
#include "os/proc_tasks.h"
#include "record/code_mappings.h"
#include "record/perf_engine.h"

namespace wick {
namespace {

// Limits for the rings of large copies: all CPUs together, and each.
constexpr uint64_t kMostLargeBytes = 128 << 20, kMostLargeRing = 8 << 20;
constexpr unsigned kSamplesUntilSmall = 1000;
constexpr uint64_t kAwaitEndsNs = 100'000'000, kAwaitNextEndNs = 16'000'000;
constexpr uint64_t kHurryNs = 20'000'000;
constexpr uint64_t kRereadShare = 20;

}  // namespace

// Whether to use CPU events with a filter: for events sampled by rate, and only if permitted. Otherwise task events are used,
// which do not sample short-lived tasks.
void PerfEngine::plan_filter() {
  const EventSpec& event = options_.events[0];
  bool is_rate = options_.events.size() == 1 && event.period == 0 && event.type != PERF_TYPE_TRACEPOINT;
  bool is_tasks = !options_.system_wide && options_.cgroup.empty() &&
                  (!options_.command.empty() || !options_.pids.empty() || !options_.tids.empty());
  bool may = is_rate && is_tasks && options_.inherit && options_.start_enabled && machine_.allows_system_wide();
  if (may) {
    PerfPlan of_cpus = plan_;
    of_cpus.of_cpus = true;
    of_cpus.with_lost_count = false;  // only a trial, and older kernels do not support it
    perf_event_attr attr = sampling_attr(event, options_, of_cpus);
    Result<TaskFilter> loaded = TaskFilter::load();
    Result<Fd> tried = open_perf_event(attr, -1, static_cast<int>(machine_.online_cpus.front()));
    if (loaded && tried && loaded->filter(tried->get(), TaskFilter::Mode::kSmall).ok()) { filter_ = *std::move(loaded); }
  }
  plan_.of_cpus = filter_.has_value();
  // Counting must cover the same as sampling: all CPUs, user space and the kernel.
  bool is_all = options_.cpus.empty() && !event.user_only && !event.kernel_only;
  bool counts = is_tasks && is_all && event.is_clock && options_.start_enabled;
  if (counts) { counts_.emplace(filter_ ? 0 : 1'000'000'000 / std::max<uint64_t>(options_.rate_hz, 1)); }
}

Status PerfEngine::open_filtered() {
  for (CpuRings& rings : rings_) {
    // Task ends come from any CPU.
    perf_event_attr attr = output_attr();
    WICK_LET(Fd output, open_perf_event(attr, -1, rings.cpu));
    if (::ioctl(output.get(), PERF_EVENT_IOC_SET_OUTPUT, rings.side->fd()) != 0) {
      return Error::from_errno(errno, "cannot share a ring buffer");
    }
    WICK_OK(filter_->send_ends(output.get(), static_cast<uint32_t>(rings.cpu)));
    outputs_.push_back(std::move(output));
    if (!rings.sampled) { continue; }
    size_t first = sampling_.size();
    WICK_OK(open_sampling(rings, -1, 0));
    for (size_t i = first; i < sampling_.size(); ++i) {
      WICK_OK(filter_->filter(sampling_[i].fd.get(), TaskFilter::Mode::kSmall));
    }
  }
  return ok_status();
}

// Opens events that copy the maximum of a stack, for the threads that need it.
bool PerfEngine::open_large() {
  if (has_large_ || !may_have_large_) { return has_large_; }
  may_have_large_ = false;
  PerfPlan plan = plan_;
  plan.stack_size = kLargestStackSize;
  uint64_t bytes = std::min<uint64_t>(kMostLargeRing, kMostLargeBytes / std::max<size_t>(1, rings_.size()));
  size_t pages = std::bit_floor(static_cast<size_t>(bytes / page_size()));
  std::vector<OpenEvent> opened;
  std::vector<std::unique_ptr<PerfRing>> mapped;
  std::vector<std::pair<uint64_t, PerfLayout>> ids;
  for (CpuRings& rings : rings_) {
    if (!rings.sampled) { continue; }
    perf_event_attr attr = sampling_attr(options_.events[0], options_, plan);
    Result<Fd> fd = open_perf_event(attr, -1, rings.cpu);
    if (!fd || !filter_->filter(fd->get(), TaskFilter::Mode::kLarge).ok()) { return false; }
    Result<PerfRing> ring = PerfRing::map(fd->get(), pages, pages / 4);
    uint64_t id = 0;
    if (!ring || ::ioctl(fd->get(), PERF_EVENT_IOC_ID, &id) != 0) { return false; }
    ids.emplace_back(id, layout_of(attr));
    mapped.push_back(std::make_unique<PerfRing>(*std::move(ring)));
    opened.push_back({*std::move(fd), 0});
  }
  for (const auto& [id, layout] : ids) { sources_[id] = {0, -1, layout}; }
  size_t next = 0;
  for (CpuRings& rings : rings_) {
    if (!rings.sampled) { continue; }
    rings.large = std::move(mapped[next++]);
    if (keeper_) { keeper_->add(rings.large.get()); }
  }
  for (OpenEvent& event : opened) {
    ::ioctl(event.fd.get(), PERF_EVENT_IOC_ENABLE, 0);
    sampling_.push_back(std::move(event));
  }
  has_large_ = true;
  plan_clocks(now_ns(), true);
  return true;
}

// Only clocks of CPUs tick while the target sleeps (spread_clocks.h).
void PerfEngine::plan_clocks(uint64_t begin_ns, bool is_large) {
  const EventSpec& event = options_.events[0];
  bool has_tasks = !options_.command.empty() || !options_.pids.empty() || !options_.tids.empty() || !options_.cgroup.empty();
  bool is_of_cpus = filter_ || options_.system_wide || !has_tasks;
  bool is_clock = options_.events.size() == 1 && event.is_clock && event.period == 0 && options_.rate_hz > 0;
  if (!is_of_cpus || !is_clock) { return; }
  std::mt19937_64 random{random_seed()};
  for (const SpreadClock& clock : plan_spread_clocks(begin_ns, 1'000'000'000 / options_.rate_hz, rings_.size(), random)) {
    if (rings_[clock.cpu].sampled) { due_clocks_.push_back({clock, is_large}); }
  }
  std::stable_sort(due_clocks_.begin(), due_clocks_.end(), [](const auto& a, const auto& b) { return a.start_ns > b.start_ns; });
}

void PerfEngine::start_due_clocks() {
  while (!due_clocks_.empty() && due_clocks_.back().start_ns <= now_ns()) {
    DueClock due = due_clocks_.back();
    due_clocks_.pop_back();
    CpuRings& rings = rings_[due.cpu];
    PerfRing& ring = due.is_large ? *rings.large : *rings.samples;
    if (due.period_ns == 0) {
      ::ioctl(ring.fd(), PERF_EVENT_IOC_DISABLE, 0);
    } else if (!start_clock(rings, due.period_ns, due.is_large)) {
      // The single clock of this CPU continues alone.
      std::erase_if(due_clocks_, [&](const DueClock& d) { return d.cpu == due.cpu && d.is_large == due.is_large; });
      std::erase_if(sampling_, [&](const OpenEvent& event) { return event.spread_over == ring.fd(); });
    }
  }
}

bool PerfEngine::start_clock(const CpuRings& rings, uint64_t period_ns, bool is_large) {
  PerfPlan plan = plan_;
  if (is_large) { plan.stack_size = kLargestStackSize; }
  const int ring_fd = is_large ? rings.large->fd() : rings.samples->fd();
  perf_event_attr attr = sampling_attr(options_.events[0], options_, plan);
  attr.freq = 0;
  attr.sample_period = period_ns;
  Result<Fd> fd = open_perf_event(attr, -1, rings.cpu);
  if (!fd) { return false; }
  TaskFilter::Mode mode = is_large ? TaskFilter::Mode::kLarge : TaskFilter::Mode::kSmall;
  uint64_t id = 0;
  bool is_ready = (!filter_ || filter_->filter(fd->get(), mode).ok()) &&
                  ::ioctl(fd->get(), PERF_EVENT_IOC_SET_OUTPUT, ring_fd) == 0 && ::ioctl(fd->get(), PERF_EVENT_IOC_ID, &id) == 0;
  if (!is_ready) { return false; }
  sources_[id] = {0, -1, layout_of(attr), 1'000'000'000 / options_.rate_hz, TickTimes(now_ns(), period_ns)};
  ::ioctl(fd->get(), PERF_EVENT_IOC_ENABLE, 0);
  sampling_.push_back({*std::move(fd), 0, ring_fd});
  return true;
}

Status PerfEngine::open_switches(CpuRings& rings, pid_t pid) {
  perf_event_attr attr = switch_attr(options_);
  WICK_LET(Fd fd, open_perf_event(attr, pid, rings.cpu));
  if (rings.switches == nullptr) {
    WICK_OK(map_ring(rings.switches, fd.get(), true));
  } else if (::ioctl(fd.get(), PERF_EVENT_IOC_SET_OUTPUT, rings.switches->fd()) != 0) {
    return Error::from_errno(errno, "cannot share a ring buffer");
  }
  switch_events_.push_back(std::move(fd));
  return ok_status();
}

// The stacks of these threads exceed their copies: first the copies get larger, if they can be set per thread; then the thread is
// stopped for reading.
void PerfEngine::notice_deep(const RawBatch& batch) {
  if (waits_) { return; }                         // stopping a thread would count as its waiting
  bool by_rate = options_.events[0].period == 0;  // else each event is its own sample, wherever it happens
  if (options_.unwind != UnwindMode::kDwarf || !by_rate || ended_) { return; }
  for (const RawSample& sample : batch.samples) {
    if (sample.event != 0 || sample.stack.empty()) { continue; }  // empty: inside exec, the old memory is gone
    auto is_deep = [&] { return deep_ && deep_->holds(sample.tid); };
    if (is_deep()) {
      late_ += sample.needs_more ? 1 : 0;
      continue;
    }
    bool is_large = large_.contains(sample.tid);
    bool ends = sample.stack.size() < plan_.stack_size;  // the copy reached the end of that stack; the rest is elsewhere
    bool from_large = sample.stack.size() > plan_.stack_size;
    bool may_suffice = !ends && plan_.stack_size < kLargestStackSize && !deep_processes_.contains(sample.pid);
    if (sample.needs_more && filter_ && !is_large && may_suffice && open_large()) {
      large_[sample.tid] = 0;
      hurry_until_ns_ = last_drain_ns_ + kHurryNs;  // checks soon whether that suffices
      filter_->set_mode(static_cast<pid_t>(sample.tid), TaskFilter::Mode::kLarge);
    } else if (sample.needs_more && (ends || from_large || !is_large)) {
      if (!deep_) {
        deep_.emplace(options_.rate_hz, filter_ ? kLargestStackSize : plan_.stack_size, launched_pid_,
                      [this](pid_t pid, pid_t tid) { return start_stop_clock(pid, tid); });
      }
      bool held = deep_->add(static_cast<pid_t>(sample.pid), static_cast<pid_t>(sample.tid));
      if (held) { deep_processes_.insert(sample.pid); }
      if (held && is_large) {  // its events only measure time now
        large_.erase(sample.tid);
        filter_->set_mode(static_cast<pid_t>(sample.tid), TaskFilter::Mode::kSmall);
      }
    } else if (is_large && !sample.needs_more) {
      settle_large(sample);
    }
    late_ += sample.needs_more && (is_deep() || large_.contains(sample.tid)) ? 1 : 0;
  }
}

// A thread that has not needed large copies for long gets small ones again.
void PerfEngine::settle_large(const RawSample& sample) {
  unsigned& unneeded = large_[sample.tid];
  unneeded = sample.reach < plan_.stack_size / 2 ? unneeded + 1 : 0;
  if (unneeded < kSamplesUntilSmall) { return; }
  large_.erase(sample.tid);
  filter_->set_mode(static_cast<pid_t>(sample.tid), TaskFilter::Mode::kSmall);
}

void PerfEngine::look_at_deep(RawSink& sink) {
  auto catch_up = [&] {  // mappings and exec since the last round
    bool news = std::any_of(rings_.begin(), rings_.end(), [](const CpuRings& rings) { return rings.side->take() > 0; });
    if (news) { drain(sink); }
  };
  deep_->answer_stops(catch_up, [&](RawSample& sample) {
    if (sample.time_ns == 0) { sample.time_ns = now_ns(); }
    RawBatch batch;
    batch.samples.push_back(sample);
    sink.consume(batch);
    sample = batch.samples[0];
  });
  take_unexamined(sink);
}

std::unique_ptr<StopClock> PerfEngine::start_stop_clock(pid_t pid, pid_t tid) {
  if (!options_.cpus.empty()) { return nullptr; }  // it would sample on all CPUs
  bool is_clock = options_.events[0].is_clock;
  return StopClock::start(sampling_attr(options_.events[0], options_, plan_), pid, tid,
                          is_clock ? 1'000'000'000 / options_.rate_hz : 0);
}

void PerfEngine::take_unexamined(RawSink& sink) {
  deep_->take_unexamined([&](RawSample& sample) {
    RawBatch batch;
    batch.samples.push_back(sample);
    sink.consume(batch);
  });
}

void PerfEngine::read_switches(CpuRings& rings) {
  for (std::span<const uint8_t> record = rings.switches->next(); !record.empty(); record = rings.switches->next()) {
    if (std::optional<PerfSwitch> change = parse_perf_switch(record)) {
      if (counts_ && !filter_) { switches_.push_back({*change, static_cast<uint32_t>(rings.cpu)}); }
      if (waits_ && change->tid != 0) { wait_switches_.push_back(*change); }
    } else if (parse_perf_lost(record)) {
      switches_lost_ = true;
      if (waits_) { waits_->on_lost(); }
      ++lost_switches_;
    }
  }
  rings.switches->release();
}

// Shows the watch all switches and side events until then, in the order of time. Rings were read to their end after that.
void PerfEngine::watch_waits(uint64_t upto_ns) {
  std::stable_sort(wait_switches_.begin(), wait_switches_.end(),
                   [](const PerfSwitch& a, const PerfSwitch& b) { return a.time_ns < b.time_ns; });
  std::vector<const SideEvent*> side;
  for (const SideEvent& event : pending_side_) {
    if (time_of(event) > waits_upto_ns_ && time_of(event) <= upto_ns) { side.push_back(&event); }
  }
  std::stable_sort(side.begin(), side.end(), [](const SideEvent* a, const SideEvent* b) { return time_of(*a) < time_of(*b); });
  size_t next = 0;
  auto take_switches = [&](uint64_t until_ns) {
    for (; next < wait_switches_.size() && wait_switches_[next].time_ns <= until_ns; ++next) {
      waits_->on_switch(wait_switches_[next]);
    }
  };
  for (const SideEvent* event : side) {
    take_switches(time_of(*event));
    if (const auto* fork = std::get_if<ForkEvent>(event)) {
      waits_->on_fork(*fork);
    } else if (const auto* exit = std::get_if<ExitEvent>(event)) {
      waits_->on_exit(*exit);
    } else if (const auto* comm = std::get_if<CommEvent>(event); comm != nullptr && comm->exec) {
      waits_->on_exec(comm->pid, comm->tid, comm->time_ns);
    }
  }
  take_switches(upto_ns);
  wait_switches_.erase(wait_switches_.begin(), wait_switches_.begin() + static_cast<std::ptrdiff_t>(next));
  waits_upto_ns_ = upto_ns;
}

// More often than rings are drained: who waits is known only from the switches.
void PerfEngine::look_at_waits() {
  if (now_ns() < waits_->next_look_ns()) { return; }
  uint64_t upto_ns = now_ns();
  for (CpuRings& rings : rings_) {
    rings.switches->take();
    read_side(rings);
    read_switches(rings);
  }
  watch_waits(upto_ns);
  waits_->look();
}

// Processes switches and side events in time order, and adds the counts of tasks to the side events. No earlier ones can follow:
// the side rings were read to their end after `upto_ns`.
void PerfEngine::count_tasks(std::vector<SideEvent>& side, uint64_t upto_ns) {
  std::stable_sort(switches_.begin(), switches_.end(), [](const Switch& a, const Switch& b) { return a.time_ns < b.time_ns; });
  bool lost = std::exchange(switches_lost_, false) && !filter_;
  if (lost) { counts_->on_lost(); }
  std::vector<SideEvent> out;
  size_t next = 0;
  auto take_switches = [&](uint64_t until_ns) {
    for (; next < switches_.size() && switches_[next].time_ns <= until_ns; ++next) {
      counts_->on_switch(switches_[next], switches_[next].cpu);
    }
  };
  for (SideEvent& event : side) {
    take_switches(time_of(event));
    std::optional<CountEvent> count;
    const ExitEvent* exit = std::get_if<ExitEvent>(&event);
    const CommEvent* comm = std::get_if<CommEvent>(&event);
    if (const ForkEvent* fork = std::get_if<ForkEvent>(&event)) {
      counts_->on_fork(*fork);
      if (lost) { counts_->on_lost(); }  // it is unknown which were lost
    }
    if (exit != nullptr) { count = counts_->on_exit(*exit); }
    if (comm != nullptr && comm->exec) { count = counts_->on_exec(*comm); }
    if (count) { out.emplace_back(*count); }  // before the event, which ends what is counted
    out.push_back(std::move(event));
  }
  take_switches(upto_ns);
  // Each follows its task's exit record, which may be left for the next round.
  auto later = std::stable_partition(ends_.begin(), ends_.end(), [&](const TaskEnd& end) { return end.time_ns <= upto_ns; });
  for (auto end = ends_.begin(); end != later; ++end) {
    if (std::optional<CountEvent> count = counts_->on_end(end->pid, end->tid, end->run_ns, end->time_ns)) {
      out.emplace_back(*count);
    }
  }
  ends_.erase(ends_.begin(), later);
  switches_.erase(switches_.begin(), switches_.begin() + static_cast<std::ptrdiff_t>(next));
  side = std::move(out);
}

void PerfEngine::keep_clocks(const std::vector<SideEvent>& side) {
  for (const SideEvent& event : side) {
    if (const auto* fork = std::get_if<ForkEvent>(&event)) {
      clocks_.on_fork(*fork);
    } else if (const auto* exit = std::get_if<ExitEvent>(&event)) {
      clocks_.on_exit(*exit);
    }
  }
  for (pid_t tid : clocks_.find_long_lived(last_drain_ns_)) { clocks_.keep(tid); }
}

// The kernel reports an ended task some milliseconds after its end, or seconds if it defers such work (RCU_LAZY): then the total
// is shared out (share_rest), or the task's time is that of its samples.
void PerfEngine::await_ends(RawSink& sink) {
  if (!filter_ || !counts_) { return; }
  uint64_t begin = now_ns(), last_news = begin;
  for (uint64_t now = begin; counts_->awaited_ends() > 0 && now - begin < kAwaitEndsNs && now - last_news < kAwaitNextEndNs;
       now = now_ns()) {
    size_t awaited = counts_->awaited_ends();
    ::usleep(2000);
    drain(sink);
    if (counts_->awaited_ends() != awaited) { last_news = now_ns(); }
  }
}

void PerfEngine::report_counts(RawSink& sink) {
  if (!counts_) { return; }
  RawBatch batch;
  auto tell_last = [&] {
    if (last_run_ns_ == 0) { return; }  // it was queried before its release
    uint32_t pid = static_cast<uint32_t>(launched_pid_);
    if (std::optional<CountEvent> count = counts_->on_end(pid, pid, last_run_ns_, now_ns())) { batch.side.emplace_back(*count); }
  };
  tell_last();
  await_ends(sink);
  tell_last();
  bool is_all_waited_for =
      filter_ && launched_pid_ > 0 && options_.start_enabled && options_.inherit && ended_all_ns_ > before_exec_ns_;
  if (is_all_waited_for) {
    for (const CountEvent& count : counts_->share_rest(ended_all_ns_ - before_exec_ns_, now_ns())) {
      batch.side.emplace_back(count);
    }
  }
  if (!filter_ && launched_pid_ > 0 && ended_all_ns_ > before_exec_ns_) {
    way_out_ns_ = counts_->way_out_ns(ended_all_ns_ - before_exec_ns_);
  }
  if (last_group_ns_ != 0) { afterwards_ns_ = counts_->afterwards_ns(static_cast<uint32_t>(launched_pid_), last_group_ns_); }
  for (pid_t pid : options_.pids) {
    uint64_t group_ns = load_group_time(pid);
    if (group_ns != 0 && afterwards_ns_ == 0) { afterwards_ns_ = counts_->afterwards_ns(static_cast<uint32_t>(pid), group_ns); }
  }
  for (const CountEvent& count : counts_->finish(now_ns(), !filter_)) { batch.side.emplace_back(count); }
  sink.consume(batch);
}

// Mapping records may be among the lost ones. The current mappings apply from now on; earlier samples stay unchanged.
void PerfEngine::reread_maps(const RawBatch& batch) {
  if (side_lost_ == 0) { return; }
  for (const RawSample& sample : batch.samples) {
    Reread& reread = rereads_[sample.pid];
    uint64_t begin = now_ns();
    if (reread.after_lost == side_lost_ || begin < reread.not_before_ns) { continue; }
    std::vector<MmapEvent> maps =
        load_code_mappings(static_cast<pid_t>(sample.pid), static_cast<pid_t>(sample.tid), begin).value_or({});
    pending_side_.insert(pending_side_.end(), std::make_move_iterator(maps.begin()), std::make_move_iterator(maps.end()));
    uint64_t end = now_ns();
    reread = {side_lost_, end + kRereadShare * (end - begin)};
  }
}

}  // namespace wick
