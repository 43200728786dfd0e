// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Makes a Profile. Everything with an identity (strings, modules, functions, frames, stacks, events) is interned: the same
// content gives the same id, so whoever fills a profile need not keep tables of its own. Recordings have millions of samples and
// stack nodes, therefore open tables keyed by integers; text is hashed once, when it comes in.
//
//   ProfileBuilder b;
//   FunctionId f = b.function("main", "", b.module("/usr/bin/app"));
//   b.add_sample({.time_ns = 1, .thread = t, .stack = b.stack(b.frame({.function = f}), {}), .event = e, .weight = 1});
//   Profile profile = std::move(b).build();

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "model/profile.h"

namespace wick {

class ProfileBuilder {
 public:
  ProfileBuilder() = default;
  // Takes a profile to change it. Its rows keep their ids. Rows that are added are interned among themselves only: nothing that
  // is there has to be hashed once more.
  explicit ProfileBuilder(Profile from);
  ProfileBuilder(const ProfileBuilder&) = delete;  // the tables point into this object
  ProfileBuilder& operator=(const ProfileBuilder&) = delete;

  // A copy with all other rows, which keep their ids.
  static Profile without_samples(const Profile& from);

  // What is there so far; samples may not be in order yet.
  const Profile& so_far() const { return profile_; }

  // Names of templates come to some kilobytes. A file that was made to do harm has one of megabytes, and a million rows that name
  // it: what is longer is cut, and told of.
  static constexpr size_t kMostTextBytes = size_t{64} << 10;
  // The empty text is the invalid id: what has no text is not known.
  StringId string(std::string_view text);
  std::string_view text(StringId id) const { return profile_.text(id); }
  std::string_view function_name(FunctionId id) const { return profile_.text(profile_.functions_[id.value].name); }

  // People see the path's last part.
  ModuleId module(std::string_view path, std::string_view build_id = {}, bool kernel = false);
  ModuleId module(const Module& module);
  FunctionId function(std::string_view name, std::string_view raw_name, ModuleId module, bool known = true);
  FunctionId function(const Function& function);
  FrameId frame(const Frame& frame);
  void add_place(const FramePlace& place) { profile_.places_.push_back(place); }
  // A frame of a function of which nothing but the name is known: as from the two above, in one step.
  FrameId named_frame(std::string_view name);
  // How that function is called instead, asked once for each name.
  void rename_named_frames(std::function<std::string(std::string_view)> rename) { rename_ = std::move(rename); }
  // `caller` invalid: this frame is the outermost.
  StackId stack(FrameId frame, StackId caller);
  // There are few; views count on that. Those beyond the limit become one, "other".
  static constexpr size_t kMostEvents = 4096;
  EventId event(std::string_view name, std::string_view unit, uint64_t rate_hz = 0, uint64_t divisor = 1);

  // Each call makes a row: a pid or a tid may come again.
  ProcessId add_process(uint32_t pid, std::string_view name, uint32_t parent_pid = 0, uint64_t start_ns = 0, uint64_t end_ns = 0);
  ThreadId add_thread(ProcessId process, uint32_t tid, std::string_view name, uint64_t start_ns = 0, uint64_t end_ns = 0);
  // What is seen of a thread lasts at least until then; for files whose samples are spans of time.
  void extend_thread(ThreadId thread, uint64_t end_ns);

  // From now on samples of the same thread, stack and event become one row, without time and cpu: memory then grows with the
  // distinct stacks alone. For views that do not look at times.
  void merge_samples();

  void set_waiting(ThreadId thread, uint64_t ready_ns, uint64_t blocked_ns);
  // Each call makes a row.
  WaitId add_wait(const Wait& wait);

  // In any order. A sample without a stack gets the stack "[unknown]", so that no view has to think of it.
  void add_sample(Sample sample);
  // For who replaces all stacks: hands them out, and begins anew. Samples keep their old stacks until change_samples().
  std::vector<Stack> take_stacks();
  // Calls change(Sample&) for each sample so far, which says whether the sample stays. Times are not changed; where samples are
  // merged, no more are added afterwards.
  template <typename Change>
  void change_samples(const Change& change) {
    size_t kept = 0;
    for (Sample& s : profile_.samples_) {
      if (change(s)) { profile_.samples_[kept++] = s; }
    }
    profile_.samples_.resize(kept);
  }
  // From now on, the weights of all events count parts of their unit, this many to one. Existing weights are not scaled.
  void refine_events(uint64_t parts);

  // What the weights of an event count from now on, in whole units.
  void set_unit(EventId event, std::string_view unit);

  // Adds to what is already counted under `kind` for that event; nothing for zero.
  void add_loss(std::string_view kind, uint64_t count, bool samples, EventId event = {});
  void count_stack(StackWay way, uint64_t samples) {
    if (!profile_.about_.stack_ways) { profile_.about_.stack_ways.emplace(); }
    (*profile_.about_.stack_ways)[static_cast<size_t>(way)] += samples;
  }
  void set_cpu_time(TimeTotals totals) { profile_.about_.cpu_time = totals; }
  void set_losses_unknown() { profile_.about_.losses_known = false; }
  void add_warning(std::string warning) { profile_.warnings_.push_back(std::move(warning)); }

