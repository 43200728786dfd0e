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

}  // namespace

DeepThreads::DeepThreads(uint64_t rate_hz, uint64_t enough_bytes, pid_t child)
    : sampler_(rate_hz), enough_bytes_(enough_bytes), child_(child) {
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
  if (std::optional<RunTime> time = held->probe.run_time()) { held->credit.begin(time->run_ns); }
  if (threads_.empty()) { sampler_.enable(now_ns()); }
  sampler_.watch(*held);
  threads_[tid] = std::move(held);
  return true;
}

bool DeepThreads::replace(const RawSample& sample) {
  auto found = threads_.find(static_cast<pid_t>(sample.tid));
  if (found == threads_.end()) { return false; }
  Held& held = *found->second;
  if (held.first_ns == 0) { held.first_ns = sample.time_ns; }
  uint64_t recent_ns = std::max({kRecentNs, kRecentPeriods * sampler_.period_ns(), 2 * held.left_alone_ns});
  if (sample.time_ns > held.first_ns + recent_ns) {
    give_up(held);
    return false;
  }
  if (sample.time_ns < held.exec_ns && held.pending > 0) { give_up(held); }
  held.pending += sample.weight;
  ++held.pending_samples;
  held.last.sample = sample;
  std::span<const uint8_t> stack = sample.stack.first(std::min(sample.stack.size(), kMostKept));
  held.last.stack.assign(stack.begin(), stack.end());
  held.last.kernel_chain.assign(sample.kernel_chain.begin(), sample.kernel_chain.end());
  held.last.sample.user_chain = {};
  if (sample.time_ns < held.exec_ns) { give_up(held); }
  return true;
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
  sampler_.forget(*found->second);
  give_up(*found->second);
  threads_.erase(found);
  if (threads_.empty()) { sampler_.disable(); }
}

void DeepThreads::tick(uint64_t now_ns, uint64_t woke_ns) {
  gone_.clear();
  for (const StoppableThread* thread : sampler_.tick(now_ns, woke_ns)) { gone_.push_back(thread->tid); }
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
  auto go_on = [this, &held, group_stop, event, signal_number] {
    auto signal_to_pass = static_cast<unsigned long>(event == 0 ? signal_number : 0);
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
    bool in_vain = sample->needs_more || sample->reach < enough_bytes_ / 2;
    held.useless_stops = in_vain ? held.useless_stops + 1 : 0;
  }
  sampler_.finish();
}

// A thread can only be detached while stopped. The kernel detaches one that cannot stop now when this process ends.
void DeepThreads::release_all() {
  if (threads_.empty()) { return; }
  sampler_.disable();
  for (auto& [tid, held] : threads_) {
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
        ptrace_call(PTRACE_DETACH, tid, 0, static_cast<unsigned long>(event == 0 ? WSTOPSIG(status) : 0));
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
