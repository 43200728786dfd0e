// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/combine.h"

#include <algorithm>
#include <unordered_map>

#include "analyze/palette.h"
#include "model/profile_builder.h"

namespace wick {
namespace {

class Merger {
 public:
  Merger(std::span<const Profile> profiles, const MergeOptions& options) : profiles_(profiles), options_(options) {
    if (options.merge) { builder_.merge_samples(); }
  }

  Profile merge() && {
    for (const Profile& p : profiles_) { plan_events(p); }
    for (const Profile& p : profiles_) { add(p); }
    Profile out = std::move(builder_).build();
    out.is_difference = !profiles_.empty();
    out.losses_known = true;
    out.has_times = !options_.merge;
    for (const Profile& p : profiles_) {
      out.is_difference = out.is_difference && p.is_difference;
      out.losses_known = out.losses_known && p.losses_known;
      out.has_times = out.has_times && p.has_times;
      out.left_behind.times |= p.left_behind.times || (options_.merge && p.has_times);
      out.left_behind.cpus |= p.left_behind.cpus;
      out.left_behind.labels |= p.left_behind.labels;
      out.events_ranked = out.events_ranked && p.events_ranked;
      if (&p == &profiles_.front()) { out.imported_from = p.imported_from; }
      if (p.imported_from != out.imported_from) { out.imported_from = "several files"; }
    }
    bool same_command =
        std::all_of(profiles_.begin(), profiles_.end(), [&](const Profile& p) { return p.command == profiles_.front().command; });
    if (same_command && !profiles_.empty()) { out.command = profiles_.front().command; }
    return out;
  }

 private:
  struct Planned {
    std::string name, unit;
    uint64_t rate_hz = 0, divisor = 1;
  };

  void plan_events(const Profile& p) {
    for (const Event& e : p.events) {
      std::string name(p.text(e.name)), unit(p.text(e.unit));
      auto it = std::find_if(planned_.begin(), planned_.end(), [&](const Planned& o) {
        return o.name == name && o.unit == unit && (o.divisor % e.divisor == 0 || e.divisor % o.divisor == 0);
      });
      if (it == planned_.end()) {
        planned_.push_back({name, unit, e.rate_hz, e.divisor});
      } else {
        it->divisor = std::max(it->divisor, e.divisor);
      }
    }
  }

  // The event, and what weights are to be multiplied with, of which the largest is `heaviest`.
  std::pair<EventId, int64_t> event_of(const Profile& p, const Event& e, uint64_t heaviest) {
    for (const Planned& o : planned_) {
      if (o.name != p.text(e.name) || o.unit != p.text(e.unit) || o.divisor % e.divisor != 0) { continue; }
      uint64_t factor = o.divisor / e.divisor;
      uint64_t product = 0;
      if (__builtin_mul_overflow(factor, heaviest, &product) || product > static_cast<uint64_t>(INT64_MAX)) { continue; }
      return {builder_.event(o.name, o.unit, o.rate_hz, o.divisor), static_cast<int64_t>(factor)};
    }
    return {builder_.event(p.text(e.name), p.text(e.unit), e.rate_hz, e.divisor), 1};
  }

  void add(const Profile& p) {
    std::vector<ModuleId> modules;
    for (const Module& m : p.modules) {
      Module copy = m;
      copy.name = text(p, m.name);
      copy.path = text(p, m.path);
      copy.build_id = text(p, m.build_id);
      modules.push_back(builder_.module(copy));
    }
    std::vector<FunctionId> functions;
    for (const Function& f : p.functions) {
      Function copy = f;
      copy.name = text(p, f.name);
      copy.raw_name = text(p, f.raw_name);
      if (f.module.valid()) { copy.module = modules[f.module.value]; }
      functions.push_back(builder_.function(copy));
    }
    std::vector<FrameId> frames;
    for (const Frame& f : p.frames) {
      Frame copy = f;
      copy.function = functions[f.function.value];
      copy.file = text(p, f.file);
      frames.push_back(builder_.frame(copy));
    }
    std::vector<StackId> stacks;
    stacks.reserve(p.stacks.size());
    for (const Stack& s : p.stacks) {
      StackId caller = s.caller.valid() ? stacks[s.caller.value] : StackId{};
      stacks.push_back(builder_.stack(frames[s.frame.value], caller));
    }
    uint64_t start_ns = p.start_ns != 0 || p.samples.empty() ? p.start_ns : p.samples.front().time_ns;
    auto since_start = [&](uint64_t time_ns) { return time_ns > start_ns ? time_ns - start_ns : 0; };
    std::vector<ThreadId> threads = add_threads(p, since_start);
    std::vector<std::pair<EventId, int64_t>> events;
    std::vector<uint64_t> heaviest(p.events.size());  // sample of each
    for (const Sample& s : p.samples) {
      uint64_t size = s.weight < 0 ? 0 - static_cast<uint64_t>(s.weight) : static_cast<uint64_t>(s.weight);
      heaviest[s.event.value] = std::max(heaviest[s.event.value], size);
    }
    for (size_t i = 0; i < p.events.size(); ++i) { events.push_back(event_of(p, p.events[i], heaviest[i])); }
    for (const Sample& s : p.samples) {
      Sample copy = s;
      auto [event, factor] = events[s.event.value];
      copy.time_ns = since_start(s.time_ns);
      copy.thread = threads[s.thread.value];
      copy.stack = stacks[s.stack.value];
      copy.event = event;
      copy.weight = s.weight * factor;
      builder_.add_sample(copy);
    }
    for (const Loss& l : p.losses) {
      builder_.add_loss(p.text(l.kind), l.count, l.samples, l.event.valid() ? events[l.event.value].first : EventId{});
    }
    for (const std::string& warning : p.warnings) { builder_.add_warning(warning); }
  }

