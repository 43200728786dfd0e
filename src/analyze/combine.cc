// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/combine.h"

#include <algorithm>
#include <unordered_map>

#include "analyze/palette.h"
#include "model/profile_builder.h"
#include "model/profile_copier.h"

namespace wick {
namespace {

class Merger {
 public:
  Merger(std::span<const Profile> profiles, const MergeOptions& options) : profiles_(profiles), options_(options) {
    if (options.merge) { builder_.merge_samples(); }
  }

  Profile merge() && {
    for (const Profile& p : profiles_) { plan_events(p); }
    for (const Profile& p : profiles_) { Part(*this, p).copy(); }
    ProfileAbout& out = builder_.about();
    out.is_difference = !profiles_.empty();
    out.losses_known = true;
    out.has_times = !options_.merge;
    for (const Profile& p : profiles_) {
      out.is_difference = out.is_difference && p.is_difference();
      out.losses_known = out.losses_known && p.losses_known();
      out.has_times = out.has_times && p.has_times();
      out.left_behind.times |= p.left_behind().times || (options_.merge && p.has_times());
      out.left_behind.cpus |= p.left_behind().cpus;
      out.left_behind.labels |= p.left_behind().labels;
      out.events_ranked = out.events_ranked && p.events_ranked();
      if (&p == &profiles_.front()) { out.imported_from = p.imported_from(); }
      if (p.imported_from() != out.imported_from) { out.imported_from = "several files"; }
    }
    bool same_command = std::all_of(profiles_.begin(), profiles_.end(),
                                    [&](const Profile& p) { return p.command() == profiles_.front().command(); });
    if (same_command && !profiles_.empty()) { out.command = profiles_.front().command(); }
    return std::move(builder_).build();
  }

 private:
  struct Planned {
    std::string name, unit;
    uint64_t rate_hz = 0, divisor = 1;
  };

  void plan_events(const Profile& p) {
    for (const Event& e : p.events()) {
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

  // Copies one of the profiles into the result.
  class Part : public ProfileCopier {
   public:
    Part(Merger& merger, const Profile& p)
        : ProfileCopier(p, merger.builder_), merger_(merger), heaviest_(p.events().size()), factors_(p.events().size(), 1) {
      start_ns_ = p.start_ns() != 0 || p.samples().empty() ? p.start_ns() : p.samples().front().time_ns;
      for (const Sample& s : p.samples()) {
        uint64_t size = s.weight < 0 ? 0 - static_cast<uint64_t>(s.weight) : static_cast<uint64_t>(s.weight);
        heaviest_[s.event.value] = std::max(heaviest_[s.event.value], size);
      }
    }

    void copy() {
      copy_functions();
      copy_frames();
      copy_stacks();
      copy_threads();
      copy_events();
      for (const Sample& s : from().samples()) {
        Sample copy = sample(s);
        copy.weight = s.weight * factors_[s.event.value];
        to().add_sample(copy);
      }
      copy_losses();
      copy_warnings();
    }

   private:
    uint64_t time_ns(uint64_t time_ns) override { return time_ns > start_ns_ ? time_ns - start_ns_ : 0; }

    ThreadId make_thread(ThreadId id) override {
      const Thread& t = from()[id];
      const Process& owner = from()[t.process];
      bool is_anonymous = merger_.options_.merge && t.tid == 0 && !t.name.valid() && owner.pid == 0 && !owner.name.valid();
      if (!is_anonymous) { return ProfileCopier::make_thread(id); }
      if (!merger_.anonymous_.valid()) { merger_.anonymous_ = ProfileCopier::make_thread(id); }
      return merger_.anonymous_;
    }

    // Also computes the factor for its weights.
    EventId make_event(EventId id) override {
      const Event& e = from()[id];
      for (const Planned& o : merger_.planned_) {
        if (o.name != from().text(e.name) || o.unit != from().text(e.unit) || o.divisor % e.divisor != 0) { continue; }
        uint64_t factor = o.divisor / e.divisor, product = 0;
        bool over = __builtin_mul_overflow(factor, heaviest_[id.value], &product);
        if (over || product > static_cast<uint64_t>(INT64_MAX)) { continue; }
        factors_[id.value] = static_cast<int64_t>(factor);
        return to().event(o.name, o.unit, o.rate_hz, o.divisor);
      }
      return ProfileCopier::make_event(id);
    }

    Merger& merger_;
    uint64_t start_ns_ = 0;
    std::vector<uint64_t> heaviest_;  // largest sample per event
    std::vector<int64_t> factors_;    // per event
  };

  std::span<const Profile> profiles_;
  const MergeOptions& options_;
  std::vector<Planned> planned_;
  ThreadId anonymous_;
  ProfileBuilder builder_;
};

}  // namespace

Profile merge_profiles(std::span<const Profile> profiles, const MergeOptions& options) {
  return Merger(profiles, options).merge();
}

Profile cut_to_base(Profile profile, std::span<const std::string> functions) {
  ProfileBuilder b(std::move(profile));
  auto wanted = [&](const Function& f) {
    std::string_view name = b.text(f.name);
    return std::any_of(functions.begin(), functions.end(),
                       [&](const std::string& base) { return name == base || split_mark(name).name == base; });
  };
  std::vector<bool> is_base;
  for (const Function& f : b.so_far().functions()) { is_base.push_back(wanted(f)); }
  std::vector<Stack> old = b.take_stacks();
  std::vector<StackId> cut(old.size());  // invalid: outside
  for (size_t i = 0; i < old.size(); ++i) {
    bool base = is_base[b.so_far()[old[i].frame].function.value];
    StackId caller = !base && old[i].caller.valid() ? cut[old[i].caller.value] : StackId{};
    if (base || caller.valid()) { cut[i] = b.stack(old[i].frame, caller); }
  }
  b.change_samples([&](Sample& s) {
    s.stack = cut[s.stack.value];
    return s.stack.valid();
  });
  return std::move(b).build();
}

Profile mark_wakers(Profile profile) {
  constexpr std::string_view kBorder = "--";
  ProfileBuilder b(std::move(profile));
  auto name_of = [&](FrameId frame) { return b.function_name(b.so_far()[frame].function); };
  std::unordered_map<uint32_t, FrameId> marked;
  auto mark = [&](FrameId frame) {
    auto [it, is_new] = marked.try_emplace(frame.value, frame);
    if (!is_new || split_mark(name_of(frame)).mark != 0) { return it->second; }
    Frame copy = b.so_far()[frame];
    Function function = b.so_far()[copy.function];
    function.name = b.string(std::string(name_of(frame)) + "_[w]");
    copy.function = b.function(function);
    return it->second = b.frame(copy);
  };
  std::vector<Stack> old = b.take_stacks();
  std::vector<StackId> mapped(old.size());
  std::vector<bool> is_waker(old.size());
  for (size_t i = 0; i < old.size(); ++i) {  // callers come first
    const Stack& s = old[i];
    is_waker[i] = s.caller.valid() && (is_waker[s.caller.value] || name_of(old[s.caller.value].frame) == kBorder);
    FrameId frame = is_waker[i] && name_of(s.frame) != kBorder ? mark(s.frame) : s.frame;
    mapped[i] = b.stack(frame, s.caller.valid() ? mapped[s.caller.value] : StackId{});
  }
  b.change_samples([&](Sample& s) {
    s.stack = mapped[s.stack.value];
    return true;
  });
  return std::move(b).build();
}

}  // namespace wick
