// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// THE profile: what every view reads and every importer makes. Tables of rows that refer to each other by id. Only
// ProfileBuilder (model/profile_builder.h) creates and changes a profile; all other code reads it. A stack is (frame, calling
// stack), and callers have smaller ids than callees, so one pass in id order sees callers first. Totals always add up: every
// sample counts once, and `losses()` has the lost ones.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace wick {

using StringId = Id<struct StringTag>;
using ModuleId = Id<struct ModuleTag>;
using FunctionId = Id<struct FunctionTag>;
using FrameId = Id<struct FrameTag>;
using StackId = Id<struct StackTag>;
using ProcessId = Id<struct ProcessTag>;
using ThreadId = Id<struct ThreadTag>;
using EventId = Id<struct EventTag>;

// Ids have a `{}` so that a row may be written with the fields that matter: {.function = f, .line = 3}.
struct Module {
  StringId name{} /* base name, for people */, path{}, build_id{};
  bool kernel = false;
  bool operator==(const Module&) const = default;
};

// `name` is what people see (demangled); a function without a name is "[file]" or "[file+0x…]" and has known == false.
struct Function {
  StringId name{}, raw_name{};
  ModuleId module{};
  bool known = true;
  bool operator==(const Function&) const = default;
};

// A place in a function. `inlined`: this function was inlined into the next outer frame.
struct Frame {
  FunctionId function{};
  uint64_t address = 0;  // 0: not known
  StringId file{};       // invalid: not known
  uint32_t line = 0, column = 0;
  bool inlined = false;
  uint16_t folded = 0;  // so many frames are shown as this one; 0: it is itself
  bool operator==(const Frame&) const = default;
};

// Where a frame without a name is in its module's file, in the way of the format that it was read from. The files may tell the
// name (pipeline/name_imported.h).
struct FramePlace {
  enum class Space : uint8_t {
    kLinked,      // an address as linked
    kRelative,    // as linked, counted from where the first segment begins
    kFileOffset,  // in the file
  };
  FrameId frame{};
  Space space = Space::kLinked;
  uint64_t value = 0;
  bool callers_are_behind = false;  // of frames that call others it is where the call comes back
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
  bool operator==(const Thread&) const = default;
};

struct Event {
  StringId name{}, unit{};
  uint64_t rate_hz = 0;
  uint64_t divisor = 1;  // weights are in parts of the unit, so many to one: files may have decimal counts
  bool operator==(const Event&) const = default;
};

struct Sample {
  uint64_t time_ns = 0;
  ThreadId thread{};
  StackId stack{};
  EventId event{};
  uint32_t cpu = 0;
  int64_t weight = 0;
  uint64_t count = 1;  // samples that are this row: files of other tools have them already added up
  bool operator==(const Sample&) const = default;
};

// Something that is not in the samples, or not whole. `samples`: it counts samples that were made and are not here.
struct Loss {
  StringId kind{};
  uint64_t count = 0;
  bool samples = false;
  EventId event{};  // whose samples; invalid: not told apart
  bool operator==(const Loss&) const = default;
};

// How the stack of a sample was completed.
enum class StackWay : uint8_t {
  kCopied,         // from the bytes that were copied with the sample
  kStopped,        // from the thread's memory while it was stopped
  kCrossed,        // as one of these, but through code without unwind information by its frame pointers
  kGuessed,        // by an older wick, from memory of another moment
  kFramePointers,  // by the kernel
  kNone,           // has no user stack, or was not to have one
  kTruncated,
};
inline constexpr size_t kStackWays = 7;
inline constexpr const char* kStackWayNames[kStackWays] = {"copied",         "stopped", "crossed", "guessed",
                                                           "frame_pointers", "none",    "cut"};

// Of the first event, in its unit.
struct TimeTotals {
  uint64_t counted = 0, sampled = 0, unsampled = 0;
  bool operator==(const TimeTotals&) const = default;
};

// About the whole: for headings, and how the tables are to be read.
struct ProfileAbout {
  std::vector<std::string> command;
  std::string target;          // "whole system" and the like, where it was not a program
  uint64_t start_ns = 0;       // sample times count from here in views
  uint64_t start_wall_ns = 0;  // 0: not known
  uint64_t duration_ns = 0;    // as the file tells it; 0: samples and threads show it
  bool has_times = true;       // false: what was read does not say when samples were taken
  bool losses_known = true;    // false: nobody tells how many samples were lost
  bool has_counts = true;  // false: Sample::count says as much as the weight; samples were not counted, or were for the weight
  // Two profiles as one, to be compared: events()[0] is called "before", events()[1] "after", same unit and divisor.
  bool is_difference = false;
  // Whether the first event is the one that the profile is about. False: they come as they came (a perf.data file and its text
  // have them in different orders).
  bool events_ranked = true;
  bool names_as_read = false;  // by another tool's rules, which have no more to do when they are written
  std::string imported_from;   // "perf script text" and the like; empty: a recording of ours
  // What the file has and this has not: samples were added up, or nobody needs it.
  struct LeftBehind {
    bool times = false, cpus = false, labels = false;
    bool operator==(const LeftBehind&) const = default;
  } left_behind;
  // Of recordings: samples by how their stacks were completed, and what the kernel counted for the recorded threads.
  std::optional<std::array<uint64_t, kStackWays>> stack_ways;
  std::optional<TimeTotals> cpu_time;

  bool operator==(const ProfileAbout&) const = default;
};

class Profile {
 public:
  const std::vector<std::string>& strings() const { return strings_; }
  const std::vector<Module>& modules() const { return modules_; }
  const std::vector<Function>& functions() const { return functions_; }
  const std::vector<Frame>& frames() const { return frames_; }
  const std::vector<FramePlace>& places() const { return places_; }  // of frames without names, where known; of recordings: none
  const std::vector<Stack>& stacks() const { return stacks_; }
  const std::vector<Process>& processes() const { return processes_; }
  const std::vector<Thread>& threads() const { return threads_; }
  const std::vector<Event>& events() const { return events_; }
  const std::vector<Sample>& samples() const { return samples_; }  // by time
  const std::vector<Loss>& losses() const { return losses_; }
  // The file was damaged, a module's file is not the one that ran, …
  const std::vector<std::string>& warnings() const { return warnings_; }

  const ProfileAbout& about() const { return about_; }
  const std::vector<std::string>& command() const { return about_.command; }
  const std::string& target() const { return about_.target; }
  uint64_t start_ns() const { return about_.start_ns; }
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

  bool operator==(const Profile&) const = default;

 private:
  friend class ProfileBuilder;
  friend struct BrokenProfile;  // of a test that breaks the promises above

  std::vector<std::string> strings_;
  std::vector<Module> modules_;
  std::vector<Function> functions_;
  std::vector<Frame> frames_;
  std::vector<FramePlace> places_;
  std::vector<Stack> stacks_;
  std::vector<Process> processes_;
  std::vector<Thread> threads_;
  std::vector<Event> events_;
  std::vector<Sample> samples_;
  std::vector<Loss> losses_;
  std::vector<std::string> warnings_;
  ProfileAbout about_;
};

}  // namespace wick