  template <typename Time>
  std::vector<ThreadId> add_threads(const Profile& p, const Time& since_start) {
    std::vector<ProcessId> processes(p.processes.size());
    std::vector<ThreadId> threads;
    for (const Thread& t : p.threads) {
      const Process& owner = p[t.process];
      bool nobody = options_.merge && t.tid == 0 && !t.name.valid() && owner.pid == 0 && !owner.name.valid();
      if (nobody && nobody_.valid()) {
        threads.push_back(nobody_);
        continue;
      }
      ProcessId& process = processes[t.process.value];
      if (!process.valid()) {
        process = builder_.add_process(owner.pid, p.text(owner.name), owner.parent_pid, since_start(owner.start_ns),
                                       since_start(owner.end_ns));
      }
      threads.push_back(builder_.add_thread(process, t.tid, p.text(t.name), since_start(t.start_ns), since_start(t.end_ns)));
      if (nobody) { nobody_ = threads.back(); }
    }
    return threads;
  }

  StringId text(const Profile& p, StringId id) { return builder_.string(p.text(id)); }

  std::span<const Profile> profiles_;
  const MergeOptions& options_;
  std::vector<Planned> planned_;
  ThreadId nobody_;
  ProfileBuilder builder_;
};

}  // namespace

Profile merge_profiles(std::span<const Profile> profiles, const MergeOptions& options) {
  return Merger(profiles, options).merge();
}

uint64_t cut_to_base(Profile& profile, std::span<const std::string> functions) {
  auto wanted = [&](const Function& f) {
    std::string_view name = profile.text(f.name);
    return std::any_of(functions.begin(), functions.end(),
                       [&](const std::string& base) { return name == base || split_mark(name).name == base; });
  };
  std::vector<bool> is_base;
  for (const Function& f : profile.functions) { is_base.push_back(wanted(f)); }
  std::vector<bool> inside(profile.stacks.size());
  for (size_t i = 0; i < profile.stacks.size(); ++i) {
    Stack& s = profile.stacks[i];
    bool base = is_base[profile[s.frame].function.value];
    inside[i] = base || (s.caller.valid() && inside[s.caller.value]);
    if (base) { s.caller = {}; }
  }
  uint64_t gone = 0;
  std::erase_if(profile.samples, [&](const Sample& s) {
    if (inside[s.stack.value]) { return false; }
    gone += s.count;
    return true;
  });
  return gone;
}

void mark_wakers(Profile& profile) {
  constexpr std::string_view kBorder = "--";
  auto name_of = [&](FrameId frame) { return profile.text(profile[profile[frame].function].name); };
  std::vector<bool> is_waker(profile.stacks.size());
  std::unordered_map<uint32_t, FrameId> marked_frames;
  std::unordered_map<uint32_t, FunctionId> marked_functions;
  auto mark = [&](FrameId frame) {
    auto [it, is_new] = marked_frames.try_emplace(frame.value, frame);
    if (!is_new || split_mark(name_of(frame)).mark != 0) { return it->second; }
    Frame copy = profile[frame];
    auto [function, is_new_function] = marked_functions.try_emplace(copy.function.value, copy.function);
    if (is_new_function) {
      Function other = profile[copy.function];
      profile.strings.push_back(std::string(name_of(frame)) + "_[w]");
      other.name = StringId{static_cast<uint32_t>(profile.strings.size() - 1)};
      function->second = FunctionId{static_cast<uint32_t>(profile.functions.size())};
      profile.functions.push_back(other);
    }
    copy.function = function->second;
    it->second = FrameId{static_cast<uint32_t>(profile.frames.size())};
    profile.frames.push_back(copy);
    return it->second;
  };
  for (size_t i = 0; i < profile.stacks.size(); ++i) {  // callers come first
    Stack& s = profile.stacks[i];
    if (!s.caller.valid()) { continue; }
    is_waker[i] = is_waker[s.caller.value] || name_of(profile[s.caller].frame) == kBorder;
    if (is_waker[i] && name_of(s.frame) != kBorder) { s.frame = mark(s.frame); }
  }
}

}  // namespace wick
