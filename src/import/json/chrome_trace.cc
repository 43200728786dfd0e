// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Chrome's trace events: an array, or an object with one. Spans of a thread nest: complete ones ("X"), and pairs ("B", "E"; a
// span without an end lasts as long as its thread). Events may come in any order, so they are paired by time at the end. A span's
// cost is its time without inner spans, so a sample is a period in which the innermost span stays the same. A span that ends
// after its parent is shortened. V8's sampled profiles in a trace (Profile, ProfileChunk, CpuProfile) become a separate event,
// the first one. Counters, instants, flows and asynchronous events have no stack and are not read.

#include <tsl/robin_map.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "import/common/foreign.h"
#include "import/json/json_formats.h"
#include "import/json/v8_profile.h"

namespace wick {
namespace {

struct Span {
  int64_t begin_ns = 0, end_ns = 0;
  FrameId frame;
  uint64_t event = 0;       // its position in the file
  bool never_ends = false;  // its end is made up
};
struct Mark {  // begin or end of a span
  int64_t at_ns = 0;
  FrameId frame;  // invalid: the end of the innermost
  uint64_t event = 0;
};
struct Line {  // the events of a thread
  std::string name;
  std::vector<Span> spans;
  std::vector<Mark> marks;
  int64_t last_ns = INT64_MIN;
  ThreadId id;
};

class ChromeTraceImport {
 public:
  ChromeTraceImport(const JsonDocument& document, const ImportOptions& options)
      : document_(document), options_(options), threads_(b_) {}

  Result<Profile> run() {
    if (options_.merge) { b_.merge_samples(); }
    b_.set_imported(kChromeTraceReader.what, true);
    JsonValue root = document_.root(), events = root.is_array() ? root : root["traceEvents"];
    if (!events.is_array()) { return Error("expected an array \"traceEvents\"").with_code(Errc::kBadInput); }
    from_wick_ = root["otherData"]["exporter"].text().starts_with("wick ");
    // Spans made of samples: this long per sample.
    if (from_wick_) {
      interval_ns_ = static_cast<uint64_t>(std::max<int64_t>(0, root["otherData"]["interval_ns"].integer().value_or(0)));
    }
    if (document_.was_cut()) {
      b_.add_warning(strf("the file is truncated; showing complete events up to byte %zu", document_.size()));
    }
    JsonValue event;
    for (JsonValue::Walk walk = events.items(); walk.next(event); ++number_) { read(event); }
    for (auto& [key, line] : lines_) { pair_marks(line); }
    add_samples();
    skipped_.warn(b_);
    if (cut_ > 0) {
      b_.add_warning(strf("shortened %s %s after the enclosing event (first: event %llu)", group_thousands(cut_).c_str(),
                          cut_ == 1 ? "event that ends" : "events that end", static_cast<unsigned long long>(first_cut_)));
    }
    return std::move(b_).build();
  }

 private:
  static constexpr int64_t kNoTime = INT64_MIN;

  static std::string id_text(JsonValue id) {
    if (id.is_string()) { return id.text(); }
    std::optional<int64_t> number = id.integer();
    return number ? std::to_string(*number) : std::string();
  }

  Line& line_of(const std::string& pid, const std::string& tid) { return lines_[{pid, tid}]; }

