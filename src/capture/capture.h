// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a `.wick` file holds, in memory: unwound samples whose stacks are tables of (module, address), who ran, what was lost,
// and the names of what was hit. Tables only ever grow, and a row refers only to earlier rows.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cpu.h"
#include "base/ids.h"

namespace wick::capture {

using ModuleId = Id<struct CapturedModule>;
using FrameId = Id<struct CapturedFrame>;
using StackId = Id<struct CapturedStack>;
using ThreadId = Id<struct CapturedThread>;
using TrackId = Id<struct CapturedTrack>;

enum class ModuleKind : uint8_t {
  kFile = 0,       // an ELF file; frame addresses are as linked (svma)
  kKernel = 1,     // frame addresses as the kernel gave them
  kVdso = 2,       // addresses as linked
  kAnonymous = 3,  // JIT code and the like: addresses as mapped
  kUnknown = 4,    // no mapping known at that address: as mapped
};

struct Module {
  ModuleKind kind = ModuleKind::kFile;
  std::string path;
  std::string build_id; /* hex, or empty */
  friend bool operator==(const Module&, const Module&) = default;
};

// `address` is where to look for the name: for a caller it lies inside the call instruction (return address - 1).
struct Frame {
  ModuleId module;
  uint64_t address = 0;
  friend bool operator==(const Frame&, const Frame&) = default;
};

// A stack is its innermost frame and the stack that called it (invalid id: none).
struct Stack {
  FrameId frame;
  StackId caller;
  friend bool operator==(const Stack&, const Stack&) = default;
};

// One life of a thread: exec begins a new one. `process` is the row of the process's first thread in that life (itself for that
// one).
struct Thread {
  uint32_t pid = 0, tid = 0, parent_pid = 0;
  ThreadId process;
  std::string name;
  uint64_t start_ns = 0, end_ns = 0;  // end 0: lived on, or not known
  // What it has used in the unit of the first event, as the kernel counted it; of that, what came after the last moment at which
  // it could have been sampled. Below zero where samples before its last exec were counted with more than they stand for.
  std::optional<int64_t> counted = {};
  uint64_t tail = 0;
  friend bool operator==(const Thread&, const Thread&) = default;
};

// How a stack came to its end. The first group is complete; every word of it belongs to the moment of the sample, but for those
// marked as old.
enum class StackQuality : uint8_t {
  kWhole = 0,          // walked to the root within the copied bytes
  kLive = 1,           // old: the rest was read from the running process. Not proved
  kJoined = 2,         // old: the rest was taken from the thread's last complete stack. Not proved
  kKernelThread = 3,   // has no user stack
  kFramePointers = 4,  // walked by the kernel (--unwind fp): not judged
  kNotWalked = 5,      // --unwind none
  kMended = 6,         // old: walked past overwritten registers. Not proved
  kStopped = 7,        // walked to the root while the thread was stopped
  kCrossed = 8,        // complete, but crossed code without unwind information by its frame pointers
  kCut = 16,           // more stack than was copied
  kNoRow = 17,         // code without unwind information, and no frame pointer chain
  kBadRow = 18,        // the rule could not be applied: memory or register missing, or it did not move on
  kTooDeep = 19,       // --max-depth, or more frame pointers than are followed
  kNoMapping = 20,     // an address where nothing is known to be mapped
};
constexpr bool is_whole(StackQuality q) { return static_cast<uint8_t>(q) < 16; }

struct Sample {
  uint64_t time_ns = 0;
  ThreadId thread;
  StackId stack;       // invalid: nothing known
  uint32_t event = 0;  // index into Info::events
  uint32_t cpu = 0;
  uint64_t weight = 0;
  StackQuality quality = StackQuality::kWhole;
  friend bool operator==(const Sample&, const Sample&) = default;
};

// One function at an address. `function` is the linkage name as found in the file; demangling is for the reader of a profile.
struct SymbolFrame {
  std::string function, file;
  uint32_t line = 0, column = 0;
  friend bool operator==(const SymbolFrame&, const SymbolFrame&) = default;
};
// All functions at a frame's address, innermost (most inlined) first. Empty: looked for and not found. Where only the bounds of a
// function are known (of a stripped file), one frame whose function is "+0x" and the address in its file where it begins.
struct FrameSymbols {
  FrameId frame;
  std::vector<SymbolFrame> chain;
  friend bool operator==(const FrameSymbols&, const FrameSymbols&) = default;
};

inline bool is_bare(const FrameSymbols& s) { return !s.chain.empty() && s.chain[0].function.starts_with("+0x"); }
inline bool is_named(const FrameSymbols& s) { return !s.chain.empty() && !is_bare(s); }

// The kind belongs to the event, so that weights of two kinds are never added up.
enum class SampleKind : uint8_t {
  kOnCpu,       // the thread was running
  kOffCpu,      // it was waiting, for as long as the weight says
  kAllocation,  // it asked for memory
  kTask,        // what it worked on: a request, a job
  kOther,       // of a later wick
};
// In the file, by kind.
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
  std::vector<std::string> command;  // what was launched; empty when attached
  std::string target;                // what was recorded if not programs: "whole system", "CPUs 0-3", "cgroup web"
  uint64_t start_wall_ns = 0;        // of the real-time clock
  uint64_t start_ns = 0;             // of the samples' clock
  std::vector<Event> events;
  std::vector<std::string> notes;  // what the user was told when recording
  friend bool operator==(const Info&, const Info&) = default;
};

// Named totals. Those whose name begins with "lost." count samples that the kernel (or the engine) made and that are not here;
// see docs/file-format.md for all names.
struct Counter {
  std::string name;
  uint64_t value = 0;
  friend bool operator==(const Counter&, const Counter&) = default;
};

// A named moment, or an interval where `end_ns` is later.
struct Marker {
  std::string name, text;
  ThreadId thread = {};  // invalid: of the whole recording
  uint64_t start_ns = 0, end_ns = 0;
  friend bool operator==(const Marker&, const Marker&) = default;
};

// A quantity over time: memory in use, a frequency, a queue's length. Whole numbers: the unit is chosen to fit ("mW", not "W").
struct Track {
  std::string name, unit;
  ThreadId thread = {};  // invalid: of the whole recording
  friend bool operator==(const Track&, const Track&) = default;
};
struct TrackValue {
  TrackId track;
  uint64_t time_ns = 0;
  int64_t value = 0;
  friend bool operator==(const TrackValue&, const TrackValue&) = default;
};

struct Capture {
  Info info;
  std::vector<Module> modules;
  std::vector<Frame> frames;
  std::vector<Stack> stacks;
  std::vector<Thread> threads;
  std::vector<Sample> samples;
  std::vector<uint64_t> counts;  // beside samples: how many each stands for; empty: one. Not in files
  std::vector<FrameSymbols> symbols;
  std::vector<Counter> counters;  // the last written value of each
  std::vector<Marker> markers;    // by start
  std::vector<Track> tracks;
  std::vector<TrackValue> values;  // by time
  bool complete = false;           // the end mark is there: recording ended in good order
  uint64_t whole_bytes = 0;        // of the file that this was read from: up to the damage, or all of it
  std::string damage;              // what was wrong with the part that could not be read; empty when nothing was
};

}  // namespace wick::capture
