// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// speedscope's JSON: frames shared by all profiles; a profile is a list of samples with weights, or of frames that open and
// close. Each profile is a thread. In the latter, a sample is a period in which nothing opens or closes.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "import/common/foreign.h"
#include "import/json/json_formats.h"

namespace wick {
namespace {

constexpr int kDecimals = 6;  // for weights without a unit that are not integers
constexpr uint64_t kDivisor = 1'000'000;

class SpeedscopeImport {
 public:
  SpeedscopeImport(const JsonDocument& document, const ImportOptions& options)
      : root_(document.root()), options_(options), threads_(b_) {}

  Result<Profile> run() {
    if (options_.merge) { b_.merge_samples(); }
    JsonValue profiles = root_["profiles"], frame, profile;
    if (!profiles.is_array()) { return Error("expected an array \"profiles\"").with_code(Errc::kBadInput); }
    from_wick_ = root_["exporter"].text().starts_with("wick ");
    std::string name, file;
    for (JsonValue::Walk walk = root_["shared"]["frames"].items(); walk.next(frame);) {
      auto small = [](JsonValue v) {
        int64_t n = v.integer().value_or(0);
        return n > 0 && n <= INT32_MAX ? static_cast<uint32_t>(n) : 0u;
      };
      FunctionId function = foreign_function(b_, options_, frame["name"].text(name), {});
      frames_.push_back(b_.frame({.function = function,
                                  .file = b_.string(frame["file"].text(file)),
                                  .line = small(frame["line"]),
                                  .column = small(frame["col"])}));
    }
    bool any_time = false, all_time = true;
    for (JsonValue::Walk walk = profiles.items(); walk.next(profile);) {
      bool is_time = foreign_unit(profile["unit"].text()).is_time;
      any_time = any_time || is_time;
      all_time = all_time && is_time;
    }
    has_times_ = any_time && all_time;
    b_.set_imported(kSpeedscopeReader.what, has_times_);
    for (JsonValue::Walk walk = profiles.items(); walk.next(profile); ++number_) {
      std::string type = profile["type"].text();
      begin_profile(profile);
      if (type == "evented") {
        read_evented(profile);
      } else if (type == "sampled") {
        read_sampled(profile);
      } else {
        return Error("profile %llu: expected a type \"sampled\" or \"evented\"", static_cast<unsigned long long>(number_))
            .with_code(Errc::kBadInput);
      }
    }
    skipped_samples_.warn(b_);
    skipped_events_.warn(b_);
    return std::move(b_).build();
  }

 private:
  void begin_profile(JsonValue profile) {
    unit_ = foreign_unit(profile["unit"].text());
    bool counts = unit_.name == "count";
    digits_ = unit_.digits;
    divisor_ = 1;
    if (counts && has_decimals(profile)) {
      digits_ = kDecimals;
      divisor_ = kDivisor;
    }
    event_ = unit_.is_time ? b_.event("time", "ns")
             : counts      ? b_.event("samples", "samples", 0, divisor_)
                           : b_.event(unit_.name, unit_.name);
    ThreadTable::Key key{.thread = profile["name"].text(), .other = std::to_string(number_)};
    // wick writes "worker (101)", and "all" for anonymous threads.
    if (from_wick_) {
      size_t open = key.thread.rfind(" (");
      if (key.thread == "all") {
        key.thread.clear();
      } else if (open != std::string::npos && key.thread.ends_with(')')) {
        std::optional<uint64_t> tid = parse_u64(std::string_view(key.thread).substr(open + 2, key.thread.size() - open - 3));
        if (tid && *tid <= UINT32_MAX) {
          key.tid = static_cast<uint32_t>(*tid);
          key.thread.resize(open);
        }
      }
    }
    thread_ = threads_.thread(key);
  }

  static bool is_decimal(JsonValue number) {
    std::optional<int64_t> rough = number.integer(), fine = number.scaled(kDecimals);
    return rough && fine && *fine % static_cast<int64_t>(kDivisor) != 0;
  }
  // Whether any cost has decimals.
  static bool has_decimals(JsonValue profile) {
    JsonValue item;
    for (JsonValue::Walk walk = profile["weights"].items(); walk.next(item);) {
      if (is_decimal(item)) { return true; }
    }
    for (JsonValue::Walk walk = profile["events"].items(); walk.next(item);) {
      if (is_decimal(item["at"])) { return true; }
    }
    bool evented = profile["events"].is_array();
    return evented && (is_decimal(profile["startValue"]) || is_decimal(profile["endValue"]));
  }