  ProfileAbout& about() { return profile_.about_; }
  void set_command(std::vector<std::string> command) { profile_.about_.command = std::move(command); }
  void set_target(std::string target) { profile_.about_.target = std::move(target); }
  void set_start(uint64_t start_ns, uint64_t start_wall_ns) {
    profile_.about_.start_ns = start_ns;
    profile_.about_.start_wall_ns = start_wall_ns;
  }
  void set_imported(std::string_view from, bool has_times) {
    profile_.about_.imported_from = from;
    profile_.about_.has_times = has_times && !merging_;
    profile_.about_.left_behind.times = has_times && merging_;
    profile_.about_.losses_known = false;
  }
  void set_duration(uint64_t ns) { profile_.about_.duration_ns = ns; }
  void leave_behind(const ProfileAbout::LeftBehind& what) { profile_.about_.left_behind = what; }
  void reserve(size_t samples, size_t stacks, size_t frames);

  // Sorts the samples by time where they are not (stable) and checks what profile.h promises.
  Profile build() &&;

 private:
  struct TextHash {
    using is_transparent = void;
    const std::vector<std::string>* strings;
    size_t operator()(std::string_view text) const { return hash_text(text); }
    size_t operator()(uint32_t id) const { return hash_text((*strings)[id]); }
  };
  struct TextEqual {
    using is_transparent = void;
    const std::vector<std::string>* strings;
    bool operator()(uint32_t a, uint32_t b) const { return a == b; }
    bool operator()(std::string_view a, uint32_t b) const { return a == (*strings)[b]; }
    bool operator()(uint32_t a, std::string_view b) const { return (*strings)[a] == b; }
  };
  struct RowHash {
    size_t operator()(const Module& m) const;
    size_t operator()(const Function& f) const;
    size_t operator()(const Frame& f) const;
    size_t operator()(const Event& e) const;
    size_t operator()(uint64_t packed) const { return hash_pair(packed, 0); }
  };
  struct StackHash {
    using is_transparent = void;
    const std::vector<Stack>* stacks;
    size_t operator()(const Stack& s) const { return hash_pair(uint64_t{s.caller.value} << 32 | s.frame.value, 0); }
    size_t operator()(uint32_t id) const { return (*this)((*stacks)[id]); }
  };
  struct StackEqual {
    using is_transparent = void;
    const std::vector<Stack>* stacks;
    bool operator()(uint32_t a, uint32_t b) const { return a == b; }
    bool operator()(const Stack& a, uint32_t b) const { return a == (*stacks)[b]; }
    bool operator()(uint32_t a, const Stack& b) const { return (*stacks)[a] == b; }
  };
  template <typename Row>
  using RowTable = tsl::robin_map<Row, uint32_t, RowHash>;

  bool merge(const Sample& sample);
  StackId add_stack(FrameId frame, StackId caller, StackId others);

  Profile profile_;
  // With the hash kept beside each id: a table that grows need not touch the texts again.
  tsl::robin_set<uint32_t, TextHash, TextEqual, std::allocator<uint32_t>, true> text_ids_{0, TextHash{&profile_.strings_},
                                                                                          TextEqual{&profile_.strings_}};
  RowTable<Module> module_ids_;
  RowTable<Function> function_ids_;
  RowTable<Frame> frame_ids_;
  RowTable<Event> event_ids_;
  std::vector<FrameId> named_frames_;  // by the name's id
  std::function<std::string(std::string_view)> rename_;
  // Most stacks call one or two others: those are found along a list, newest first. A caller of many has them in the table.
  static constexpr uint32_t kFewCallees = 8;
  static constexpr StackId kInTable{UINT32_MAX - 1};  // instead of a list
  StackId first_outermost_;
  std::vector<StackId> first_callee_, next_callee_;  // of each stack
  // As text_ids_: half as large as a table that has the rows in it.
  tsl::robin_set<uint32_t, StackHash, StackEqual, std::allocator<uint32_t>, true> stack_ids_{0, StackHash{&profile_.stacks_},
                                                                                             StackEqual{&profile_.stacks_}};
  RowTable<uint64_t> merged_;      // stack << 32 | row of merge_keys_ -> row of the samples
  RowTable<uint64_t> merge_keys_;  // thread << 32 | event
  // The same for the first of merge_keys_, by stack: many files know of one thread and one event only.
  static constexpr uint32_t kNoRow = UINT32_MAX;
  std::vector<uint32_t> merged_first_;
  StackId unknown_stack_;
  uint64_t cut_texts_ = 0;
  bool has_other_events_ = false;
  bool merging_ = false;
  bool sorted_ = true;
};

[[nodiscard]] Profile with_warning(Profile profile, std::string warning);

// Ends the program where `profile` breaks a promise of profile.h: an id out of range, a callee before its caller, samples out of
// order.
void check_profile(const Profile& profile);

}  // namespace wick
