// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who runs, and what is mapped where, while a recording goes on: side events in, address spaces and thread rows out.

#include <cstdint>
#include <functional>
#include <memory>
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

namespace wick {

// One program in a process: exec begins another.
struct LiveProcess {
  uint32_t pid = 0, parent_pid = 0;
  std::string name;
  uint64_t start_ns = 0;
  std::shared_ptr<const AddressSpace> space;  // never null
  std::shared_ptr<JitFiles> jit;              // null while all of its code is in files
  capture::ThreadId row;                      // of its first thread; invalid until something was sampled
  uint32_t threads = 0;                       // alive, that we know of
  bool ran = false;                           // was seen in user space: its exec is over
  bool copy = false;                          // forked, and has run no other program since: has the code of its parent
};

struct LiveThread {
  uint32_t tid = 0;
  std::shared_ptr<LiveProcess> process;
  std::string name;
  uint64_t start_ns = 0;
  capture::ThreadId row;
  bool sampled = false;

  // The last stack, root first, so that the part it has in common with the next one need not be looked up again.
  std::vector<uint64_t> last_addresses;
  std::vector<capture::StackId> last_stacks;  // beside them
  uint64_t last_serial = 0;
};

// Where the files are found that a recording of the past has mapped. Without it, a process is alive and can be asked.
using OpenRecorded = std::function<const LoadedModule*(ModuleStore& modules, const MmapEvent& event)>;

class ProcessTable {
 public:
  ProcessTable(ModuleStore& modules, capture::RowSink& writer, OpenRecorded open = {},
               JitFiles::Life life = JitFiles::Life::kMayLive)
      : modules_(modules), writer_(writer), open_(std::move(open)), life_(life) {}

  void apply(const SideEvent& event);
  // The thread of a sample, with its row in the capture. Valid until drop_ended().
  LiveThread& sampled_thread(uint32_t pid, uint32_t tid, uint64_t time_ns);
  // Threads that ended are kept until here, so that samples from before their end can still be worked on.
  void drop_ended() { ended_.clear(); }

  // By their numbers: a process stays one whatever it executes.
  size_t sampled_threads() const { return sampled_tids_.size(); }
  size_t sampled_processes() const { return sampled_pids_.size(); }

 private:
  LiveThread& thread(uint32_t pid, uint32_t tid, uint64_t time_ns);
  LiveThread& add_thread(uint32_t tid, std::shared_ptr<LiveProcess> process, const std::string& name, uint64_t time_ns);
  void add_row(LiveThread& thread);
  capture::Thread row_of(const LiveThread& thread, uint64_t end_ns = 0) const;
  void end_thread(uint32_t tid, uint64_t time_ns);
  std::shared_ptr<JitFiles> find_jit(LiveProcess& process);

  void on(const MmapEvent& event);
  void on(const MunmapEvent& event);
  void on(const ForkEvent& event);
  void on(const ExitEvent& event);
  void on(const CommEvent& event);

  ModuleStore& modules_;
  capture::RowSink& writer_;
  OpenRecorded open_;
  JitFiles::Life life_;
  std::unordered_map<uint32_t, std::unique_ptr<LiveThread>> threads_;     // by tid
  std::unordered_map<uint32_t, std::shared_ptr<LiveProcess>> processes_;  // by pid
  std::vector<std::unique_ptr<LiveThread>> ended_;
  std::unordered_set<uint32_t> sampled_tids_, sampled_pids_;
};

}  // namespace wick
