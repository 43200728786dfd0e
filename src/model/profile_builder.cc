// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "model/profile_builder.h"

#include <algorithm>

#include "base/result.h"
#include "base/text.h"

namespace wick {
namespace {

// Stable. The samples of several recordings are a few sorted runs, which are merged several times as fast as sorted.
void sort_by_time(std::vector<Sample>& samples) {
  constexpr size_t kFewRuns = 8;
  auto earlier = [](const Sample& a, const Sample& b) { return a.time_ns < b.time_ns; };
  std::vector<std::vector<Sample>::iterator> run_ends;
  for (auto at = samples.begin(); at != samples.end() && run_ends.size() <= kFewRuns;) {
    run_ends.push_back(at = std::is_sorted_until(at, samples.end(), earlier));
  }
  if (run_ends.size() > kFewRuns) {
    std::stable_sort(samples.begin(), samples.end(), earlier);
    return;
  }
  for (size_t i = 1; i < run_ends.size(); ++i) { std::inplace_merge(samples.begin(), run_ends[i - 1], run_ends[i], earlier); }
}

// Finds `row` in the table or appends it; the row number either way.
template <typename IdType, typename Row, typename Key, typename Table>
IdType intern(Table& table, std::vector<Row>& rows, const Key& key, const Row& row) {
  WICK_ASSERT(rows.size() < UINT32_MAX, "a profile's tables have 32-bit ids");
  auto [it, fresh] = table.try_emplace(key, static_cast<uint32_t>(rows.size()));
  if (fresh) { rows.push_back(row); }
  return IdType{it->second};
}

template <typename IdType, typename Row>
bool in_range(IdType id, const std::vector<Row>& rows) {
  return id.value < rows.size();
}
template <typename IdType, typename Row>
bool absent_or_in_range(IdType id, const std::vector<Row>& rows) {
  return !id.valid() || id.value < rows.size();
}

}  // namespace

size_t ProfileBuilder::RowHash::operator()(const Module& m) const {
  return hash_pair(hash_pair(m.path.value, m.build_id.value), hash_pair(m.name.value, m.kernel));
}
size_t ProfileBuilder::RowHash::operator()(const Function& f) const {
  return hash_pair(hash_pair(f.name.value, f.raw_name.value), hash_pair(f.module.value, f.known));
}
size_t ProfileBuilder::RowHash::operator()(const Frame& f) const {
  uint64_t place = hash_pair(f.file.value, uint64_t{f.line} << 32 | f.column);
  return hash_pair(hash_pair(f.address, f.function.value), place + f.inlined + (uint64_t{f.folded} << 1));
}

size_t ProfileBuilder::RowHash::operator()(const Event& e) const {
  return hash_pair(hash_pair(e.name.value, e.unit.value), hash_pair(e.rate_hz, e.divisor));
}

ProfileBuilder::ProfileBuilder(Profile from)
    : profile_(std::move(from)), first_callee_(profile_.stacks_.size()), next_callee_(profile_.stacks_.size()) {}

Profile ProfileBuilder::without_samples(const Profile& from) {
  Profile to;
  to.strings_ = from.strings_;
  to.modules_ = from.modules_;
  to.functions_ = from.functions_;
  to.frames_ = from.frames_;
  to.places_ = from.places_;
  to.stacks_ = from.stacks_;
  to.processes_ = from.processes_;
  to.threads_ = from.threads_;
  to.events_ = from.events_;
  to.waits_ = from.waits_;
  to.losses_ = from.losses_;
  to.warnings_ = from.warnings_;
  to.about_ = from.about_;
  return to;
}

StringId ProfileBuilder::string(std::string_view text) {
  if (text.empty()) { return {}; }
  bool is_long = text.size() > kMostTextBytes;
  if (is_long) {
    auto is_inside = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
    size_t end = kMostTextBytes;
    while (end + 4 > kMostTextBytes && is_inside(text[end])) { --end; }
    text = text.substr(0, end);
  }
  size_t hash = hash_text(text);
  if (auto it = text_ids_.find(text, hash); it != text_ids_.end()) { return StringId{*it}; }
  WICK_ASSERT(profile_.strings_.size() < UINT32_MAX, "a profile's tables have 32-bit ids");
  cut_texts_ += is_long;
  uint32_t id = static_cast<uint32_t>(profile_.strings_.size());
  profile_.strings_.emplace_back(text);
  text_ids_.insert(id);
  return StringId{id};
}

ModuleId ProfileBuilder::module(std::string_view path, std::string_view build_id, bool kernel) {
  return module(Module{.name = string(path.ends_with('/') ? path : base_name(path)),
                       .path = string(path),
                       .build_id = string(build_id),
                       .kernel = kernel});
}
ModuleId ProfileBuilder::module(const Module& m) { return intern<ModuleId>(module_ids_, profile_.modules_, m, m); }

FunctionId ProfileBuilder::function(std::string_view name, std::string_view raw_name, ModuleId module, bool known) {
  return function(Function{.name = string(name), .raw_name = string(raw_name), .module = module, .known = known});
}
FunctionId ProfileBuilder::function(const Function& f) { return intern<FunctionId>(function_ids_, profile_.functions_, f, f); }

FrameId ProfileBuilder::frame(const Frame& f) { return intern<FrameId>(frame_ids_, profile_.frames_, f, f); }

FrameId ProfileBuilder::named_frame(std::string_view name) {
  StringId id = string(name);
  if (!id.valid()) { return frame({.function = function(name, {}, {})}); }
  if (id.value >= named_frames_.size()) { named_frames_.resize(profile_.strings_.size()); }
  if (FrameId known = named_frames_[id.value]; known.valid()) { return known; }
  StringId shown = rename_ ? string(rename_(name)) : id;
  return named_frames_[id.value] = frame({.function = function(Function{.name = shown})});
}

StackId ProfileBuilder::stack(FrameId frame, StackId caller) {
  StackId first = caller.valid() ? first_callee_[caller.value] : first_outermost_;
  if (first != kInTable) {
    uint32_t callees = 0;
    for (StackId at = first; at.valid(); at = next_callee_[at.value], ++callees) {
      if (profile_.stacks_[at.value].frame == frame) { return at; }
    }
    if (callees < kFewCallees) { return add_stack(frame, caller, first); }
    for (StackId at = first; at.valid(); at = next_callee_[at.value]) { stack_ids_.insert(at.value); }
  }
  Stack row{frame, caller};
  if (auto it = stack_ids_.find(row, stack_ids_.hash_function()(row)); it != stack_ids_.end()) { return StackId{*it}; }
  StackId added = add_stack(frame, caller, kInTable);
  stack_ids_.insert(added.value);
  return added;
}

StackId ProfileBuilder::add_stack(FrameId frame, StackId caller, StackId others) {
  WICK_ASSERT(profile_.stacks_.size() < kInTable.value, "a profile's tables have 32-bit ids");
  StackId added{static_cast<uint32_t>(profile_.stacks_.size())};
  bool in_table = others == kInTable;
  (caller.valid() ? first_callee_[caller.value] : first_outermost_) = in_table ? kInTable : added;
  profile_.stacks_.push_back({frame, caller});
  next_callee_.push_back(in_table ? StackId{} : others);
  first_callee_.push_back({});
  return added;
}

EventId ProfileBuilder::event(std::string_view name, std::string_view unit, uint64_t rate_hz, uint64_t divisor) {
  Event event{string(name), string(unit), rate_hz, divisor};
  bool is_one_more = profile_.events_.size() >= kMostEvents && !event_ids_.contains(event);
  if (is_one_more) {
    event = {string("other"), string("count")};
    has_other_events_ = true;
  }
  return intern<EventId>(event_ids_, profile_.events_, event, event);
}

ProcessId ProfileBuilder::add_process(uint32_t pid, std::string_view name, uint32_t parent_pid, uint64_t start_ns,
                                      uint64_t end_ns) {
  profile_.processes_.push_back({pid, parent_pid, string(name), start_ns, end_ns});
  return ProcessId{static_cast<uint32_t>(profile_.processes_.size() - 1)};
}

ThreadId ProfileBuilder::add_thread(ProcessId process, uint32_t tid, std::string_view name, uint64_t start_ns, uint64_t end_ns) {
  profile_.threads_.push_back({process, tid, string(name), start_ns, end_ns});
  return ThreadId{static_cast<uint32_t>(profile_.threads_.size() - 1)};
}

void ProfileBuilder::extend_thread(ThreadId thread, uint64_t end_ns) {
  uint64_t& end = profile_.threads_[thread.value].end_ns;
  if (!merging_) { end = std::max(end, end_ns); }
}

void ProfileBuilder::merge_samples() {
  merging_ = true;
  profile_.about_.has_times = false;
}

// Whether it is in a row that was there. A sum that would not fit stays in rows of its own: who adds them up refuses that.
bool ProfileBuilder::merge(const Sample& sample) {
  uint64_t thread_event = uint64_t{sample.thread.value} << 32 | sample.event.value;
  uint32_t pair = merge_keys_.try_emplace(thread_event, static_cast<uint32_t>(merge_keys_.size())).first->second;
  auto next = static_cast<uint32_t>(profile_.samples_.size());
  uint32_t* place = nullptr;
  if (pair == 0) {
    size_t stack = sample.stack.value;
    if (merged_first_.size() <= stack) {
      merged_first_.resize(std::max({stack + 1, profile_.stacks_.size(), 2 * merged_first_.size()}), kNoRow);
    }
    place = &merged_first_[stack];
    if (*place == kNoRow) {
      *place = next;
      return false;
    }
  } else {
    auto [it, fresh] = merged_.try_emplace(uint64_t{sample.stack.value} << 32 | pair, next);
    if (fresh) { return false; }
    place = &it.value();
  }
  Sample& row = profile_.samples_[*place];
  int64_t weight = 0;
  uint64_t count = 0;
  if (__builtin_add_overflow(row.weight, sample.weight, &weight) || __builtin_add_overflow(row.count, sample.count, &count)) {
    *place = next;
    return false;
  }
  row.weight = weight;
  row.count = count;
  return true;
}

void ProfileBuilder::set_waiting(ThreadId thread, uint64_t ready_ns, uint64_t blocked_ns) {
  profile_.threads_[thread.value].ready_ns = ready_ns;
  profile_.threads_[thread.value].blocked_ns = blocked_ns;
}

WaitId ProfileBuilder::add_wait(const Wait& wait) {
  profile_.waits_.push_back(wait);
  return {static_cast<uint32_t>(profile_.waits_.size() - 1)};
}

void ProfileBuilder::add_sample(Sample sample) {
  if (!sample.stack.valid()) {
    if (!unknown_stack_.valid()) { unknown_stack_ = stack(frame({.function = function("[unknown]", {}, {}, false)}), {}); }
    sample.stack = unknown_stack_;
  }
  if (merging_) {
    sample.time_ns = 0;
    profile_.about_.left_behind.cpus |= sample.cpu != 0;
    sample.cpu = 0;
    sample.wait = {};
    if (merge(sample)) { return; }
  }
  sorted_ = sorted_ && (profile_.samples_.empty() || profile_.samples_.back().time_ns <= sample.time_ns);
  profile_.samples_.push_back(sample);
}

std::vector<Stack> ProfileBuilder::take_stacks() {
  first_outermost_ = unknown_stack_ = {};
  first_callee_.clear();
  next_callee_.clear();
  stack_ids_.clear();
  std::vector<Stack> old;
  old.swap(profile_.stacks_);
  return old;
}

void ProfileBuilder::refine_events(uint64_t parts) {
  event_ids_.clear();
  for (uint32_t i = 0; i < profile_.events_.size(); ++i) {
    profile_.events_[i].divisor *= parts;
    event_ids_.emplace(profile_.events_[i], i);
  }
}

void ProfileBuilder::set_unit(EventId event, std::string_view unit) {
  StringId id = string(unit);
  profile_.events_[event.value].unit = id;
  profile_.events_[event.value].divisor = 1;
  refine_events(1);
}

void ProfileBuilder::add_loss(std::string_view kind, uint64_t count, bool samples, EventId event) {
  if (count == 0) { return; }
  StringId id = string(kind);
  auto it = std::find_if(profile_.losses_.begin(), profile_.losses_.end(),
                         [&](const Loss& l) { return l.kind == id && l.event == event; });
  if (it == profile_.losses_.end()) { it = profile_.losses_.insert(it, Loss{id, 0, samples, event}); }
  it->count += count;
  if (samples) { profile_.about_.losses_known = true; }
}

void ProfileBuilder::reserve(size_t samples, size_t stacks, size_t frames) {
  profile_.samples_.reserve(samples);
  profile_.stacks_.reserve(stacks);
  profile_.frames_.reserve(frames);
  first_callee_.reserve(stacks);
  next_callee_.reserve(stacks);
  frame_ids_.reserve(frames);
}

Profile ProfileBuilder::build() && {
  if (!sorted_) { sort_by_time(profile_.samples_); }
  if (cut_texts_ > 0) {
    add_warning(strf("%s %s longer than 64 kB and %s truncated", group_thousands(cut_texts_).c_str(),
                     cut_texts_ == 1 ? "name is" : "names are", cut_texts_ == 1 ? "was" : "were"));
  }
  if (has_other_events_) { add_warning(strf("more than %zu events: the rest are merged into \"other\"", kMostEvents)); }
  check_profile(profile_);
  return std::move(profile_);
}

Profile with_warning(Profile profile, std::string warning) {
  ProfileBuilder b(std::move(profile));
  b.add_warning(std::move(warning));
  return std::move(b).build();
}

void check_profile(const Profile& p) {
  for (const Module& m : p.modules()) {
    WICK_ASSERT(absent_or_in_range(m.name, p.strings()) && absent_or_in_range(m.path, p.strings()) &&
                    absent_or_in_range(m.build_id, p.strings()),
                "a module's strings are in the profile");
  }
  for (const Function& f : p.functions()) {
    WICK_ASSERT(absent_or_in_range(f.name, p.strings()) && absent_or_in_range(f.raw_name, p.strings()) &&
                    absent_or_in_range(f.module, p.modules()),
                "a function's name and module are in the profile");
  }
  for (const Frame& f : p.frames()) {
    WICK_ASSERT(in_range(f.function, p.functions()) && absent_or_in_range(f.file, p.strings()),
                "a frame's function is in the profile");
  }
  for (size_t i = 0; i < p.stacks().size(); ++i) {
    const Stack& s = p.stacks()[i];
    WICK_ASSERT(in_range(s.frame, p.frames()), "a stack's frame is in the profile");
    WICK_ASSERT(!s.caller.valid() || s.caller.value < i, "callers come before callees");
  }
  for (const Process& row : p.processes()) {
    WICK_ASSERT(absent_or_in_range(row.name, p.strings()), "a process's name is in the profile");
  }
  for (const Thread& t : p.threads()) {
    WICK_ASSERT(in_range(t.process, p.processes()) && absent_or_in_range(t.name, p.strings()),
                "a thread's process is in the profile");
  }
  for (const Event& e : p.events()) {
    WICK_ASSERT(absent_or_in_range(e.name, p.strings()) && absent_or_in_range(e.unit, p.strings()),
                "an event's name is in the profile");
  }
  for (const Wait& wait : p.waits()) {
    WICK_ASSERT(absent_or_in_range(wait.kind, p.strings()) && absent_or_in_range(wait.object, p.strings()),
                "what a thread waited for is in the profile");
  }
  for (const Loss& l : p.losses()) {
    WICK_ASSERT(absent_or_in_range(l.kind, p.strings()) && absent_or_in_range(l.event, p.events()),
                "a loss's name and event are in the profile");
  }
  uint64_t before = 0;
  for (const Sample& s : p.samples()) {
    WICK_ASSERT(in_range(s.thread, p.threads()) && in_range(s.stack, p.stacks()) && in_range(s.event, p.events()),
                "a sample's thread, stack and event are in the profile");
    WICK_ASSERT(absent_or_in_range(s.wait, p.waits()), "a sample's wait is in the profile");
    WICK_ASSERT(s.time_ns >= before, "samples are sorted by time");
    before = s.time_ns;
  }
}

}  // namespace wick