  void read(JsonValue event) {
    // One pass over the members: most of the file consists of these.
    JsonValue ph, name, ts, dur, pid, tid, args, category, id;
    JsonValue::Member member;
    for (JsonValue::Walk walk = event.members(); walk.next(member);) {
      std::string_view key = member.key;
      if (key == "ph") { ph = member.value; }
      if (key == "name") { name = member.value; }
      if (key == "ts") { ts = member.value; }
      if (key == "dur") { dur = member.value; }
      if (key == "pid") { pid = member.value; }
      if (key == "tid") { tid = member.value; }
      if (key == "args") { args = member.value; }
      if (key == "cat") { category = member.value; }
      if (key == "id") { id = member.value; }
    }
    std::string kind_buffer, name_buffer;
    std::string_view kind = ph.text(kind_buffer);
    if (kind.size() != 1) { return skipped_.add("event %llu: \"ph\" is missing", number()); }
    if (kind == "M") { return read_name(name, pid, tid, args); }
    std::string_view called = name.text(name_buffer);
    bool profile = called == "ProfileChunk" || called == "CpuProfile" || called == "Profile";
    if (profile && args["data"].is_object()) {
      return read_profile(called, id_text(pid), id_text(tid), id_text(id), ts, args["data"]);
    }
    if (kind != "X" && kind != "B" && kind != "E") { return; }
    std::optional<int64_t> begin = ts.scaled(3);
    std::optional<int64_t> length = kind == "X" ? dur.scaled(3) : 0;
    int64_t end = 0;
    if (!begin || !length || *length < 0 || *begin == kNoTime || __builtin_add_overflow(*begin, *length, &end)) {
      return skipped_.add("event %llu: \"%s\" is not a number", number(), begin ? "dur" : "ts");
    }
    Line& line = line_of(id_text(pid), id_text(tid));
    line.last_ns = std::max(line.last_ns, end);
    if (kind == "E") { return line.marks.push_back({*begin, {}, number_}); }
    // wick writes modules as categories.
    ModuleId module;
    std::string category_buffer;
    std::string_view shown = category.text(category_buffer);
    if (from_wick_ && !shown.empty()) { module = b_.module(shown, {}, is_kernel_module(shown)); }
    FunctionId function = from_wick_ ? foreign_function(b_, options_, called, module)
                                     : b_.function(called.empty() ? "(anonymous)" : called, {}, {});
    FrameId frame = b_.frame({.function = function});
    if (kind == "B") { return line.marks.push_back({*begin, frame, number_}); }
    line.spans.push_back({*begin, end, frame, number_});
  }

  void read_name(JsonValue name, JsonValue pid, JsonValue tid, JsonValue args) {
    std::string what = name.text();
    if (what == "thread_name") { line_of(id_text(pid), id_text(tid)).name = args["name"].text(); }
    if (what == "process_name") { process_names_[id_text(pid)] = args["name"].text(); }
  }

  struct Sampled {
    V8Profile profile;
    std::string tid;
    int64_t start_ns = kNoTime, end_ns = kNoTime;
  };
  void read_profile(std::string_view what, const std::string& pid, const std::string& tid, const std::string& id, JsonValue ts,
                    JsonValue data) {
    Sampled& sampled = profiles_[{pid, what == "CpuProfile" ? "cpu" + tid : id}];
    if (sampled.tid.empty() || what == "Profile") { sampled.tid = tid; }
    JsonValue inner = data["cpuProfile"].is_object() ? data["cpuProfile"] : data;
    std::optional<int64_t> start = (data["startTime"].is_number() ? data["startTime"] : inner["startTime"]).scaled(3);
    if (start) { sampled.start_ns = *start; }
    if (sampled.start_ns == kNoTime) { sampled.start_ns = ts.scaled(3).value_or(0); }
    if (std::optional<int64_t> end = inner["endTime"].scaled(3)) { sampled.end_ns = *end; }
    sampled.profile.add_nodes(b_, inner["nodes"]);
    JsonValue deltas = data["timeDeltas"];
    sampled.profile.add_samples(inner["samples"], deltas.is_array() ? deltas : inner["timeDeltas"]);
  }

  // An end belongs to the last open begin.
  void pair_marks(Line& line) {
    std::stable_sort(line.marks.begin(), line.marks.end(), [](const Mark& a, const Mark& c) { return a.at_ns < c.at_ns; });
    std::vector<size_t> open;  // rows of the spans
    for (const Mark& mark : line.marks) {
      if (mark.frame.valid()) {
        open.push_back(line.spans.size());
        line.spans.push_back({mark.at_ns, std::max(mark.at_ns, line.last_ns), mark.frame, mark.event, true});
      } else if (open.empty()) {
        skipped_.add("event %llu: end without a beginning", static_cast<unsigned long long>(mark.event));
      } else {
        Span& span = line.spans[open.back()];
        span.end_ns = mark.at_ns;
        span.never_ends = false;
        open.pop_back();
      }
    }
    line.marks = {};
  }

