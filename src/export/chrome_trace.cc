// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Trace events for chrome://tracing, Perfetto and speedscope: for each thread, what was on the stack at which time.
//
// A sample covers the time before it: back to the thread's last sample if that is at most two periods ago, else one period. The
// gap stays open, since what the thread did then is unknown (usually it slept). A function at the same depth of consecutive
// stacks is one span. Spans are complete events ("X"), outer before inner: viewers nest those with equal times in file order. So
// a thread's spans are kept until it is complete, 24 bytes each.
//
// Readers keep microseconds as doubles and nest by ts + dur. Most decimal fractions are not doubles: a span could end one bit
// after its parent and become its sibling. So times are multiples of 1/8 microsecond, which are exact as decimals, as doubles and
// in nanoseconds. Threads with spans under a microsecond use 1/1024; if even that would not be exact, times are written as they
// are.

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "export/json_writer.h"
#include "export/writers.h"

namespace wick {
namespace {

struct Box {
  uint64_t begin_ns = 0, end_ns = 0;
  FunctionId function;
};

// Times as multiples of a power of two microseconds.
class Grid {
 public:
  Grid(uint64_t shortest_ns, uint64_t last_ns) : places_(shortest_ns >= 1000 ? 3 : 10) {
    while (places_ > kLeast && steps(last_ns) >= uint64_t{1} << 53) { --places_; }
  }

  uint64_t steps(uint64_t ns) const {
    __int128 twice = 2 * static_cast<__int128>(ns) * (places_ > 0 ? 1 << places_ : 1) / (places_ < 0 ? 1 << -places_ : 1) / 1000;
    return static_cast<uint64_t>((twice + 1) / 2);
  }

  void append_us(std::string& out, uint64_t steps) const {
    if (places_ <= 0) {
      append_number(out, steps << -places_);
      return;
    }
    append_number(out, steps >> places_);
    uint64_t rest = steps & ((uint64_t{1} << places_) - 1);
    if (rest == 0) { return; }
    out += '.';
    for (uint64_t unit = uint64_t{1} << places_; rest != 0;) {
      out += static_cast<char>('0' + rest * 10 / unit);
      rest = rest * 10 % unit;
    }
  }

 private:
  static constexpr int kLeast = -2;  // 2^64 ns is less than 2^55 us
  int places_;                       // binary places after the point, and so decimal ones
};

// The usual distance between samples of a thread, for events that do not measure time.
uint64_t usual_distance(const Profile& p, const std::vector<uint32_t>& rows) {
  std::vector<uint64_t> distances;
  for (size_t i = 1; i < rows.size(); ++i) {
    distances.push_back(p.samples()[rows[i]].time_ns - p.samples()[rows[i - 1]].time_ns);
  }
  if (distances.empty()) { return 1'000'000; }
  auto middle = distances.begin() + static_cast<ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return std::max<uint64_t>(1, *middle);
}

// The time that a sample covers.
class Spans {
 public:
  Spans(const Profile& p, const Selection& selection, const std::vector<uint32_t>& rows) : p_(p) {
    Event event = p.events().empty() ? Event{} : p[selection.event];
    divisor_ = std::max<uint64_t>(1, event.divisor);
    is_time_ = p.text(event.unit) == "ns";
    if (!is_time_ && p.has_times()) {
      distance_ = event.rate_hz != 0 ? 1'000'000'000 / std::min<uint64_t>(event.rate_hz, 1'000'000'000) : usual_distance(p, rows);
    }
  }

  struct Span {
    uint64_t begin_ns, end_ns;
    bool joined;  // adjacent to the previous span
  };
  Span next(const Sample& s) {
    int64_t weight = std::max<int64_t>(0, s.weight);
    if (!p_.has_times()) {
      // Costs become consecutive spans: nanoseconds as they are, else a microsecond per unit.
      __int128 length = static_cast<__int128>(weight) * (is_time_ ? 1 : 1000) / divisor_;
      uint64_t begin = last_end_;
      last_end_ += static_cast<uint64_t>(std::min<__int128>(length, UINT64_MAX - last_end_));
      return {begin, last_end_, true};
    }
    uint64_t cost = static_cast<uint64_t>(weight) / divisor_;
    uint64_t period = std::max<uint64_t>(1, is_time_ ? cost : distance_);
    uint64_t end = sample_time(p_, s, 0);
    bool joined = !first_ && end - last_end_ <= 2 * std::min(period, UINT64_MAX / 2);
    uint64_t begin = joined ? last_end_ : end - std::min(period, first_ ? end : end - last_end_);
    first_ = false;
    last_end_ = end;
    return {begin, end, joined};
  }

 private:
  const Profile& p_;
  uint64_t divisor_ = 1, distance_ = 0, last_end_ = 0;
  bool is_time_ = false, first_ = true;
};

class ChromeTraceWriter {
 public:
  ChromeTraceWriter(const ExportView& view, const Sink& sink)
      : p_(view.profile),
        selection_(view.first()),
        same_(compute_same_functions(p_)),
        texts_(p_.functions().size()),
        out_(sink),
        json_(out_.text) {}

