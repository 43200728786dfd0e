// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Copies rows of a profile into a builder that may have others: maps a row of `from` to its row in `to`. Each row is copied once,
// on first use, with the rows it refers to. Override how a row is made to change it (rename, drop frames, merge threads).
//
//   ProfileCopier copier(profile, builder);
//   for (const Sample& s : profile.samples()) { copier.add_sample(s); }

#include <cstdint>
#include <vector>

#include "model/profile.h"
#include "model/profile_builder.h"

namespace wick {

class ProfileCopier {
 public:
  ProfileCopier(const Profile& from, ProfileBuilder& to);
  virtual ~ProfileCopier() = default;
  ProfileCopier(const ProfileCopier&) = delete;
  ProfileCopier& operator=(const ProfileCopier&) = delete;

  // Invalid IDs stay invalid.
  StringId string(StringId id);
  ModuleId module(ModuleId id);
  FunctionId function(FunctionId id);
  FrameId frame(FrameId id);
  StackId stack(StackId id);
  ProcessId process(ProcessId id);
  ThreadId thread(ThreadId id);
  EventId event(EventId id);
  WaitId wait(WaitId id);
  // With IDs and time of `to`.
  Sample sample(Sample sample);
  void add_sample(const Sample& s) { to_.add_sample(sample(s)); }

  // All rows of a kind, in order.
  void copy_modules();
  void copy_functions();
  void copy_frames();
  void copy_stacks();
  void copy_threads();
  void copy_processes();
  void copy_events();
  void copy_samples();
  void copy_losses();
  void copy_warnings();
  // Copies everything, including strings and ProfileAbout. Into an empty builder this gives an equal profile.
  void copy_all();

 protected:
  const Profile& from() const { return from_; }
  ProfileBuilder& to() { return to_; }

  // Called for the first use of a row.
  virtual ModuleId make_module(ModuleId id);
  virtual FunctionId make_function(FunctionId id);
  virtual FrameId make_frame(FrameId id);
  // `caller`: what its caller became, or the root. Return it to drop the frame; a frame may become several.
  virtual StackId make_stack(StackId id, StackId caller);
  virtual ProcessId make_process(ProcessId id);
  virtual ThreadId make_thread(ThreadId id);
  virtual EventId make_event(EventId id);
  virtual uint64_t time_ns(uint64_t time_ns) { return time_ns; }

  // New stacks hang below this one; copies so far are forgotten.
  void restart_stacks(StackId root);

 private:
  const Profile& from_;
  ProfileBuilder& to_;
  // By row of `from`; invalid: not used yet.
  std::vector<StringId> strings_;
  std::vector<ModuleId> modules_;
  std::vector<FunctionId> functions_;
  std::vector<FrameId> frames_;
  std::vector<StackId> stacks_;
  std::vector<ProcessId> processes_;
  std::vector<ThreadId> threads_;
  std::vector<EventId> events_;
  std::vector<WaitId> waits_;
  StackId root_;
  std::vector<StackId> copied_, path_;  // stacks since the last restart; stacks up to a known one
};

}  // namespace wick
