// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "model/profile_copier.h"

#include <string>

namespace wick {
namespace {

template <typename IdType, typename Make>
IdType known_or(std::vector<IdType>& known, IdType id, const Make& make) {
  if (!id.valid()) { return {}; }
  if (!known[id.value].valid()) {
    IdType made = make();
    known[id.value] = made;
  }
  return known[id.value];
}

}  // namespace

ProfileCopier::ProfileCopier(const Profile& from, ProfileBuilder& to)
    : from_(from),
      to_(to),
      strings_(from.strings().size()),
      modules_(from.modules().size()),
      functions_(from.functions().size()),
      frames_(from.frames().size()),
      stacks_(from.stacks().size()),
      processes_(from.processes().size()),
      threads_(from.threads().size()),
      events_(from.events().size()),
      waits_(from.waits().size()) {}

StringId ProfileCopier::string(StringId id) {
  return known_or(strings_, id, [&] { return to_.string(from_.text(id)); });
}
ModuleId ProfileCopier::module(ModuleId id) {
  return known_or(modules_, id, [&] { return make_module(id); });
}
FunctionId ProfileCopier::function(FunctionId id) {
  return known_or(functions_, id, [&] { return make_function(id); });
}
FrameId ProfileCopier::frame(FrameId id) {
  return known_or(frames_, id, [&] { return make_frame(id); });
}
ProcessId ProfileCopier::process(ProcessId id) {
  return known_or(processes_, id, [&] { return make_process(id); });
}
ThreadId ProfileCopier::thread(ThreadId id) {
  return known_or(threads_, id, [&] { return make_thread(id); });
}
EventId ProfileCopier::event(EventId id) {
  return known_or(events_, id, [&] { return make_event(id); });
}

WaitId ProfileCopier::wait(WaitId id) {
  return known_or(waits_, id, [&] {
    Wait copy = from_[id];
    copy.kind = string(copy.kind);
    copy.object = string(copy.object);
    return to_.add_wait(copy);
  });
}

// Iterative: stacks are up to tens of thousands of frames deep.
StackId ProfileCopier::stack(StackId id) {
  for (; id.valid() && !stacks_[id.value].valid(); id = from_[id].caller) { path_.push_back(id); }
  StackId copy = id.valid() ? stacks_[id.value] : root_;
  for (; !path_.empty(); path_.pop_back()) {
    StackId at = path_.back();
    copy = stacks_[at.value] = make_stack(at, copy);
    if (copy.valid()) { copied_.push_back(at); }
  }
  return copy;
}

void ProfileCopier::restart_stacks(StackId root) {
  for (StackId s : copied_) { stacks_[s.value] = {}; }
  copied_.clear();
  root_ = root;
}

Sample ProfileCopier::sample(Sample s) {
  s.time_ns = time_ns(s.time_ns);
  s.thread = thread(s.thread);
  s.stack = stack(s.stack);
  s.event = event(s.event);
  s.wait = wait(s.wait);
  return s;
}

ModuleId ProfileCopier::make_module(ModuleId id) {
  Module copy = from_[id];
  copy.name = string(copy.name);
  copy.path = string(copy.path);
  copy.build_id = string(copy.build_id);
  return to_.module(copy);
}

FunctionId ProfileCopier::make_function(FunctionId id) {
  Function copy = from_[id];
  copy.name = string(copy.name);
  copy.raw_name = string(copy.raw_name);
  copy.module = module(copy.module);
  return to_.function(copy);
}

FrameId ProfileCopier::make_frame(FrameId id) {
  Frame copy = from_[id];
  copy.function = function(copy.function);
  copy.file = string(copy.file);
  return to_.frame(copy);
}

StackId ProfileCopier::make_stack(StackId id, StackId caller) { return to_.stack(frame(from_[id].frame), caller); }

ProcessId ProfileCopier::make_process(ProcessId id) {
  const Process& p = from_[id];
  return to_.add_process(p.pid, from_.text(p.name), p.parent_pid, time_ns(p.start_ns), time_ns(p.end_ns));
}

ThreadId ProfileCopier::make_thread(ThreadId id) {
  const Thread& t = from_[id];
  ThreadId copy = to_.add_thread(process(t.process), t.tid, from_.text(t.name), time_ns(t.start_ns), time_ns(t.end_ns));
  to_.set_waiting(copy, t.ready_ns, t.blocked_ns);
  return copy;
}

EventId ProfileCopier::make_event(EventId id) {
  const Event& e = from_[id];
  return to_.event(from_.text(e.name), from_.text(e.unit), e.rate_hz, e.divisor);
}

void ProfileCopier::copy_modules() {
  for (uint32_t i = 0; i < modules_.size(); ++i) { module(ModuleId{i}); }
}
void ProfileCopier::copy_functions() {
  for (uint32_t i = 0; i < functions_.size(); ++i) { function(FunctionId{i}); }
}
void ProfileCopier::copy_frames() {
  for (uint32_t i = 0; i < frames_.size(); ++i) { frame(FrameId{i}); }
}
void ProfileCopier::copy_stacks() {
  for (uint32_t i = 0; i < stacks_.size(); ++i) { stack(StackId{i}); }
}
void ProfileCopier::copy_processes() {
  for (uint32_t i = 0; i < processes_.size(); ++i) { process(ProcessId{i}); }
}
void ProfileCopier::copy_threads() {
  for (uint32_t i = 0; i < threads_.size(); ++i) { thread(ThreadId{i}); }
}
void ProfileCopier::copy_events() {
  for (uint32_t i = 0; i < events_.size(); ++i) { event(EventId{i}); }
}
void ProfileCopier::copy_samples() {
  for (const Sample& s : from_.samples()) { add_sample(s); }
}
void ProfileCopier::copy_losses() {
  for (const Loss& l : from_.losses()) { to_.add_loss(from_.text(l.kind), l.count, l.samples, event(l.event)); }
}
void ProfileCopier::copy_warnings() {
  for (const std::string& warning : from_.warnings()) { to_.add_warning(warning); }
}

void ProfileCopier::copy_all() {
  for (uint32_t i = 0; i < strings_.size(); ++i) { string(StringId{i}); }
  copy_modules();
  copy_functions();
  copy_frames();
  for (FramePlace place : from_.places()) {
    place.frame = frame(place.frame);
    to_.add_place(place);
  }
  copy_stacks();
  copy_processes();
  copy_threads();
  copy_events();
  for (uint32_t i = 0; i < waits_.size(); ++i) { wait(WaitId{i}); }
  copy_samples();
  copy_losses();
  copy_warnings();
  to_.about() = from_.about();
}

}  // namespace wick
