// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which code is mapped where in a traced process, kept right while it loads and unloads libraries.
//
// ptrace does not tell of mmap and munmap. Stopping at each system call would (PTRACE_SYSCALL), but costs the target many times
// more than all sampling. So the mappings are compared at samples: from Linux 6.11 on the kernel answers for one address
// (PROCMAP_QUERY, half a microsecond), which is asked for each sampled address, so that another library at the same place is
// noticed at its first sample. The callers' addresses are not known here; for them the process's size in pages is watched, and
// all of /proc/PID/maps is read again when it changed, and now and then. Reading it is bounded to about one part in a hundred
// of the time; a process with so many mappings that this is seldom gets the sampled one mended alone.

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "base/fd.h"
#include "capture/raw.h"

namespace wick {

// What changed between two states of a process (both sorted by address): first what is gone, then what is new.
std::vector<SideEvent> compare_mappings(const std::vector<MmapEvent>& before, const std::vector<MmapEvent>& after,
                                        uint64_t time_ns);

class ProcessMaps {
 public:
  explicit ProcessMaps(pid_t pid) : pid_(pid) {}

  // A fork has the mappings of its parent, and nothing has to be told of them.
  void inherit(const ProcessMaps& parent) { known_ = parent.known_; }
  // Another program: reads everything anew.
  void begin_program(uint64_t time_ns, std::vector<SideEvent>& out);
  // The thread `tid` of the process stands at `pc`. Appends what is not as known; gives whether there was anything.
  bool check(uint64_t pc, pid_t tid, uint64_t time_ns, std::vector<SideEvent>& out);

 private:
  enum class Answer { kAsKnown, kDiffers, kNotCode, kCannotTell };

  const MmapEvent* find_known(uint64_t address) const;
  Answer query(uint64_t pc, MmapEvent& found);
  bool size_changed(pid_t tid, uint64_t time_ns);
  // Through a living thread: the first one may have ended before the others, and then shows no memory.
  bool reread(pid_t tid, uint64_t time_ns, std::vector<SideEvent>& out);
  bool mend(MmapEvent mapping, uint64_t time_ns, std::vector<SideEvent>& out);

  pid_t pid_;
  std::vector<MmapEvent> known_;  // sorted by start
  Fd maps_fd_, statm_fd_;
  bool can_query_ = true;
  uint64_t size_pages_ = 0, size_time_ns_ = 0;
  uint64_t read_time_ns_ = 0, read_cost_ns_ = 0;
};

}  // namespace wick
