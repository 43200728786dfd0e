// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// THE profile: what every view reads and every importer makes. Tables of rows that refer to each other by id. Built once by
// ProfileBuilder (model/profile_builder.h), constant afterwards. A stack is (frame, calling stack), and callers have smaller ids
// than callees, so one pass in id order sees callers first. Totals always add up: every sample is counted once, what was lost is
// in `losses`.

#include <cstdint>
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
};

// `name` is what people see (demangled); a function without a name is "[file]" or "[file+0x…]" and has known == false.
struct Function {
  StringId name{}, raw_name{};
  ModuleId module{};
  bool known = true;
};

// A place in a function. `inlined`: this function was inlined into the next outer frame.
struct Frame {
  FunctionId function{};
  uint64_t address = 0;  // 0: not known
  StringId file{};       // invalid: not known
  uint32_t line = 0, column = 0;
  bool inlined = false;
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
};

struct Stack {
  FrameId frame{};
  StackId caller{};
};

struct Process {
  uint32_t pid = 0, parent_pid = 0;
  StringId name{};
  uint64_t start_ns = 0, end_ns = 0;
};
struct Thread {
  ProcessId process{};
  uint32_t tid = 0;
  StringId name{};
  uint64_t start_ns = 0, end_ns = 0;
};

struct Event {
  StringId name{}, unit{};
  uint64_t rate_hz = 0;
  uint64_t divisor = 1;  // weights are in parts of the unit, so many to one: files may have decimal counts
};

struct Sample {
  uint64_t time_ns = 0;
  ThreadId thread{};
  StackId stack{};
  EventId event{};
  uint32_t cpu = 0;
  int64_t weight = 0;
  uint64_t count = 1;  // samples that are this row: files of other tools have them already added up
};

// Something that is not in the samples, or not whole. `samples`: it counts samples that were made and are not here.
struct Loss {
  StringId kind{};
  uint64_t count = 0;
  bool samples = false;
  EventId event{};  // whose samples; invalid: not told apart
};

class Profile {
 public:
  std::vector<std::string> strings;
  std::vector<Module> modules;
  std::vector<Function> functions;
  std::vector<Frame> frames;
  std::vector<FramePlace> places;  // of frames without names, where known; of recordings: none
  std::vector<Stack> stacks;
  std::vector<Process> processes;
  std::vector<Thread> threads;
  std::vector<Event> events;
  std::vector<Sample> samples;  // by time
  std::vector<Loss> losses;
  bool losses_known = true;  // false: nobody tells how many samples were lost

  // About the recording, for headings.
  std::vector<std::string> command;
  uint64_t start_ns = 0;       // sample times count from here in views
  uint64_t start_wall_ns = 0;  // 0: not known
  bool has_times = true;       // false: what was read does not say when samples were taken
  uint64_t duration_ns = 0;    // as the file tells it; 0: samples and threads show it
  // What the file has and this has not: samples were added up, or nobody needs it.
  struct LeftBehind {
    bool times = false, cpus = false, labels = false;
  } left_behind;
  bool has_counts = true;  // false: Sample::count says as much as the weight; samples were not counted, or were for the weight
  // Two profiles as one, to be compared: events[0] is called "before", events[1] "after", same unit and divisor.
  bool is_difference = false;
  // Whether the first event is the one that the profile is about. False: they come as they came (a perf.data file and its text
  // have them in different orders).
  bool events_ranked = true;
  std::string imported_from;          // "perf script text" and the like; empty: a recording of ours
  bool names_as_read = false;         // by another tool's rules, which have no more to do when they are written
  std::vector<std::string> warnings;  // the file was damaged, a module's file is not the one that ran, …

  std::string_view text(StringId id) const { return id.valid() ? std::string_view(strings[id.value]) : std::string_view(); }
  const Module& operator[](ModuleId id) const { return modules[id.value]; }
  const Function& operator[](FunctionId id) const { return functions[id.value]; }
  const Frame& operator[](FrameId id) const { return frames[id.value]; }
  const Stack& operator[](StackId id) const { return stacks[id.value]; }
  const Process& operator[](ProcessId id) const { return processes[id.value]; }
  const Thread& operator[](ThreadId id) const { return threads[id.value]; }
  const Event& operator[](EventId id) const { return events[id.value]; }
};

}  // namespace wick
