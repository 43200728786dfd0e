// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sampling with ptrace if perf_event_open is denied: a launched command, its threads and children.
//
// StopSampler samples the threads, this class tracks their lifetimes, and ptrace_maps.h their mappings.
//
// Rejected: PTRACE_ATTACH (its SIGSTOP races with real ones), PTRACE_O_EXITKILL (the target must outlive a killed wick), SIGPROF
// timers in the target (they change the results of its system calls), and stopping all threads to look at them together.

#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/fd.h"
#include "os/process_state.h"
#include "record/engine.h"
#include "record/launch.h"
#include "record/machine.h"
#include "record/ptrace_tasks.h"

namespace wick {

// Fails with a hint if the options ask for something ptrace cannot do (a running process, complete CPUs).
Result<std::unique_ptr<Engine>> make_ptrace_engine(const RecordOptions& options);
EngineInfo describe_ptrace_engine(const RecordOptions& options, const Machine& machine);

// All calls must come from one thread (ptrace is bound to the attaching thread), which must not wait for its own children
// meanwhile. Threads started before start() should block SIGCHLD, or stops may be noticed only at the next tick.
class PtraceEngine final : public Engine {
 public:
  explicit PtraceEngine(RecordOptions options);
  ~PtraceEngine() override;

  EngineInfo info() const override { return describe_ptrace_engine(options_, {}); }
  Status start(const sigset_t& child_signal_mask) override;
  void enable() override;
  Result<TargetState> pump(RawSink& sink, int wake_fd, uint64_t deadline_ns) override;
  void stop(RawSink& sink) override;

  pid_t launched_pid() const override { return launched_pid_; }
  std::optional<int> exit_status() const override { return exit_status_; }
  std::vector<EngineCounter> counters() const override;
  std::vector<std::string> notes() const override { return notes_; }

 private:
  // ptrace_engine.cc: lifetime of the target
  Status take_sigchld();
  Status wait_for_exec(Launch& launch);
  bool answer_stops();
  void answer(pid_t tid, int status);
  void answer_stop(TracedThread& thread, int status);
  void resume(TracedThread& thread, int signal_number);
  TracedThread& add_thread(pid_t tid, TracedProcess& process);
  TracedProcess& add_process(pid_t pid);
  void erase_thread(pid_t tid);
  void on_new_task(TracedThread& parent, pid_t tid);
  void on_exec(TracedThread& thread);
  void begin_program(TracedProcess& process);
  void on_death(pid_t tid, int status);
  void adopt_orphans(uint64_t now);
  bool wait_for_events(int wake_fd, uint64_t timeout_ns);
  void hand_over();

  // ptrace_detach.cc: detaching
  void detach_all();
  void detach_stopped(pid_t tid, int status);

  void sample(TracedThread& thread, const std::function<void()>& go_on);
  void report_time(TracedThread& thread);
  void read_name(TracedThread& thread);
  uint64_t stamp();

  RecordOptions options_;
  StopSampler sampler_;
  RawSink* sink_ = nullptr;  // while pump() or stop() runs
  pid_t launched_pid_ = -1;
  std::optional<int> exit_status_;
  std::vector<std::string> notes_;
  bool has_schedstat_ = true, stopped_ = false;

  Fd sigchld_fd_;
  bool unblock_sigchld_ = false;  // at the end
  std::optional<DefaultSigchld> sigchld_;
  std::optional<RaisedFileLimit> file_limit_;
  std::optional<PromptScheduling> scheduling_;

  std::unordered_map<pid_t, std::unique_ptr<TracedProcess>> processes_;
  std::unordered_map<pid_t, std::unique_ptr<TracedThread>> threads_;
  // New tasks whose first stop came before the stop that identifies their parent, with the time.
  struct Orphan {
    int status = 0;
    uint64_t time_ns = 0;
  };
  std::unordered_map<pid_t, Orphan> orphans_;
  std::unordered_set<pid_t> let_go_;  // detached before their parent's stop
  size_t most_kept_open_ = 0;         // limit of threads whose files stay open

  uint64_t woke_ns_ = 0;         // last wake-up
  std::vector<SideEvent> side_;  // not passed on yet
  uint64_t last_stamp_ns_ = 0, oldest_side_ns_ = 0;
  uint64_t stops_ = 0, samples_ = 0;
};

}  // namespace wick
