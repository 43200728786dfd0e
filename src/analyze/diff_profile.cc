// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff_profile.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyze/diff_match.h"
#include "analyze/format.h"
#include "analyze/sample_weight.h"
#include "base/text.h"
#include "base/utf8.h"
#include "model/profile_builder.h"
#include "model/profile_copier.h"

namespace wick {
namespace {

__extension__ using Wide = __int128;
constexpr size_t kSides = 2;  // before, after
constexpr const char* kNames[kSides] = {"before", "after"};

struct Side {
  const Profile& profile;
  const Selection& selection;

  const Event* event() const { return selection.event.valid() ? &profile[selection.event] : nullptr; }
  std::string_view unit() const { return event() != nullptr ? profile.text(event()->unit) : std::string_view(); }
  uint64_t divisor() const { return event() != nullptr ? std::max<uint64_t>(1, event()->divisor) : 1; }
};

// The common unit: the only one, or that of `after`, and a divisor that represents both exactly if possible.
struct CommonUnit {
  std::string_view name;
  uint64_t divisor = 1;
};
Result<CommonUnit> find_common_unit(const Side (&sides)[kSides], bool normalize) {
  const auto& [before, after] = sides;
  bool both = before.event() != nullptr && after.event() != nullptr;
  if (both && before.unit() != after.unit() && !normalize && before.selection.count > 0 && after.selection.count > 0) {
    auto words = [](std::string_view unit) { return unit.empty() ? std::string("no unit") : printable(unit); };
    return Error("cannot compare costs in %s (before) with costs in %s (after)", words(before.unit()).c_str(),
                 words(after.unit()).c_str())
        .with_code(Errc::kBadInput);
  }
  bool use_after = after.event() != nullptr && (after.selection.count > 0 || before.selection.count == 0);
  const Side& named = use_after ? after : before;
  if (!both || before.unit() != after.unit()) { return CommonUnit{named.unit(), named.divisor()}; }
  constexpr uint64_t kMostDivisor = uint64_t{1} << 40;
  uint64_t a = before.divisor(), b = after.divisor(), parts = b / std::gcd(a, b);
  return CommonUnit{named.unit(), a <= kMostDivisor / parts ? a * parts : std::max(a, b)};
}

class Combiner {
 public:
  Combiner(const Side (&sides)[kSides], const CombineOptions& options)
      : sides_(sides),
        options_(options),
        match_(sides[0].profile, sides[1].profile, {.by_name = options.flat, .strip_hex = options.strip_hex}) {
    auto larger = [&](auto size) { return std::max(size(sides_[0].profile), size(sides_[1].profile)); };
    size_t samples = options.keep_samples ? sides[0].selection.samples.size() + sides[1].selection.samples.size() : 0;
    b_.reserve(samples, larger([](const Profile& p) { return p.stacks().size(); }),
               larger([](const Profile& p) { return p.frames().size(); }));
    bool has_times = options.keep_samples && sides[0].profile.has_times() && sides[1].profile.has_times();
    if (!options.keep_samples) { b_.merge_samples(); }
    if (options.keep_samples) { find_builds(); }
    b_.set_imported("difference", has_times);
    b_.about().losses_known = options.keep_samples;         // until add_about()
    for (size_t i = 0; i < kSides && !options.flat; ++i) {  // flat stacks contain the thread's name
      commands_[i] = find_command_frames(sides_[i].profile, sides_[i].selection, sides_[1 - i].profile);
    }
  }

  Result<Profile> run() && {
    WICK_LET(CommonUnit unit, find_common_unit(sides_, options_.normalize));
    EventId events[kSides];
    for (size_t i = 0; i < kSides; ++i) {
      const Event* event = sides_[i].event();
      events[i] = b_.event(kNames[i], unit.name, event != nullptr ? event->rate_hz : 0, unit.divisor);
    }
    std::vector<std::string> notes;
    for (size_t i = kSides; i-- > 0;) {  // common names are those of `after`
      add_about(sides_[i], kNames[i], events[i]);
      WICK_OK(add_samples(sides_[i], events[i], unit));
      notes.insert(notes.begin(), notes_.begin(), notes_.end());
      notes_.clear();
    }
    if (match_.knows_modules()) {
      std::vector<std::string> modules = match_.modules().notes();
      notes.insert(notes.begin(), modules.begin(), modules.end());
    }
    if (options_.notes != nullptr) { *options_.notes = std::move(notes); }
    b_.set_command(sides_[1].profile.command());
    b_.about().is_difference = true;
    if (options_.normalize) { normalize(); }
    if (options_.functions != nullptr) { *options_.functions = std::move(functions_); }
    return std::move(b_).build();
  }

