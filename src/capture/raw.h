// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a recording engine (perf rings, ptrace) hands on: samples with raw registers and stack bytes, and the side events
// that say which files were mapped where. Both sorted by time. All times are CLOCK_MONOTONIC nanoseconds.

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/cpu.h"

namespace wick {

// A file (or anonymous memory) became executable memory of a process.
struct MmapEvent {
  uint64_t time_ns = 0;
  uint32_t pid = 0, tid = 0;
  uint64_t start = 0, length = 0, file_offset = 0;
  uint64_t device = 0, inode = 0;  // 0: not a file, or not known
  std::string path;                // as the process sees it; "[vdso]", "//anon" and the like for what is no file
  std::string build_id = {};       // hex, where the record has it (then it has no inode)
};
// A process or thread began. A new thread has pid == parent_pid.
struct ForkEvent {
  uint64_t time_ns = 0;
  uint32_t pid = 0, parent_pid = 0, tid = 0, parent_tid = 0;
};
struct ExitEvent {
  uint64_t time_ns = 0;
  uint32_t pid = 0, tid = 0;
};
// A thread got a name. `exec`: by starting another program, so that all earlier mappings are gone.
struct CommEvent {
  uint64_t time_ns = 0;
  uint32_t pid = 0, tid = 0;
  bool exec = false;
  std::string name;
};
// The range is no longer mapped (ptrace engine only: the kernel's records do not tell of munmap).
struct MunmapEvent {
  uint64_t time_ns = 0;
  uint32_t pid = 0;
  uint64_t start = 0, length = 0;
};

using SideEvent = std::variant<MmapEvent, ForkEvent, ExitEvent, CommEvent, MunmapEvent>;
inline uint64_t time_of(const SideEvent& event) {
  return std::visit([](const auto& e) { return e.time_ns; }, event);
}

// One sample. The spans point into the engine's memory and are valid only while the batch is handed over.
struct RawSample {
  uint64_t time_ns = 0;
  uint32_t pid = 0, tid = 0, cpu = 0;
  uint32_t event = 0;      // index into Info::events
  uint64_t weight = 0;     // in the event's unit (nanoseconds for clocks)
  bool in_kernel = false;  // the interrupted code; ip is then a kernel address
  bool is_32bit = false;   // the program: its registers mean nothing to our tables
  uint64_t ip = 0;
  Registers user;                          // valid == 0: a kernel thread, or not asked for, or 32-bit
  std::span<const uint8_t> stack;          // user stack, copied from user's stack pointer upwards
  std::span<const uint64_t> kernel_chain;  // innermost first, without context markers
  std::span<const uint64_t> user_chain;    // where the kernel walked frame pointers instead; innermost first
};

struct RawBatch {
  std::vector<SideEvent> side;  // every side event that can matter to these samples is in this batch or an earlier one
  std::vector<RawSample> samples;
};

class RawSink {
 public:
  virtual ~RawSink() = default;
  virtual void consume(RawBatch& batch) = 0;
};

}  // namespace wick
