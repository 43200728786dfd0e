// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
//
// Detaches from the target. A thread can only be detached while stopped, so each is interrupted once more and detached at the
// next stop of any kind, with that stop's signal. A thread that cannot stop now (it waits for a vfork child or a disk) stays
// attached once nothing has stopped for a while: it keeps running, and the kernel detaches it when this process ends.
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <algorithm>

#include "base/clock.h"
#include "os/proc_tasks.h"
#include "record/ptrace_call.h"
#include "record/ptrace_engine.h"

namespace wick {
namespace {
constexpr uint64_t kPatienceNs = 2'000'000'000, kPollNs = 2'000'000;
}  // namespace

void PtraceEngine::detach_all() {
  for (auto& [tid, thread] : threads_) { sampler_.count(*thread); }
  sampler_.disable();
  for (const auto& [tid, orphan] : orphans_) {
    ptrace_call(PTRACE_DETACH, tid, 0, 0);
    let_go_.insert(tid);
  }
  orphans_.clear();
  for (auto& [tid, thread] : threads_) {
    bool can_stop = thread->state == TracedThread::State::kRunning || thread->state == TracedThread::State::kListening;
    if (thread->is_leader() && has_ended(tid, tid)) {
      thread->state = TracedThread::State::kEnded;
    } else if (can_stop && !thread->interrupted) {
      ptrace_call(PTRACE_INTERRUPT, tid, 0, 0);
    }
  }
  uint64_t deadline = now_ns() + kPatienceNs;
  auto is_held = [](const auto& entry) { return entry.second->state != TracedThread::State::kEnded; };
  for (;;) {
    int status = 0;
    for (pid_t tid; (tid = ::waitpid(-1, &status, __WALL | __WNOTHREAD | WNOHANG)) > 0;) {
      if (WIFSTOPPED(status)) {
        detach_stopped(tid, status);
      } else {
        on_death(tid, status);
      }
      deadline = now_ns() + kPatienceNs;  // on a starved machine, hundreds of threads take a while
    }
    bool done = std::none_of(threads_.begin(), threads_.end(), is_held);
    if (done || now_ns() >= deadline) { break; }
    wait_for_events(-1, kPollNs);
  }
}

void PtraceEngine::detach_stopped(pid_t tid, int status) {
  int event = status >> 16;
  auto found = threads_.find(tid);
  bool tells_of_another = event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK || event == PTRACE_EVENT_CLONE;
  unsigned long other = 0;
  if (found == threads_.end()) {
    let_go_.insert(tid);  // its parent's stop is still pending
  } else if (tells_of_another && ptrace_call(PTRACE_GETEVENTMSG, tid, 0, reinterpret_cast<unsigned long>(&other)) == 0) {
    on_new_task(*found->second, static_cast<pid_t>(other));  // to be waited for like the others
  } else if (event == PTRACE_EVENT_EXEC) {
    TracedProcess* process = found->second->process;
    std::vector<pid_t> gone;
    for (const auto& [thread_id, thread] : threads_) {
      if (thread->process == process && thread_id != tid) { gone.push_back(thread_id); }
    }
    for (pid_t thread_id : gone) { erase_thread(thread_id); }
  }
  ptrace_call(PTRACE_DETACH, tid, 0, event == 0 ? static_cast<unsigned long>(WSTOPSIG(status)) : 0);
  // Not an exit: the thread keeps running unobserved.
  found = threads_.find(tid);
  if (found != threads_.end()) {
    report_time(*found->second);
    found->second->exit_reported = true;
    erase_thread(tid);
  }
}

}  // namespace wick