  void add_samples() {
    int64_t start = INT64_MAX;
    for (const auto& [key, line] : lines_) {
      for (const Span& span : line.spans) { start = std::min(start, span.begin_ns); }
    }
    for (const auto& [key, sampled] : profiles_) { start = std::min(start, sampled.start_ns); }
    start_ns_ = std::max<int64_t>(start == INT64_MAX ? 0 : start, INT64_MIN / 2);
    if (std::any_of(profiles_.begin(), profiles_.end(), [](const auto& p) { return p.second.profile.sample_count() > 0; })) {
      EventId event = b_.event("cpu", "ns");
      for (auto& [key, sampled] : profiles_) {
        int64_t begin = 0, duration = -1;
        if (__builtin_sub_overflow(sampled.start_ns, start_ns_, &begin)) { begin = 0; }
        if (sampled.end_ns != kNoTime && __builtin_sub_overflow(sampled.end_ns, sampled.start_ns, &duration)) { duration = -1; }
        if (sampled.profile.sample_count() == 0) { continue; }
        sampled.profile.add_to(b_, {thread(key.first, sampled.tid), event, {}, time_of(begin), duration}, skipped_);
      }
    }
    event_ = b_.event("time", "ns");
    for (auto& [key, line] : lines_) {
      if (!line.spans.empty()) { add_spans(thread(key.first, key.second), line.spans); }
    }
  }

  ThreadId thread(const std::string& pid, const std::string& tid) {
    auto line = lines_.find({pid, tid});
    auto process = process_names_.find(pid);
    ThreadTable::Key key{.pid = leading_u32(pid), .tid = leading_u32(tid)};
    if (process != process_names_.end()) { key.process = process->second; }
    if (line != lines_.end()) { key.thread = line->second.name; }
    if (key.tid == 0) { key.other = tid; }
    if (key.thread.empty() && key.tid == 0 && !tid.empty() && tid != "0") { key.thread = tid; }
    if (key.process.empty() && key.pid == 0 && !pid.empty() && pid != "0") { key.process = pid; }
    return threads_.thread(key);
  }

  // Outer spans first; those with equal times in file order.
  void add_spans(ThreadId id, std::vector<Span>& spans) {
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& c) {
      if (a.begin_ns != c.begin_ns) { return a.begin_ns < c.begin_ns; }
      return a.end_ns != c.end_ns ? a.end_ns > c.end_ns : a.event < c.event;
    });
    struct Open {
      int64_t end_ns;
      StackId stack;
    };
    std::vector<Open> open;
    int64_t now = 0;
    auto pass_to = [&](int64_t until) {
      int64_t length = 0, since = 0;
      bool fits = !__builtin_sub_overflow(until, now, &length) && !__builtin_sub_overflow(now, start_ns_, &since);
      if (fits && length > 0) {
        uint64_t ns = static_cast<uint64_t>(length);
        uint64_t count = interval_ns_ == 0 ? 1 : std::max<uint64_t>(1, (ns + interval_ns_ / 2) / interval_ns_);
        b_.extend_thread(id, time_of(since) + ns);
        b_.add_sample({.time_ns = time_of(since),
                       .thread = id,
                       .stack = open.back().stack,
                       .event = event_,
                       .weight = length,
                       .count = count});
      }
      now = until;
    };
    auto close_until = [&](int64_t until) {
      while (!open.empty() && open.back().end_ns <= until) {
        pass_to(open.back().end_ns);
        open.pop_back();
      }
      if (!open.empty()) { pass_to(until); }
      now = until;
    };
    for (const Span& span : spans) {
      close_until(span.begin_ns);
      StackId caller = open.empty() ? StackId{} : open.back().stack;
      int64_t end = open.empty() ? span.end_ns : std::min(span.end_ns, open.back().end_ns);
      // A microsecond is common: begins and durations are rounded separately.
      if (int64_t lost = 0; !span.never_ends && (__builtin_sub_overflow(span.end_ns, end, &lost) || lost > 1000)) {
        if (cut_++ == 0 || span.event < first_cut_) { first_cut_ = span.event; }
      }
      open.push_back({end, b_.stack(span.frame, caller)});
    }
    close_until(INT64_MAX);
  }

  unsigned long long number() const { return static_cast<unsigned long long>(number_); }

  const JsonDocument& document_;
  const ImportOptions& options_;
  ProfileBuilder b_;
  ThreadTable threads_;
  std::map<std::pair<std::string, std::string>, Line> lines_;        // (pid, tid)
  std::map<std::pair<std::string, std::string>, Sampled> profiles_;  // (pid, id)
  std::map<std::string, std::string> process_names_;
  EventId event_;
  int64_t start_ns_ = 0;
  uint64_t number_ = 0;
  bool from_wick_ = false;
  uint64_t interval_ns_ = 0;          // 0: unknown
  uint64_t cut_ = 0, first_cut_ = 0;  // shortened events
  SkippedRows skipped_{"events"};
};

}  // namespace

Result<Profile> import_chrome_trace(const JsonDocument& document, const ImportOptions& options) {
  return ChromeTraceImport(document, options).run();
}

}  // namespace wick
