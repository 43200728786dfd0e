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

// What a thread has used since this was last told of it, in the unit of the first event: CPU time in nanoseconds for clocks. May
// come after the thread's end.
struct CountEvent {
  uint64_t time_ns = 0;
  uint32_t pid = 0, tid = 0;
  int64_t counted = 0;
  uint64_t tail = 0;    // of it, after the last moment at which a sample could have been taken
};

using SideEvent = std::variant<MmapEvent, ForkEvent, ExitEvent, CommEvent, MunmapEvent, CountEvent>;
inline uint64_t time_of(const SideEvent& event) {
  return std::visit([](const auto& e) { return e.time_ns; }, event);
}

// The memory of a thread that is stopped for as long as its sample is handed over.
class ThreadMemory {
 public:
  virtual ~ThreadMemory() = default;
  // Reads as much as is mapped from `address` on; returns the number of bytes.
  virtual size_t read(uint64_t address, std::span<uint8_t> out) = 0;
  // Whether code is mapped at these addresses of its stack as side events have told. If not, appends what is different. An
  // incomplete stack may have ended for code that was not told of.
  virtual bool is_code_as_told(std::span<const uint64_t> addresses, bool is_complete, std::vector<SideEvent>& news) {
    static_cast<void>(addresses), static_cast<void>(is_complete), static_cast<void>(news);
    return true;
  }
  // Nothing more is to be read: the thread may go on.
  virtual void let_go() = 0;
};

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
  ThreadMemory* memory = nullptr;          // the thread is stopped: what `stack` does not hold can be read

  // Set by the sink.
  bool needs_more = false;  // the stack continues beyond `stack`, or elsewhere in memory
  uint64_t reach = 0;       // bytes from the stack pointer to the outermost word that was needed
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