 private:
  void add_about(const Side& side, const char* name, EventId event) {
    for (const Loss& loss : side.profile.losses()) {
      bool counts = !loss.event.valid() || loss.event == side.selection.event;
      if (counts) { b_.add_loss(side.profile.text(loss.kind), loss.count, loss.samples, event); }
    }
    if (!side.profile.losses_known()) { b_.set_losses_unknown(); }
    for (const std::string& warning : side.profile.warnings()) { b_.add_warning(std::string(name) + ": " + warning); }
  }

  using ModuleKey = std::pair<std::string, bool>;  // common name, kernel
  static ModuleKey key_of(const FunctionMatch::Named& named) { return {named.module, named.kernel}; }

  // The modules that become one, by side.
  struct Builds {
    ModuleId modules[kSides];
    bool is_one[kSides] = {true, true};  // at most one module of that side
    bool is_same = false;                // both sides have one, and it is the same build
  };
  void find_builds() {
    for (size_t side = 0; side < kSides; ++side) {
      const Profile& p = sides_[side].profile;
      for (uint32_t i = 0; i < p.functions().size(); ++i) {
        const FunctionMatch::Named& named = match_.of(side, {i});
        ModuleId module = p.functions()[i].module;
        if (named.module.empty() || !module.valid()) { continue; }
        Builds& builds = builds_[key_of(named)];
        builds.is_one[side] &= !builds.modules[side].valid() || builds.modules[side] == module;
        builds.modules[side] = module;
      }
    }
    auto build_of = [&](size_t side, const Builds& builds) {
      const Profile& p = sides_[side].profile;
      StringId id = builds.is_one[side] && builds.modules[side].valid() ? p[builds.modules[side]].build_id : StringId{};
      return id.valid() ? p.text(id) : std::string_view();
    };
    for (auto& [key, builds] : builds_) {
      builds.is_same = !build_of(0, builds).empty() && build_of(0, builds) == build_of(1, builds);
    }
  }
  const Builds* builds_of(const FunctionMatch::Named& named) const {
    auto it = builds_.find(key_of(named));
    return it == builds_.end() ? nullptr : &it->second;
  }

  // Copies one side into the difference, with common names.
  class SideCopier : public ProfileCopier {
   public:
    SideCopier(Combiner& combiner, const Side& side, EventId event)
        : ProfileCopier(side.profile, combiner.b_),
          combiner_(combiner),
          number_(combiner.number(side)),
          event_(event),
          is_flat_(combiner.options_.flat),
          keeps_samples_(combiner.options_.keep_samples),
          known_functions_(combiner.b_.so_far().functions().size()),
          start_ns_(first_time(side.profile)),
          skips_inlined_(combiner.match_.skips_inlined(number_)) {
      // Threads and processes named like their program match if the programs do.
      const ModuleMatch& modules = combiner.match_.modules();
      for (const Thread& t : from().threads()) { thread_names_.push_back(modules.thread_name(number_, from().text(t.name))); }
      for (const Process& p : from().processes()) { process_names_.push_back(modules.thread_name(number_, from().text(p.name))); }
    }

    std::string_view label(const Sample& sample) const { return thread_names_[sample.thread.value]; }
    bool skips_inlined() const { return skips_inlined_; }
    // Flat stacks hang below the thread's name.
    void begin_label(std::string_view label) {
      restart_stacks(label.empty() ? StackId{} : to().stack(to().frame({.function = to().function(label, {}, {})}), {}));
    }

