// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The code mapped in a traced process, kept current while it loads and unloads libraries.
//
// ptrace does not report mmap and munmap. Stopping at each system call would (PTRACE_SYSCALL), but costs the target many times
// more than all sampling. So mappings are checked with each sample while the thread is stopped. Since Linux 6.11 the kernel
// answers for one address (PROCMAP_QUERY, half a microsecond); wick queries each mapping on the stack and so notices a different
// library at the same address with its first sample. Older kernels only have the list of all mappings. It is read again when the
// process's size in pages changed, when a stack leads to unknown code, and from time to time; a library that replaced another of
// the same size goes unnoticed until then. Reading is limited to a small part of the time.

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <vector>

#include "base/fd.h"
#include "capture/raw.h"

namespace wick {

// The changes between two states of a process (both sorted by address): first removed mappings, then new ones.
std::vector<SideEvent> compare_mappings(const std::vector<MmapEvent>& before, const std::vector<MmapEvent>& after,
                                        uint64_t time_ns);

class ProcessMaps {
 public:
  // `can_query`: whether to query single addresses if the kernel supports it.
  explicit ProcessMaps(pid_t pid, bool can_query = true) : pid_(pid), can_query_(can_query) {}

  // A fork has the mappings of its parent, which need no events.
  void inherit(const ProcessMaps& parent) { known_ = parent.known_; }
  // Another program: reads everything again.
  void begin_program(uint64_t time_ns, std::vector<SideEvent>& out);
  // A thread `tid` of the process is stopped with these addresses on its stack. Appends the changes and returns whether there
  // were any. For an incomplete stack other addresses may matter: then all mappings are compared, at a limited rate.
  bool check(std::span<const uint64_t> code, pid_t tid, uint64_t time_ns, std::vector<SideEvent>& out, bool is_complete = true);

 private:
  enum class Answer { kAsKnown, kDiffers, kNotCode, kCannotTell };

  const MmapEvent* find_known(uint64_t address) const;
  Answer query(uint64_t address, const MmapEvent* known, MmapEvent& found);
  bool check_by_reading(std::span<const uint64_t> code, pid_t tid, uint64_t time_ns, std::vector<SideEvent>& out);
  bool may_read(uint64_t time_ns, uint64_t share) const;
  bool size_changed(pid_t tid);
  // Reads through a running thread: the first one may have ended before the others, and then shows no memory.
  bool reread(pid_t tid, uint64_t time_ns, std::vector<SideEvent>& out);
  // Removes known mappings in this range.
  void drop(uint64_t start, uint64_t end, uint64_t time_ns, std::vector<SideEvent>& out);
  void mend(MmapEvent mapping, uint64_t time_ns, std::vector<SideEvent>& out);

  pid_t pid_;
  std::vector<MmapEvent> known_;  // sorted by start
  Fd maps_fd_, statm_fd_;
  bool can_query_;
  uint64_t size_pages_ = 0;
  uint64_t read_time_ns_ = 0, read_cost_ns_ = 0;
  std::vector<uint64_t> right_;  // starts of the mappings that this check confirmed
};

}  // namespace wick
