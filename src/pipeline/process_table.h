// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tracks threads, processes and mappings over a recording: side events in, address spaces and thread rows out.

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "capture/capture.h"
#include "capture/raw.h"
#include "capture/rows.h"
#include "module/address_space.h"
#include "module/jit_files.h"
#include "pipeline/process_source.h"
#include "pipeline/time_balance.h"

namespace wick {

// One program in a process; exec begins another.
struct ProcessLife {
  uint32_t pid = 0, parent_pid = 0;
  std::string name;
  uint64_t start_ns = 0;
  std::shared_ptr<AddressSpace> space;  // never null; unwinding threads hold it
  std::shared_ptr<JitFiles> jit;        // null while all its code is in files
  capture::ThreadId row;                // of its first thread; invalid until something is sampled
  uint32_t threads = 0;                 // known to be alive
  bool ran = false;                     // seen in user space: its exec is complete
  bool copy = false;                    // forked without an exec since: has the code of its parent
};

struct ThreadLife {
  uint32_t tid = 0;
  std::shared_ptr<ProcessLife> process;
  std::string name;
  uint64_t start_ns = 0;
  uint64_t end_ns = 0;
  bool execed = false;  // ended by exec
  capture::ThreadId row;
  bool sampled = false;
  std::optional<int64_t> counted;  // the kernel's count
  uint64_t tail = 0;
  std::optional<uint64_t> ready, blocked;
  uint64_t weight = 0, samples = 0;  // for the first event
  uint64_t carried = 0;              // sampled before the last exec, as long as there is no count

  // The last stack, root first: the part shared with the next stack is not looked up again.
  std::vector<uint64_t> last_addresses;
  std::vector<capture::StackId> last_stacks;  // parallel to last_addresses
  uint64_t last_serial = 0;
};

class ProcessTable {
 public:
  ProcessTable(ProcessSource& source, ModuleStore& modules, capture::RowSink& writer)
      : source_(source), modules_(modules), writer_(writer) {}

  void apply(const SideEvent& event);
  // The thread of a sample, with its row in the capture. Valid until drop_ended().
  ThreadLife& sampled_thread(uint32_t pid, uint32_t tid, uint64_t time_ns);
  void add_weight(ThreadLife& thread, uint64_t weight);
  // Ended threads are kept until here, since samples from before their end may still be pending, and a while longer, since their
  // counts arrive late.
  void drop_ended(uint64_t now_ns);
  const std::vector<ThreadTime>& times() const { return times_; }  // by row

  // Counted by ID: an exec does not make another process.
  size_t sampled_threads() const { return sampled_tids_.size(); }
  size_t sampled_processes() const { return sampled_pids_.size(); }

 private:
  ThreadLife& thread(uint32_t pid, uint32_t tid, uint64_t time_ns);
  ThreadLife& add_thread(uint32_t tid, std::shared_ptr<ProcessLife> process, const std::string& name, uint64_t time_ns);
  void add_row(ThreadLife& thread);
  capture::Thread row_of(const ThreadLife& thread) const;
  void end_thread(uint32_t tid, uint64_t time_ns, bool execed = false);
  void retire(std::unique_ptr<ThreadLife> thread);
  ThreadLife* find_ended(uint32_t pid, uint32_t tid);
  ThreadLife& find_sampled(uint32_t pid, uint32_t tid, uint64_t time_ns);
  ThreadLife* find_counted(uint32_t pid, uint32_t tid, uint64_t time_ns);
  void tell_row(ThreadLife& thread);
  void note_row(const ThreadLife& thread);
  uint32_t name_number(const std::string& name);
  std::shared_ptr<JitFiles> find_jit(ProcessLife& process);

  void on(const MmapEvent& event);
  void on(const MunmapEvent& event);
  void on(const ForkEvent& event);
  void on(const ExitEvent& event);
  void on(const CommEvent& event);
  void on(const CountEvent& event);
  void on(const WaitCountEvent& event);

  ProcessSource& source_;
  ModuleStore& modules_;
  capture::RowSink& writer_;
  std::unordered_map<uint32_t, std::unique_ptr<ThreadLife>> threads_;     // by tid
  std::unordered_map<uint32_t, std::shared_ptr<ProcessLife>> processes_;  // by pid
  std::deque<std::unique_ptr<ThreadLife>> ended_;
  size_t fresh_ended_ = 0;                                // since drop_ended()
  std::unordered_map<uint32_t, ThreadLife*> last_ended_;  // by tid
  std::vector<ThreadTime> times_;
  std::unordered_map<std::string, uint32_t> name_numbers_;
  std::unordered_set<uint32_t> sampled_tids_, sampled_pids_;
};

}  // namespace wick