  void add(StackId stack, int64_t at, int64_t weight) {
    uint64_t count = 1;
    if (!unit_.is_time && unit_.name == "count") { count = std::max<uint64_t>(1, time_of(weight) / divisor_); }
    int64_t end = 0;
    if (has_times_ && weight > 0 && !__builtin_add_overflow(at, weight, &end)) { b_.extend_thread(thread_, time_of(end)); }
    b_.add_sample({.time_ns = has_times_ ? time_of(at) : 0,
                   .thread = thread_,
                   .stack = stack,
                   .event = event_,
                   .weight = weight,
                   .count = count});
  }

  void read_sampled(JsonValue profile) {
    JsonValue::Walk weights = profile["weights"].items();
    bool weighs = profile["weights"].is_array();
    JsonValue sample, weight, frame;
    int64_t at = 0;
    uint64_t row = 0;
    for (JsonValue::Walk walk = profile["samples"].items(); walk.next(sample); ++row) {
      std::optional<int64_t> cost = divisor_ == 1 ? 1 : static_cast<int64_t>(divisor_);
      if (weighs) { cost = weights.next(weight) ? weight.scaled(digits_) : std::nullopt; }
      StackId stack;
      bool good = cost.has_value() && sample.is_array();
      for (JsonValue::Walk in = sample.items(); good && in.next(frame);) {
        int64_t index = frame.integer().value_or(-1);
        good = index >= 0 && static_cast<uint64_t>(index) < frames_.size();
        if (good) { stack = b_.stack(frames_[static_cast<size_t>(index)], stack); }
      }
      if (!good) {
        skipped_samples_.add("sample %llu of profile %llu: %s", static_cast<unsigned long long>(row),
                             static_cast<unsigned long long>(number_),
                             cost ? "a frame is not in the table" : "its weight is not a number");
        continue;
      }
      add(stack, at, *cost);
      if (unit_.is_time && *cost > 0 && __builtin_add_overflow(at, *cost, &at)) { at = INT64_MAX; }
    }
  }

  void read_evented(JsonValue profile) {
    struct Open {
      int64_t frame;
      StackId stack;
    };
    std::vector<Open> open;
    std::vector<uint32_t>& times_open = times_open_;
    times_open.resize(frames_.size());
    int64_t start = profile["startValue"].scaled(digits_).value_or(0), last = start;
    auto pass_to = [&](int64_t now) {
      int64_t span = 0, since = 0;
      bool fits = !__builtin_sub_overflow(now, last, &span) && !__builtin_sub_overflow(last, start, &since);
      if (!open.empty() && fits && span > 0) { add(open.back().stack, since, span); }
      last = std::max(last, now);
    };
    JsonValue event;
    uint64_t row = 0;
    for (JsonValue::Walk walk = profile["events"].items(); walk.next(event); ++row) {
      std::optional<int64_t> now = event["at"].scaled(digits_);
      int64_t frame = event["frame"].integer().value_or(-1);
      std::string type = event["type"].text();
      bool opens = type == "O", known = frame >= 0 && static_cast<uint64_t>(frame) < frames_.size();
      bool closes = type == "C" && known && times_open[static_cast<size_t>(frame)] > 0;
      if (!now || *now < last || !known || (!opens && !closes)) {
        skipped_events_.add("event %llu of profile %llu: %s", static_cast<unsigned long long>(row),
                            static_cast<unsigned long long>(number_),
                            !now          ? "its time is not a number"
                            : *now < last ? "it is earlier than the previous event"
                            : !known      ? "a frame is not in the table"
                            : type == "C" ? "it closes a frame that is not open"
                                          : "its type is neither \"O\" nor \"C\"");
        continue;
      }
      pass_to(*now);
      if (opens) {
        StackId caller = open.empty() ? StackId{} : open.back().stack;
        open.push_back({frame, b_.stack(frames_[static_cast<size_t>(frame)], caller)});
        ++times_open[static_cast<size_t>(frame)];
        continue;
      }
      // Closes inner frames that are still open.
      for (bool found = false; !found;) {
        found = open.back().frame == frame;
        --times_open[static_cast<size_t>(open.back().frame)];
        open.pop_back();
      }
    }
    if (std::optional<int64_t> end = profile["endValue"].scaled(digits_); end && *end > last) { pass_to(*end); }
    for (const Open& left : open) { --times_open[static_cast<size_t>(left.frame)]; }
  }

  JsonValue root_;
  const ImportOptions& options_;
  ProfileBuilder b_;
  ThreadTable threads_;
  std::vector<FrameId> frames_;
  std::vector<uint32_t> times_open_;  // by frame, while reading a profile
  ForeignUnit unit_;
  int digits_ = 0;
  uint64_t divisor_ = 1, number_ = 0;
  EventId event_;
  ThreadId thread_;
  bool has_times_ = false, from_wick_ = false;
  SkippedRows skipped_samples_{"samples"}, skipped_events_{"events"};
};

}  // namespace

Result<Profile> import_speedscope(const JsonDocument& document, const ImportOptions& options) {
  return SpeedscopeImport(document, options).run();
}

}  // namespace wick