   private:
    static uint64_t first_time(const Profile& p) {
      return p.start_ns() != 0 || p.samples().empty() ? p.start_ns() : p.samples().front().time_ns;
    }
    uint64_t time_ns(uint64_t time_ns) override { return time_ns > start_ns_ ? time_ns - start_ns_ : 0; }
    ModuleId module_of(const FunctionMatch::Named& named) {
      if (named.module.empty()) { return {}; }
      auto [it, fresh] = combiner_.modules_.try_emplace({named.module, named.kernel}, ModuleId{});
      if (fresh) {
        Module module{.name = to().string(named.module), .kernel = named.kernel};
        if (named.from.valid()) { module.path = to().string(from().text(from()[named.from].path)); }
        const Builds* builds = combiner_.builds_of(named);
        if (builds != nullptr && builds->is_same) { module.build_id = string(from()[builds->modules[number_]].build_id); }
        it->second = to().module(module);
      }
      return it->second;
    }
    FunctionId make_function(FunctionId id) override {
      const FunctionMatch::Named& named = combiner_.match_.of(number_, id);
      FunctionId made = to().function(named.name, {}, module_of(named), from()[id].known || is_flat_);
      if (combiner_.options_.functions != nullptr) { note_function(id, made, combiner_.builds_of(named)); }
      return made;
    }
    void note_function(FunctionId id, FunctionId made, const Builds* builds) {
      combiner_.functions_.resize(std::max<size_t>(combiner_.functions_.size(), made.value + 1));
      CombinedFunction& row = combiner_.functions_[made.value];
      FunctionId& own = number_ == 0 ? row.before : row.after;
      if (!own.valid()) { own = id; }
      row.same_build = builds != nullptr && builds->is_same;
    }
    bool keeps_addresses(FunctionId id) {
      const Builds* builds = keeps_samples_ ? combiner_.builds_of(combiner_.match_.of(number_, id)) : nullptr;
      if (builds == nullptr || !builds->is_one[number_]) { return false; }
      return number_ == 1 || builds->is_same || function(id).value >= known_functions_;
    }
    FrameId make_frame(FrameId id) override {
      const Frame& f = from()[id];
      if (is_flat_) { return to().frame({.function = function(f.function)}); }
      uint64_t address = keeps_addresses(f.function) ? f.address : 0;
      return to().frame(
          {.function = function(f.function), .address = address, .file = string(f.file), .line = f.line, .inlined = f.inlined});
    }
    StackId make_stack(StackId id, StackId caller) override {
      const Stack& s = from()[id];
      if (skips_inlined_ && from()[s.frame].inlined) { return caller; }
      const std::set<std::string>& commands = combiner_.commands_[number_];
      if (!commands.empty() && !s.caller.valid()) {
        std::string_view name = from().text(from()[from()[s.frame].function].name);
        if (commands.count(std::string(name)) > 0) { return caller; }
      }
      return ProfileCopier::make_stack(id, caller);
    }
    ThreadId make_thread(ThreadId id) override {
      const std::string& process = process_names_[from()[id].process.value];
      if (keeps_samples_) {
        const Thread& t = from()[id];
        ThreadId made =
            to().add_thread(this->process(t.process), t.tid, thread_names_[id.value], time_ns(t.start_ns), time_ns(t.end_ns));
        if (OwnNames* own = combiner_.options_.own_names) { keep_name(own->threads, made.value, t.name); }
        return made;
      }
      const std::string& thread = is_flat_ ? std::string() : thread_names_[id.value];
      auto [it, fresh] = combiner_.threads_.try_emplace({process, thread}, ThreadId{});
      if (fresh) {
        auto [at, new_process] = combiner_.processes_.try_emplace(process, ProcessId{});
        if (new_process) { at->second = to().add_process(0, process); }
        it->second = to().add_thread(at->second, 0, thread);
      }
      return it->second;
    }
    ProcessId make_process(ProcessId id) override {
      const Process& p = from()[id];
      ProcessId made = to().add_process(p.pid, process_names_[id.value], p.parent_pid, time_ns(p.start_ns), time_ns(p.end_ns));
      if (OwnNames* own = combiner_.options_.own_names) { keep_name(own->processes, made.value, p.name); }
      return made;
    }
    void keep_name(std::vector<std::string>& names, uint32_t id, StringId name) const {
      if (names.size() <= id) { names.resize(id + 1); }
      names[id] = from().text(name);
    }
    EventId make_event(EventId) override { return event_; }

    Combiner& combiner_;
    size_t number_;
    EventId event_;
    bool is_flat_, keeps_samples_;
    size_t known_functions_;  // of the other side, if that is already there
    uint64_t start_ns_;
    bool skips_inlined_;
    std::vector<std::string> thread_names_, process_names_;
  };

