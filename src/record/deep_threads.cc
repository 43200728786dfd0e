// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/deep_threads.h"

#include <poll.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/clock.h"
#include "record/ptrace_call.h"

namespace wick {
namespace {

constexpr unsigned kLooksUntilShallow = 1000;
constexpr uint64_t kPatienceNs = 500'000'000;
constexpr size_t kMostRefused = 4096, kMostHeld = 1024;
// The time before a look that it may represent; on an idle machine a look comes at each period.
constexpr uint64_t kRecentNs = 40'000'000, kRecentPeriods = 4;
constexpr size_t kMostKept = 8192;  // bytes of a stack that is truncated anyway
constexpr size_t kFirstBytes = 4096;
// A thread with a clock stops at each period of it. If other events sample it more often, it may block the signal.
constexpr unsigned kMostSinceStop = 16, kDoubtfulSinceStop = 4;
constexpr uint64_t kCheckNs = 100'000'000;
// A thread that has to wait for us is left alone for as long, or it would do little else on a busy machine. The average of
// several waits makes all samples weigh about the same: with a long rest after each long wait, a few samples decided everything.
constexpr uint64_t kLongWaitNs = 1'000'000, kLongestRestNs = 100'000'000, kAveragedWaits = 8;

}  // namespace

DeepThreads::DeepThreads(uint64_t rate_hz, uint64_t enough_bytes, pid_t child, StartClock start_clock)
    : sampler_(rate_hz), enough_bytes_(enough_bytes), child_(child), start_clock_(std::move(start_clock)), stack_(kFirstBytes) {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGCHLD);  // blocked in all threads since the recording started (stop_signals.h)
  sigchld_fd_ = Fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

DeepThreads::~DeepThreads() { release_all(); }

bool DeepThreads::add(pid_t pid, pid_t tid) {
  if (pid == ::getpid() || refused_.contains(pid) || threads_.size() >= kMostHeld) { return false; }
  // No options: its children are not traced.
  if (ptrace_call(PTRACE_SEIZE, tid, 0, 0) != 0) {
    if (errno != ESRCH) {
      if (refused_.size() >= kMostRefused) { refused_.clear(); }
      refused_.insert(pid);
    }
    return false;
  }
  auto held = std::make_unique<Held>(pid, tid, TaskProbe(pid, tid, true, true), sampler_.period_ns());
  held->state = StoppableThread::State::kRunning;
  held->given_up_seen.reset();
  held->clock = start_clock_(pid, tid);
  if (threads_.empty()) { next_check_ns_ = now_ns() + kCheckNs; }
  if (!held->clock) { watch_by_ticks(*held); }
  released_ns_.erase(tid);
  threads_[tid] = std::move(held);
  return true;
}

void DeepThreads::watch_by_ticks(Held& held) {
  held.by_ticks = true;
  if (std::optional<RunTime> time = held.probe.run_time()) { held.credit.begin(time->run_ns); }
  if (!sampler_.is_enabled()) { sampler_.enable(now_ns()); }
  sampler_.watch(held);
}

bool DeepThreads::replace(const RawSample& sample) {
  auto found = threads_.find(static_cast<pid_t>(sample.tid));
  if (found == threads_.end()) {
    auto released = released_ns_.find(static_cast<pid_t>(sample.tid));
    return released != released_ns_.end() && sample.time_ns < released->second;
  }
  Held& held = *found->second;
  if (held.clock && sample.time_ns < held.clock->since_ns()) { return false; }
  if (!held.by_ticks) {
    if (sample.time_ns <= held.stopped_ns) { return true; }
    ++held.since_stop;
    bool is_stuck = held.since_stop > kMostSinceStop + 7 * held.left_alone_ns / (4 * sampler_.period_ns());
    bool is_in_doubt = held.since_stop % kDoubtfulSinceStop == 0;
    if (!is_stuck && !(is_in_doubt && held.clock->is_blocked())) { return true; }
    held.clock->stop();
    for (const RawSample& missed : held.clock->take()) {
      ++late_;
      ++looks_;
      keep(missed, unexamined_.emplace_back());
    }
    watch_by_ticks(held);
    return false;
  }
  if (held.first_ns == 0) { held.first_ns = sample.time_ns; }
  uint64_t recent_ns = std::max({kRecentNs, kRecentPeriods * sampler_.period_ns(), 2 * held.left_alone_ns});
  if (sample.time_ns > held.first_ns + recent_ns) {
    late_ += held.pending_samples;
    give_up(held);
    return false;
  }
  if (sample.time_ns < held.exec_ns && held.pending > 0) { give_up(held); }
  held.pending += sample.weight;
  ++held.pending_samples;
  keep(sample, held.last);
  if (sample.time_ns < held.exec_ns) { give_up(held); }
  return true;
}

void DeepThreads::keep(const RawSample& sample, OwnedSample& out) {
  out.sample = sample;
  std::span<const uint8_t> stack = sample.stack.first(std::min(sample.stack.size(), kMostKept));
  out.stack.assign(stack.begin(), stack.end());
  out.kernel_chain.assign(sample.kernel_chain.begin(), sample.kernel_chain.end());
  out.sample.user_chain = {};
}

void DeepThreads::on_exec(uint32_t pid, uint64_t time_ns) {
  for (auto& [tid, held] : threads_) {
    if (held->pid != static_cast<pid_t>(pid)) { continue; }
    give_up(*held);
    held->exec_ns = time_ns;
    held->useless_stops = kLooksUntilShallow;  // released at its next stop, since the new program need not be deep
  }
}

void DeepThreads::give_up(Held& held) {
  if (held.pending == 0) { return; }
  held.last.sample.weight = std::exchange(held.pending, 0);
  held.pending_samples = 0;
  ++unreplaced_;
  unexamined_.push_back(std::exchange(held.last, {}));
}

void DeepThreads::take_unexamined(const HandOver& hand_over) {
  for (OwnedSample& owned : unexamined_) {
    owned.sample.stack = owned.stack;
    owned.sample.kernel_chain = owned.kernel_chain;
    hand_over(owned.sample);
  }
  unexamined_.clear();
}

void DeepThreads::forget(pid_t tid) {
  auto found = threads_.find(tid);
  if (found == threads_.end()) { return; }
  Held& held = *found->second;
  if (!held.by_ticks) {
    held.clock->stop();
    if (released_ns_.size() >= kMostRefused) { released_ns_.clear(); }
    released_ns_[tid] = now_ns();
  } else {
    sampler_.forget(held);
    give_up(held);
  }
  threads_.erase(found);
  bool any_by_ticks = std::any_of(threads_.begin(), threads_.end(), [](const auto& entry) { return entry.second->by_ticks; });
  if (!any_by_ticks) { sampler_.disable(); }
}

void DeepThreads::tick(uint64_t now_ns, uint64_t woke_ns) {
  gone_.clear();
  if (now_ns >= next_check_ns_) {
    next_check_ns_ = now_ns + kCheckNs;
    for (const auto& [tid, held] : threads_) {  // gone by the exec of another thread: nothing reports it
      if (!held->by_ticks && tid != held->pid && !held->probe.exists()) { gone_.push_back(tid); }
    }
  }
  if (sampler_.is_enabled() && now_ns >= sampler_.next_tick_ns()) {
    for (const StoppableThread* thread : sampler_.tick(now_ns, woke_ns)) { gone_.push_back(thread->tid); }
  }
  for (pid_t tid : gone_) { forget(tid); }
}

void DeepThreads::answer_stops(const std::function<void()>& catch_up, const HandOver& hand_over) {
  signalfd_siginfo infos[16];  // before collecting stops, or a stop in between would go unnoticed
  while (::read(sigchld_fd_.get(), infos, sizeof infos) == sizeof infos) {}
  gone_.clear();
  std::vector<pid_t> tids;  // processing a sample may add others
  for (const auto& [tid, held] : threads_) { tids.push_back(tid); }
  for (pid_t tid : tids) {
    Held* held = threads_.at(tid).get();
    siginfo_t info{};
    for (;;) {
      info.si_pid = 0;
      if (::waitid(P_PID, static_cast<id_t>(tid), &info, WSTOPPED | WNOHANG | __WALL) != 0 || info.si_pid == 0) { break; }
      answer(*held, info.si_status << 8 | 0x7f, catch_up, hand_over);
    }
    info.si_pid = 0;
    bool known = ::waitid(P_PID, static_cast<id_t>(tid), &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
    if (known && !is_end(info)) { continue; }
    if (tid != child_) { ::waitpid(tid, nullptr, __WALL | WNOHANG); }  // else its parent would wait forever
    gone_.push_back(tid);
  }
  for (pid_t tid : gone_) { forget(tid); }
}

// Every stop is followed by exactly one restart.
void DeepThreads::answer(Held& held, int status, const std::function<void()>& catch_up, const HandOver& hand_over) {
  int event = status >> 16, signal_number = WSTOPSIG(status);
  ++held.stops;
  bool group_stop = event == PTRACE_EVENT_STOP && signal_number != SIGTRAP;
  bool by_clock = event == 0 && held.clock && held.clock->has_stopped(signal_number);
  auto go_on = [this, &held, group_stop, event, signal_number, by_clock] {
    auto signal_to_pass = static_cast<unsigned long>(event == 0 && !by_clock ? signal_number : 0);
    if (group_stop) {
      ptrace_call(PTRACE_LISTEN, held.tid, 0, 0);
      held.state = StoppableThread::State::kListening;
    } else if (held.useless_stops >= kLooksUntilShallow) {
      ptrace_call(PTRACE_DETACH, held.tid, 0, signal_to_pass);
      gone_.push_back(held.tid);
    } else {
      held.state = StoppableThread::State::kRunning;
      ptrace_call(PTRACE_CONT, held.tid, 0, signal_to_pass);
    }
  };
  if (!held.by_ticks) {
    if (by_clock) {
      read_stack(held, go_on, catch_up, hand_over);
    } else {
      go_on();
    }
    return;
  }
  if (!held.interrupted) {  // otherwise any stop also answers the interrupt
    sampler_.count(held);   // so that it is left alone until it has run on
    go_on();
    return;
  }
  std::optional<RawSample> sample = sampler_.look(held, UnwindMode::kDwarf, go_on);
  bool was_missed = std::exchange(held.was_missed, false);
  if (sample || was_missed) {
    catch_up();
    held.first_ns = 0;
    // What it does now says nothing about what it did before it slept.
    if (was_missed || (held.pending > 0 && StopSampler::has_slept(held))) { give_up(held); }
  }
  if (sample && held.pending > 0) {
    ++looks_;
    in_kernel_ += sampler_.in_system_call() ? 1 : 0;
    sample->weight = std::exchange(held.pending, 0);
    coarse_ += std::exchange(held.pending_samples, 0) >= kCoarsePeriods ? 1 : 0;
    hand_over(*sample);
    judge_depth(held, *sample);
  }
  sampler_.finish();
}

void DeepThreads::judge_depth(Held& held, const RawSample& sample) {
  bool in_vain = sample.needs_more || sample.reach < enough_bytes_ / 2;
  held.useless_stops = in_vain ? held.useless_stops + 1 : 0;
}

void DeepThreads::read_stack(Held& held, std::function<void()> go_on, const std::function<void()>& catch_up,
                             const HandOver& hand_over) {
  uint64_t begin_cpu_ns = thread_cpu_ns(), waited_ns = 0;
  held.since_stop = 0;
  held.stopped_ns = now_ns();
  bool is_coarse = held.left_alone_ns >= (kCoarsePeriods - 1) * sampler_.period_ns();
  std::span<RawSample> samples = held.clock->take();
  if (!samples.empty() && !samples.back().in_kernel) {  // else it finished its system call first
    waited_ns = held.stopped_ns - std::min(held.stopped_ns, samples.back().time_ns);
  }
  held.usual_wait_ns = (held.usual_wait_ns * (kAveragedWaits - 1) + waited_ns) / kAveragedWaits;
  auto end = [&held, begin_cpu_ns, go_on = std::move(go_on)] {
    uint64_t after_wait_ns = held.usual_wait_ns > kLongWaitNs ? std::min(held.usual_wait_ns, kLongestRestNs) : 0;
    held.left_alone_ns = std::max(rest_after(thread_cpu_ns() - begin_cpu_ns), after_wait_ns);
    held.clock->rearm(held.left_alone_ns);
    go_on();
  };
  memory_.begin(held.tid, std::move(end));
  std::optional<StoppedRegisters> registers = read_stopped_registers(held.tid);
  catch_up();
  for (RawSample& sample : samples) {
    bool is_here = &sample == &samples.back() && registers && is_same_moment(sample, registers->user);
    if (is_here) {
      uint64_t sp = registers->user.value[register_numbers(host_arch()).sp];
      sample.stack = {stack_.data(), memory_.read(sp, stack_)};
      sample.memory = &memory_;
    }
    ++looks_;
    late_ += is_here ? 0 : 1;
    coarse_ += is_coarse ? 1 : 0;
    hand_over(sample);
    if (is_here) { judge_depth(held, sample); }
  }
  memory_.finish();
}

// A thread can only be detached while stopped. The kernel detaches one that cannot stop now when this process ends.
void DeepThreads::release_all() {
  if (threads_.empty()) { return; }
  sampler_.disable();
  for (auto& [tid, held] : threads_) {
    if (!held->by_ticks) { held->clock->stop(); }
    if (!held->interrupted) { ptrace_call(PTRACE_INTERRUPT, tid, 0, 0); }
  }
  uint64_t deadline = now_ns() + kPatienceNs;
  while (!threads_.empty() && now_ns() < deadline) {
    gone_.clear();
    for (auto& [tid, held] : threads_) {
      siginfo_t info{};
      bool known = ::waitid(P_PID, static_cast<id_t>(tid), &info, WSTOPPED | WNOHANG | __WALL) == 0;
      if (known && info.si_pid != 0) {
        int status = info.si_status << 8 | 0x7f, event = status >> 16;
        bool is_own = event == 0 && !(held->clock && held->clock->has_stopped(WSTOPSIG(status)));
        ptrace_call(PTRACE_DETACH, tid, 0, static_cast<unsigned long>(is_own ? WSTOPSIG(status) : 0));
        gone_.push_back(tid);
        continue;
      }
      info.si_pid = 0;
      known = ::waitid(P_PID, static_cast<id_t>(tid), &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
      if (known && !is_end(info)) { continue; }
      if (tid != child_) { ::waitpid(tid, nullptr, __WALL | WNOHANG); }
      gone_.push_back(tid);
    }
    for (pid_t tid : gone_) { forget(tid); }
    if (threads_.empty()) { break; }
    pollfd wait{sigchld_fd_.get(), POLLIN, 0};
    ::poll(&wait, 1, 2);
    signalfd_siginfo infos[16];
    while (::read(sigchld_fd_.get(), infos, sizeof infos) == sizeof infos) {}
  }
  while (!threads_.empty()) { forget(threads_.begin()->first); }
}

}  // namespace wick