  void run() {
    json_.begin_object();
    json_.line().key("displayTimeUnit").value("ms");
    json_.line().key("otherData").begin_object().key("exporter").value("wick " WICK_VERSION);
    if (selection_.event.valid()) {
      const Event& event = p_[selection_.event];
      json_.key("event").value(p_.text(event.name));
      // For readers that restore samples.
      if (event.rate_hz != 0) { json_.key("interval_ns").value(1'000'000'000 / event.rate_hz); }
    }
    json_.end_object();
    json_.line().key("traceEvents").begin_array();
    std::vector<ThreadRows> threads = rows_by_thread(p_, selection_);
    for (const ThreadRows& thread : threads) { write_names(thread.thread); }
    for (const ThreadRows& thread : threads) {
      if (!write_thread(thread)) { return; }
    }
    json_.end_array();
    json_.line().end_object();
    out_.text += '\n';
    out_.finish();
  }

 private:
  // Most of the file, so formatted without JsonWriter: names and IDs are prepared once.
  void begin_event(std::string_view kind_and_name_key) {
    out_.text += first_ ? "\n" : ",\n";
    first_ = false;
    out_.text += kind_and_name_key;
  }

  // Anonymous threads get numbers: some viewers take pid 0 for an idle CPU.
  std::string ids_of(ThreadId id) const {
    const Thread& t = p_[id];
    bool known = is_identified(p_, t);
    return strf(",\"pid\":%u,\"tid\":%u", known ? p_[t.process].pid : 1, known ? t.tid : 1 + id.value);
  }

  void write_names(ThreadId id) {
    const Thread& t = p_[id];
    auto write = [&](const char* what, std::string_view name) {
      if (name.empty()) { return; }
      begin_event("{\"ph\":\"M\",\"name\":");
      append_json_string(out_.text, what);
      out_.text += ids_of(id) + ",\"args\":{\"name\":";
      append_json_string(out_.text, name);
      out_.text += "}}";
    };
    write("process_name", p_.text(p_[t.process].name));
    write("thread_name", p_.text(t.name));
  }

  // The name of the span and its category, the module.
  const std::string& text_of(FunctionId function) {
    std::string& text = texts_[function.value];
    if (!text.empty()) { return text; }
    append_json_string(text, function_text(p_, function));
    ModuleId module = p_[function].module;
    if (module.valid() && p_[module].name.valid()) {
      text += ",\"cat\":";
      append_json_string(text, p_.text(p_[module].name));
    }
    return text;
  }

  bool write_thread(const ThreadRows& thread) {
    std::vector<Box> boxes;
    std::vector<uint32_t> open;  // rows of `boxes`, outermost first
    std::vector<FunctionId> stack;
    Spans spans(p_, selection_, thread.rows);
    uint64_t shortest_ns = UINT64_MAX, last_ns = 0;
    for (uint32_t row : thread.rows) {
      const Sample& s = p_.samples()[row];
      Spans::Span span = spans.next(s);
      if (span.end_ns > span.begin_ns) { shortest_ns = std::min(shortest_ns, span.end_ns - span.begin_ns); }
      last_ns = std::max(last_ns, span.end_ns);
      stack.clear();
      for (StackId id = s.stack; id.valid(); id = p_[id].caller) { stack.push_back(same_[p_[p_[id].frame].function.value]); }
      std::reverse(stack.begin(), stack.end());
      size_t kept = 0;
      while (span.joined && kept < open.size() && kept < stack.size() && boxes[open[kept]].function == stack[kept]) { ++kept; }
      open.resize(kept);
      for (uint32_t box : open) { boxes[box].end_ns = span.end_ns; }
      for (size_t i = kept; i < stack.size(); ++i) {
        open.push_back(static_cast<uint32_t>(boxes.size()));
        boxes.push_back({span.begin_ns, span.end_ns, stack[i]});
      }
    }
    std::string ids = ids_of(thread.thread);
    Grid grid(shortest_ns, last_ns);
    for (const Box& box : boxes) {
      begin_event("{\"ph\":\"X\",\"name\":");
      out_.text += text_of(box.function);
      out_.text += ids;
      uint64_t begin = grid.steps(box.begin_ns), end = grid.steps(box.end_ns);
      out_.text += ",\"ts\":";
      grid.append_us(out_.text, begin);
      out_.text += ",\"dur\":";
      grid.append_us(out_.text, end - begin);
      out_.text += '}';
      if (!out_.step()) { return false; }
    }
    return true;
  }

  const Profile& p_;
  const Selection& selection_;
  std::vector<FunctionId> same_;
  std::vector<std::string> texts_;  // by function
  bool first_ = true;
  PieceWriter out_;
  JsonWriter json_;
};

}  // namespace

void write_chrome_trace(const ExportView& view, const Sink& sink) { ChromeTraceWriter(view, sink).run(); }

}  // namespace wick