  Status add_samples(const Side& side, EventId event, const CommonUnit& unit) {
    const Profile& from = side.profile;
    // Costs in another unit are scaled to `after` later.
    Wide parts = side.unit() == unit.name ? static_cast<Wide>(unit.divisor) : static_cast<Wide>(side.divisor());
    Wide divisor = static_cast<Wide>(side.divisor());
    Wide most = static_cast<Wide>(INT64_MAX), magnitude = 0;

    SideCopier copier(*this, side, event);
    std::vector<uint32_t> rows = side.selection.samples;
    auto label = [&](uint32_t row) { return copier.label(from.samples()[row]); };
    if (options_.flat) {  // thread names one after another, since each has separate stacks
      std::stable_sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) { return label(a) < label(b); });
    }
    uint64_t each = from.has_counts() ? 1 : estimate_sample_weight(from, side.selection.event), samples = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      const Sample& sample = from.samples()[rows[i]];
      if (options_.flat && (i == 0 || label(rows[i]) != label(rows[i - 1]))) { copier.begin_label(label(rows[i])); }
      Sample copy = copier.sample(sample);
      Wide weight = static_cast<Wide>(sample.weight) * parts / divisor;
      magnitude += weight < 0 ? -weight : weight;
      if (magnitude > most) { return Error("the costs are too large to compare").with_code(Errc::kBadInput); }
      if (!from.has_counts()) {
        copy.count = std::max<uint64_t>(1, static_cast<uint64_t>(std::max<int64_t>(0, sample.weight)) / each);
      }
      samples += copy.count;
      copy.weight = static_cast<int64_t>(weight);
      if (!options_.keep_samples) { copy.cpu = 0; }
      b_.add_sample(copy);
    }
    const char* const name = kNames[number(side)];
    if (!commands_[number(side)].empty()) { note(std::string("ignoring the outermost frame of ") + name + ", the command"); }
    if (copier.skips_inlined()) {
      note("inlined code is attributed to its callers: " + std::string(kNames[1 - number(side)]) + " has no inlined frames");
    }
    if (!from.has_counts() && each > side.divisor()) { note_estimate(side, samples, each); }
    return ok_status();
  }

  size_t number(const Side& side) const { return static_cast<size_t>(&side - sides_); }
  void note(std::string text) { notes_.push_back(std::move(text)); }
  void note_estimate(const Side& side, uint64_t samples, uint64_t each) {
    note(std::string(kNames[number(side)]) + " has no sample counts: assuming " + group_thousands(samples) +
         " samples of about " + group_thousands(each / side.divisor()) + " each");
  }

  // Rounded so that the sums agree: each row gets the increase of the rounded running sum.
  void normalize() {
    Wide sums[kSides] = {0, 0}, magnitude = 0;
    for (const Sample& s : b_.so_far().samples()) {
      sums[s.event.value] += s.weight;
      magnitude += s.weight < 0 ? -static_cast<Wide>(s.weight) : static_cast<Wide>(s.weight);
    }
    if (sums[0] <= 0 || sums[1] <= 0) { return; }
    // Finer parts keep small counts, which would be rounded away.
    constexpr Wide kParts = 1'000'000;
    const Event& after = b_.so_far().events()[1];
    bool finer = b_.text(after.unit) != "ns" && after.divisor < kParts &&
                 std::max(magnitude, 2 * sums[1]) < static_cast<Wide>(INT64_MAX) / kParts;
    Wide parts = finer ? kParts : 1, run = 0, given = 0;
    sums[1] *= parts;
    b_.change_samples([&](Sample& s) {
      if (s.event.value == 1) {
        s.weight = static_cast<int64_t>(s.weight * parts);
        return true;
      }
      run += s.weight;
      Wide due = run * sums[1] / sums[0];
      s.weight = static_cast<int64_t>(due - given);
      given = due;
      return true;
    });
    b_.refine_events(static_cast<uint64_t>(parts));
  }

  const Side (&sides_)[kSides];
  const CombineOptions& options_;
  FunctionMatch match_;
  std::set<std::string> commands_[kSides];  // outermost functions that are commands
  std::vector<std::string> notes_;
  ProfileBuilder b_;
  std::map<ModuleKey, Builds> builds_;  // only if samples are kept
  std::map<ModuleKey, ModuleId> modules_;
  std::vector<CombinedFunction> functions_;
  std::map<std::string, ProcessId> processes_;
  std::map<std::pair<std::string, std::string>, ThreadId> threads_;
};

}  // namespace

Result<Profile> combine_profiles(const Profile& before, const Selection& before_selection, const Profile& after,
                                 const Selection& after_selection, const CombineOptions& options) {
  const Side sides[kSides] = {{before, before_selection}, {after, after_selection}};
  return Combiner(sides, options).run();
}

Result<Sides> select_sides(const Profile& combined) {
  Sides sides;
  WICK_LET(sides.before, select_samples(combined, {.event = kNames[0]}));
  WICK_LET(sides.after, select_samples(combined, {.event = kNames[1]}));
  sides.both.event = sides.after.event;
  for (uint32_t i = 0; i < combined.samples().size(); ++i) { sides.both.samples.push_back(i); }
  bool over = __builtin_add_overflow(sides.before.weight, sides.after.weight, &sides.both.weight) ||
              __builtin_add_overflow(sides.before.count, sides.after.count, &sides.both.count);
  if (over) { return Error("the costs are too large to compare").with_code(Errc::kBadInput); }
  return sides;
}

}  // namespace wick
