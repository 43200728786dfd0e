// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// THE profile: every view reads it and every importer creates one. Tables of rows that refer to each other by ID. Only
// ProfileBuilder (model/profile_builder.h) creates and changes a profile. A stack is (frame, calling stack), and callers have
// smaller IDs than callees, so one pass in ID order visits callers first. Totals add up: every sample counts once, and losses()
// has the lost ones.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "model/recorded_code.h"

namespace wick {

using StringId = Id<struct StringTag>;
using ModuleId = Id<struct ModuleTag>;
using FunctionId = Id<struct FunctionTag>;
using FrameId = Id<struct FrameTag>;
using StackId = Id<struct StackTag>;
using ProcessId = Id<struct ProcessTag>;
using ThreadId = Id<struct ThreadTag>;
using EventId = Id<struct EventTag>;
using WaitId = Id<struct WaitTag>;

// IDs have `{}`, so that a row can be written with the relevant fields only: {.function = f, .line = 3}.
struct Module {
  StringId name{} /* base name, for people */, path{}, build_id{};
  bool kernel = false;
  bool operator==(const Module&) const = default;
};

// `name` is shown to users (demangled); a function without a symbol is "[file]" or "[file+0x…]" and has known == false.
struct Function {
  StringId name{}, raw_name{};
  ModuleId module{};
  bool known = true;
  bool operator==(const Function&) const = default;
};

// A location in a function. `inlined`: the function is inlined into the next outer frame.
struct Frame {
  FunctionId function{};
  uint64_t address = 0;  // 0: unknown
  StringId file{};       // invalid: unknown
  uint32_t line = 0, column = 0;
  bool inlined = false;
  uint16_t folded = 0;  // number of frames shown as this one; 0: not folded
  bool operator==(const Frame&) const = default;
};

// Where a frame without a symbol is in its module's file, in the terms of the imported format. The file may have the symbol
// (pipeline/name_imported.h).
struct FramePlace {
  enum class Space : uint8_t {
    kLinked,      // an address as linked
    kRelative,    // as linked, relative to the first segment
    kFileOffset,  // offset in the file
  };
  FrameId frame{};
  Space space = Space::kLinked;
  uint64_t value = 0;
  bool callers_are_behind = false;  // in calling frames it is the return address
  bool operator==(const FramePlace&) const = default;
};

struct Stack {
  FrameId frame{};
  StackId caller{};
  bool operator==(const Stack&) const = default;
};

struct Process {
  uint32_t pid = 0, parent_pid = 0;
  StringId name{};
  uint64_t start_ns = 0, end_ns = 0;
  bool operator==(const Process&) const = default;
};
struct Thread {
  ProcessId process{};
  uint32_t tid = 0;
  StringId name{};
  uint64_t start_ns = 0, end_ns = 0;
  uint64_t ready_ns = 0, blocked_ns = 0;  // without a CPU, and waiting for something; 0: none, or not recorded
  bool operator==(const Thread&) const = default;
};

// Names of events of time in which a thread did not run: it could, but had no CPU; it waited for something.
inline constexpr const char* kReadyEvent = "ready";
inline constexpr const char* kBlockedEvent = "blocked";

struct Event {
  StringId name{}, unit{};
  uint64_t rate_hz = 0;
  uint64_t divisor = 1;  // weights are multiples of 1/divisor: files may have decimal counts
  bool operator==(const Event&) const = default;
};

// A time in which a thread waited, as far as it is known. Samples refer to it.
struct Wait {
  StringId kind{};    // "lock", "socket", …
  StringId object{};  // what it waited for; invalid: unknown
  uint64_t length_ns = 0;
  bool has_ended = true;  // false: another sample has the rest
  bool operator==(const Wait&) const = default;
};

struct Sample {
  uint64_t time_ns = 0;
  ThreadId thread{};
  StackId stack{};
  EventId event{};
  uint32_t cpu = 0;
  int64_t weight = 0;
  uint64_t count = 1;  // samples in this row: other tools' files may have merged them
  WaitId wait{};       // invalid: the thread was running, or it is unknown why not
  bool operator==(const Sample&) const = default;
};

// Data that is missing or incomplete. `samples`: counts samples that were taken and are not here.
struct Loss {
  StringId kind{};
  uint64_t count = 0;
  bool samples = false;
  EventId event{};  // whose samples; invalid: unknown
  bool operator==(const Loss&) const = default;
};

// How the stack of a sample was completed.
enum class StackWay : uint8_t {
  kCopied,         // from the bytes copied with the sample
  kStopped,        // from the thread's memory while it was stopped
  kCrossed,        // like these, but with frame pointers in code without unwind tables
  kGuessed,        // by an older wick, from memory of another time
  kFramePointers,  // by the kernel
  kNone,           // has no user stack, or none was requested
  kTruncated,
};
inline constexpr size_t kStackWays = 7;
inline constexpr const char* kStackWayNames[kStackWays] = {"copied",         "stopped", "crossed", "guessed",
                                                           "frame_pointers", "none",    "cut"};

// For the first event, in its unit.
struct TimeTotals {
  uint64_t counted = 0, sampled = 0, unsampled = 0;
  uint64_t unsampled_between = 0;  // part of `unsampled`: of threads with many samples
  bool operator==(const TimeTotals&) const = default;
};

// Which kernel was running, and where it was: each boot may load it at another address.
struct KernelIdentity {
  std::string release, build_id;  // empty: unknown
  std::string boot_id;            // empty: unknown
  std::string symbol;             // at `address`; empty: unknown
  uint64_t address = 0;
  bool is_this_machine = false;  // without a boot ID: host name and release are those of this machine
  bool operator==(const KernelIdentity&) const = default;
};

// The profile as a whole: for headings, and how to read the tables.
struct ProfileAbout {
  std::vector<std::string> command;
  std::string target;          // "whole system" etc., if not a program
  uint64_t start_ns = 0;       // views count sample times from here
  uint64_t start_wall_ns = 0;  // 0: unknown
  uint64_t duration_ns = 0;    // as the file states; 0: derived from samples and threads
  bool has_times = true;       // false: the file has no sample times
  bool losses_known = true;    // false: the number of lost samples is unknown
  bool has_counts = true;      // false: Sample::count adds nothing to the weight; samples were not counted
  // Two profiles to compare: events()[0] is "before", events()[1] "after", with the same unit and divisor.
  bool is_difference = false;
  // Whether the first event is the main one. False: file order (perf.data and its text have different orders).
  bool events_ranked = true;
  bool names_as_read = false;  // read by another tool's rules; written unchanged
  std::string imported_from;   // "perf script text" etc.; empty: a wick recording
  // What was in the file but is not in this profile, because samples were merged or no view needs it.
  struct LeftBehind {
    bool times = false, cpus = false, labels = false;
    bool operator==(const LeftBehind&) const = default;
  } left_behind;
  // For recordings: samples by how their stacks were completed, and the kernel's count for the recorded threads.
  std::optional<std::array<uint64_t, kStackWays>> stack_ways;
  std::optional<TimeTotals> cpu_time;
  std::shared_ptr<const RecordedCode> recorded_code;  // null: none
  KernelIdentity kernel;

