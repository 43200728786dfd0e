// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The contents of a `.wick` file in memory: unwound samples with stacks as tables of (module, address), threads, losses, and
// symbols. Tables only grow, and a row refers only to earlier rows.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cpu.h"
#include "base/ids.h"
#include "capture/wait.h"

namespace wick::capture {

using ModuleId = Id<struct CapturedModule>;
using FrameId = Id<struct CapturedFrame>;
using StackId = Id<struct CapturedStack>;
using ThreadId = Id<struct CapturedThread>;
using TrackId = Id<struct CapturedTrack>;
using CauseId = Id<struct CapturedCause>;
using WaitId = Id<struct CapturedWait>;

enum class ModuleKind : uint8_t {
  kFile = 0,       // an ELF file; frame addresses are as linked (svma)
  kKernel = 1,     // addresses as reported by the kernel
  kVdso = 2,       // addresses as linked
  kAnonymous = 3,  // JIT code etc.: addresses as mapped
  kUnknown = 4,    // no known mapping: addresses as mapped
};

struct Module {
  ModuleKind kind = ModuleKind::kFile;
  std::string path;
  std::string build_id; /* hex, or empty */
  friend bool operator==(const Module&, const Module&) = default;
};

// `address` is the one to symbolize: for callers it is inside the call instruction (return address - 1).
struct Frame {
  ModuleId module;
  uint64_t address = 0;
  friend bool operator==(const Frame&, const Frame&) = default;
};

// A stack is its innermost frame and the calling stack (invalid ID: none).
struct Stack {
  FrameId frame;
  StackId caller;
  friend bool operator==(const Stack&, const Stack&) = default;
};

// A thread between two execs. `process` is the row of the process's first thread at that time (for the first thread, its own).
struct Thread {
  uint32_t pid = 0, tid = 0, parent_pid = 0;
  ThreadId process;
  std::string name;
  uint64_t start_ns = 0, end_ns = 0;  // end 0: still running, or unknown
  // What it used in the unit of the first event, as counted by the kernel, and the part after its last possible sample. Negative
  // if samples before its last exec represented more than was counted.
  std::optional<int64_t> counted = {};
  uint64_t tail = 0;
  // How long it was preempted (or new) without a CPU, and how long it waited for something, by the kernel's records of switches.
  std::optional<uint64_t> ready = {}, blocked = {};
  friend bool operator==(const Thread&, const Thread&) = default;
};

// How unwinding a stack ended. The first group is complete; except for qualities marked as old, every word was read at the time
// of the sample.
enum class StackQuality : uint8_t {
  kWhole = 0,          // unwound to the root within the copied bytes
  kLive = 1,           // old: the rest was read from the running process. Unproven
  kJoined = 2,         // old: the rest was taken from the thread's last complete stack. Unproven
  kKernelThread = 3,   // has no user stack
  kFramePointers = 4,  // unwound by the kernel (--unwind fp): not verified
  kNotWalked = 5,      // --unwind none
  kMended = 6,         // old: unwound past overwritten registers. Unproven
  kStopped = 7,        // unwound to the root while the thread was stopped
  kCrossed = 8,        // complete, but used frame pointers in code without unwind tables
  kCut = 16,           // longer than the copied bytes
  kNoRow = 17,         // code without unwind tables, and no frame pointer chain
  kBadRow = 18,        // the rule failed: memory or a register is missing, or it made no progress
  kTooDeep = 19,       // --max-depth, or too many frame pointers
  kNoMapping = 20,     // an address without a known mapping
  kUnreadable = 21,    // the stack's memory was not there, as while exec replaces the program
  kMissed = 22,        // of a wait that ended before its stack was read
  kNoRegister = 23,    // of a wait, and the rule needs a register that is unknown while a thread waits
};
constexpr bool is_whole(StackQuality q) { return static_cast<uint8_t>(q) < 16; }

// A time in which a thread did not run, as far as it is known: up to the time of the sample that refers to it.
struct Wait {
  CauseId cause;
  uint64_t length_ns = 0;
  bool has_ended = true;  // false: it continues, and another sample has the rest
  friend bool operator==(const Wait&, const Wait&) = default;
};

struct Sample {
  uint64_t time_ns = 0;
  ThreadId thread;
  StackId stack;       // invalid: unknown
  uint32_t event = 0;  // index into Info::events
  uint32_t cpu = 0;
  uint64_t weight = 0;
  StackQuality quality = StackQuality::kWhole;
  WaitId wait = {};  // invalid: the thread was running, or it is unknown why not
  friend bool operator==(const Sample&, const Sample&) = default;
};

// One function at an address. `function` is the linkage name from the file; readers of a profile demangle it.
struct SymbolFrame {
  std::string function, file;
  uint32_t line = 0, column = 0;
  friend bool operator==(const SymbolFrame&, const SymbolFrame&) = default;
};
// All functions at a frame's address, innermost first. Empty: looked up without success. If only a function's bounds are known
// (stripped files): one frame named "+0x" and the function's start address in the file.
struct FrameSymbols {
  FrameId frame;
  std::vector<SymbolFrame> chain;
  friend bool operator==(const FrameSymbols&, const FrameSymbols&) = default;
};

inline bool is_bare(const FrameSymbols& s) { return !s.chain.empty() && s.chain[0].function.starts_with("+0x"); }
inline bool is_named(const FrameSymbols& s) { return !s.chain.empty() && !is_bare(s); }

// The kind belongs to the event, so that costs of two kinds are never added up.
enum class SampleKind : uint8_t {
  kOnCpu,       // the thread was running
  kOffCpu,      // waiting, for as long as the weight says
  kAllocation,  // allocating memory
  kTask,        // working on a request or job
  kOther,       // of a later version
};
// As in the file, by kind.
inline constexpr std::string_view kSampleKindNames[] = {"on-cpu", "off-cpu", "allocation", "task", "other"};

struct Event {
  std::string name;
  std::string unit; /* "ns", "cycles", "samples" … */
  uint64_t rate_hz = 0;
  SampleKind kind = SampleKind::kOnCpu;
  friend bool operator==(const Event&, const Event&) = default;
};

struct Info {
  std::string wick_version, engine /* perf, ptrace */, unwind /* dwarf, fp, none */;
  std::string host, kernel, cpu_model;
  Arch arch = Arch::kUnknown;
  uint32_t cpu_count = 0;
  std::vector<std::string> command;  // empty if attached
  std::string target;                // if not programs: "whole system", "CPUs 0-3", "cgroup web"
  uint64_t start_wall_ns = 0;        // real-time clock
  uint64_t start_ns = 0;             // clock of the samples
  std::vector<Event> events;
  std::vector<std::string> notes;  // printed while recording
  // Which kernel it is, and at which address it was loaded: that of _stext. Empty and 0 if unknown.
  std::string kernel_build_id, boot_id;
  uint64_t kernel_text = 0;
  friend bool operator==(const Info&, const Info&) = default;
};

// Named totals. Names with "lost." count samples that the kernel (or the engine) produced and that are not here;
// docs/file-format.md lists all names.
struct Counter {
  std::string name;
  uint64_t value = 0;
  friend bool operator==(const Counter&, const Counter&) = default;
};

// A named moment, or an interval if `end_ns` is later.
struct Marker {
  std::string name, text;
  ThreadId thread = {};  // invalid: the whole recording
  uint64_t start_ns = 0, end_ns = 0;
  friend bool operator==(const Marker&, const Marker&) = default;
};

// A quantity over time: memory in use, a frequency, the length of a queue. Integers: choose the unit to fit ("mW", not "W").
struct Track {
  std::string name, unit;
  ThreadId thread = {};  // invalid: the whole recording
  friend bool operator==(const Track&, const Track&) = default;
};
struct TrackValue {
  TrackId track;
  uint64_t time_ns = 0;
  int64_t value = 0;
  friend bool operator==(const TrackValue&, const TrackValue&) = default;
};

// The instructions of a sampled function, so that they can be shown where the file is not.
struct CodeBody {
  ModuleId module;
  uint64_t address = 0;  // of the same kind as those of the module's frames
  std::string bytes;
  // Of generated code, where a function may be replaced by another at the same address: the frames in this one, by row. Empty:
  // all of the module at these addresses.
  std::vector<FrameId> frames = {};
  friend bool operator==(const CodeBody&, const CodeBody&) = default;
};
// Consecutive lines of a source file. Long files have several parts.
struct SourceText {
  std::string file;  // as in the debug info
  std::string text;  // complete lines
  friend bool operator==(const SourceText&, const SourceText&) = default;
};

struct Capture {
  Info info;
  std::vector<Module> modules;
  std::vector<Frame> frames;
  std::vector<Stack> stacks;
  std::vector<Thread> threads;
  std::vector<WaitCause> causes;
  std::vector<Wait> waits;
  std::vector<Sample> samples;
  std::vector<uint64_t> counts;  // parallel to samples: how many each represents; empty: one. Not in files
  std::vector<FrameSymbols> symbols;
  std::vector<Counter> counters;  // last value of each
  std::vector<Marker> markers;    // sorted by start
  std::vector<Track> tracks;
  std::vector<TrackValue> values;  // sorted by time
  std::vector<CodeBody> code;
  std::vector<SourceText> sources;  // parts of a file in their order
  bool complete = false;            // has the end mark: recording finished normally
  uint64_t whole_bytes = 0;         // intact bytes of the file that this was read from
  std::string damage;               // the error in the part that could not be read; empty if none
};

}  // namespace wick::capture
