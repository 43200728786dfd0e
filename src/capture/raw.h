// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The output of a recording engine (perf rings, ptrace): samples with raw registers and stack bytes, and side events about
// mappings, threads and processes. Both are sorted by time. All times are CLOCK_MONOTONIC nanoseconds.

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/cpu.h"
#include "capture/wait.h"

namespace wick {

// A process mapped a file (or anonymous memory) executable.
struct MmapEvent {
  uint64_t time_ns = 0;
  uint32_t pid = 0, tid = 0;
  uint64_t start = 0, length = 0, file_offset = 0;
  uint64_t device = 0, inode = 0;  // 0: not a file, or unknown
  std::string path;                // as the process sees it; "[vdso]", "//anon" etc. if not a file
  std::string build_id = {};       // hex, if the record has it (instead of an inode)
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
// A thread was renamed. `exec`: by starting another program, which drops all earlier mappings.
struct CommEvent {
  uint64_t time_ns = 0;
  uint32_t pid = 0, tid = 0;
  bool exec = false;
  std::string name;
};
// The range was unmapped (ptrace engine only: perf has no records of munmap).
struct MunmapEvent {
  uint64_t time_ns = 0;
  uint32_t pid = 0;
  uint64_t start = 0, length = 0;
};

// What a thread used since the last such event, in the unit of the first event: CPU time in nanoseconds for clocks. May arrive
// after the thread's end.
struct CountEvent {
  uint64_t time_ns = 0;
  uint32_t pid = 0, tid = 0;
  int64_t counted = 0;
  uint64_t tail = 0;  // part of it after the last possible sample
};

// How long a thread did not run since the last such event: because it had no CPU, and because it waited for something.
struct WaitCountEvent {
  uint64_t time_ns = 0;
  uint32_t pid = 0, tid = 0;
  uint64_t ready_ns = 0, blocked_ns = 0;
};

using SideEvent = std::variant<MmapEvent, ForkEvent, ExitEvent, CommEvent, MunmapEvent, CountEvent, WaitCountEvent>;
inline uint64_t time_of(const SideEvent& event) {
  return std::visit([](const auto& e) { return e.time_ns; }, event);
}

// The memory of a thread that stays stopped while its sample is processed.
class ThreadMemory {
 public:
  virtual ~ThreadMemory() = default;
  // Reads the mapped bytes from `address` on; returns their number.
  virtual size_t read(uint64_t address, std::span<uint8_t> out) = 0;
  // Whether side events describe the code at these stack addresses correctly. If not, appends the differences. An incomplete
  // stack may have ended because of unreported code.
  virtual bool matches_reported_code(std::span<const uint64_t> addresses, bool is_complete, std::vector<SideEvent>& news) {
    static_cast<void>(addresses), static_cast<void>(is_complete), static_cast<void>(news);
    return true;
  }
  // Reading is complete: the thread may continue.
  virtual void let_go() = 0;
};

// One sample. Spans point into the engine's memory and are valid only while the batch is processed.
struct RawSample {
  uint64_t time_ns = 0;
  uint32_t pid = 0, tid = 0, cpu = 0;
  uint32_t event = 0;      // index into Info::events
  uint64_t weight = 0;     // in the event's unit (nanoseconds for clocks)
  bool in_kernel = false;  // kernel code was interrupted; ip is a kernel address
  bool is_32bit = false;   // a 32-bit program: its registers do not fit the unwind tables
  uint64_t ip = 0;
  Registers user;                          // valid == 0: a kernel thread, not requested, or 32-bit
  std::span<const uint8_t> stack;          // user stack, copied from the stack pointer upwards
  std::span<const uint64_t> kernel_chain;  // innermost first, without context markers
  std::span<const uint64_t> user_chain;    // if the kernel followed frame pointers; innermost first
  ThreadMemory* memory = nullptr;          // the thread is stopped: memory beyond `stack` can be read

  // Of a thread that waited: for what, and for how long until now. `wait_has_ended`: false if it continues.
  const capture::WaitCause* wait = nullptr;
  uint64_t wait_ns = 0;
  bool wait_has_ended = false;

  // Set by the sink.
  bool needs_more = false;  // the stack continues beyond `stack`, or elsewhere in memory
  uint64_t reach = 0;       // bytes from the stack pointer to the outermost word used
};

struct RawBatch {
  std::vector<SideEvent> side;  // every side event relevant to these samples is in this batch or an earlier one
  std::vector<RawSample> samples;
};

class RawSink {
 public:
  virtual ~RawSink() = default;
  virtual void consume(RawBatch& batch) = 0;
};

}  // namespace wick
