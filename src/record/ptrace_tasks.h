// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The processes and threads that the ptrace engine holds, and the order in which it asks them whether they run.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "record/ptrace_credit.h"
#include "record/ptrace_maps.h"
#include "record/ptrace_probe.h"

namespace wick {

struct TracedProcess {
  explicit TracedProcess(pid_t process_id) : pid(process_id), maps(process_id) {}

  pid_t pid;
  ProcessMaps maps;
  uint64_t mapped_ns = 0;  // when its mappings were last seen to change
  size_t threads = 0;
};

struct TracedThread {
  enum class State {
    kNew,  // attached by the kernel; its first stop has not been seen
    kRunning,
    kListening,  // stopped by SIGSTOP and the like, as a whole process: waits for SIGCONT
    kExiting,    // past its exit stop; the first thread of a process stays so until all others have ended
  };

  TracedThread(pid_t thread_id, TracedProcess& owner, TaskProbe task_probe, uint64_t period_ns, uint64_t time_ns)
      : tid(thread_id), process(&owner), probe(std::move(task_probe)), credit(period_ns), last_sample_ns(time_ns) {}

  bool is_leader() const { return tid == process->pid; }

  pid_t tid;
  TracedProcess* process;
  State state = State::kNew;
  bool interrupted = false;  // a stop was asked for, to be sampled
  TaskProbe probe;
  SampleCredit credit;
  RunTime asked;                              // when it was last asked or stopped
  uint64_t stops = 0, stops_seen = 0;         // each of them gives up the CPU once
  std::optional<uint64_t> given_up_seen = 0;  // we have it from its birth; nothing: not known
  uint64_t last_sample_ns;                    // or when it began
  uint64_t samples = 0;
  std::string name;
  uint64_t name_read_ns = 0;
  bool exit_told = false;

  unsigned quiet_checks = 0;  // asked so often in a row without having run
  bool is_active = false;     // in which list it is, and where
  size_t place = 0;
};

// A tick asks every thread that ran lately, and of the others only some in turn: hundreds of sleeping threads cost no more than
// a few.
class WatchList {
 public:
  static constexpr size_t kActivePerTick = 64, kIdlePerTick = 16;
  static constexpr unsigned kChecksUntilIdle = 64;

  void add(TracedThread& thread);
  void remove(TracedThread& thread);
  // After a thread was asked: puts it where it belongs now.
  void settle(TracedThread& thread);
  void pick(std::vector<TracedThread*>& out);
  size_t active() const { return active_.size(); }

 private:
  static void take(std::vector<TracedThread*>& list, size_t& cursor, size_t most, std::vector<TracedThread*>& out);
  static void insert(std::vector<TracedThread*>& list, TracedThread& thread);
  static void erase(std::vector<TracedThread*>& list, TracedThread& thread);

  std::vector<TracedThread*> active_, idle_;
  size_t next_active_ = 0, next_idle_ = 0;
};

}  // namespace wick