  bool operator==(const ProfileAbout&) const = default;
};

class Profile {
 public:
  const std::vector<std::string>& strings() const { return strings_; }
  const std::vector<Module>& modules() const { return modules_; }
  const std::vector<Function>& functions() const { return functions_; }
  const std::vector<Frame>& frames() const { return frames_; }
  const std::vector<FramePlace>& places() const { return places_; }  // of frames without symbols, if known; none in recordings
  const std::vector<Stack>& stacks() const { return stacks_; }
  const std::vector<Process>& processes() const { return processes_; }
  const std::vector<Thread>& threads() const { return threads_; }
  const std::vector<Event>& events() const { return events_; }
  const std::vector<Sample>& samples() const { return samples_; }  // sorted by time
  const std::vector<Wait>& waits() const { return waits_; }
  const std::vector<Loss>& losses() const { return losses_; }
  // A damaged file, a module that has changed, …
  const std::vector<std::string>& warnings() const { return warnings_; }

  const ProfileAbout& about() const { return about_; }
  const std::vector<std::string>& command() const { return about_.command; }
  const std::string& target() const { return about_.target; }
  uint64_t start_ns() const { return about_.start_ns; }
  const std::shared_ptr<const RecordedCode>& recorded_code() const { return about_.recorded_code; }
  uint64_t start_wall_ns() const { return about_.start_wall_ns; }
  uint64_t duration_ns() const { return about_.duration_ns; }
  bool has_times() const { return about_.has_times; }
  bool losses_known() const { return about_.losses_known; }
  bool has_counts() const { return about_.has_counts; }
  bool is_difference() const { return about_.is_difference; }
  bool events_ranked() const { return about_.events_ranked; }
  bool names_as_read() const { return about_.names_as_read; }
  const std::string& imported_from() const { return about_.imported_from; }
  const ProfileAbout::LeftBehind& left_behind() const { return about_.left_behind; }
  const std::optional<std::array<uint64_t, kStackWays>>& stack_ways() const { return about_.stack_ways; }
  const std::optional<TimeTotals>& cpu_time() const { return about_.cpu_time; }

  std::string_view text(StringId id) const { return id.valid() ? std::string_view(strings_[id.value]) : std::string_view(); }
  const Module& operator[](ModuleId id) const { return modules_[id.value]; }
  const Function& operator[](FunctionId id) const { return functions_[id.value]; }
  const Frame& operator[](FrameId id) const { return frames_[id.value]; }
  const Stack& operator[](StackId id) const { return stacks_[id.value]; }
  const Process& operator[](ProcessId id) const { return processes_[id.value]; }
  const Thread& operator[](ThreadId id) const { return threads_[id.value]; }
  const Event& operator[](EventId id) const { return events_[id.value]; }
  const Wait& operator[](WaitId id) const { return waits_[id.value]; }

  bool operator==(const Profile&) const = default;

 private:
  friend class ProfileBuilder;
  friend struct BrokenProfile;  // for a test that violates the invariants above

  std::vector<std::string> strings_;
  std::vector<Module> modules_;
  std::vector<Function> functions_;
  std::vector<Frame> frames_;
  std::vector<FramePlace> places_;
  std::vector<Stack> stacks_;
  std::vector<Process> processes_;
  std::vector<Thread> threads_;
  std::vector<Event> events_;
  std::vector<Wait> waits_;
  std::vector<Sample> samples_;
  std::vector<Loss> losses_;
  std::vector<std::string> warnings_;
  ProfileAbout about_;
};

}  // namespace wick
