// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Trace events for chrome://tracing, Perfetto and speedscope: on each thread's line, what was on the stack from when to when.
//
// A sample tells of the time before it. It reaches back to the thread's last sample where that is no more than two periods ago,
// else one period: what lies between is left open, since nobody knows what the thread did then (mostly it slept). A function that
// is at the same place of neighbouring stacks is one box. Boxes are complete events ("X"), outer before inner: viewers nest those
// that begin and end together in the order of the file. So a thread's boxes are kept until it is done; 24 bytes each.

#include <algorithm>
#include <string>
#include <vector>

#include "export/json_writer.h"
#include "export/writers.h"

namespace wick {
namespace {

struct Box {
  uint64_t begin_ns = 0, end_ns = 0;
  FunctionId function;
};

// What lies between most samples of a thread, for events whose weights are no times.
uint64_t usual_distance(const Profile& p, const std::vector<uint32_t>& rows) {
  std::vector<uint64_t> distances;
  for (size_t i = 1; i < rows.size(); ++i) { distances.push_back(p.samples[rows[i]].time_ns - p.samples[rows[i - 1]].time_ns); }
  if (distances.empty()) { return 1'000'000; }
  auto middle = distances.begin() + static_cast<ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return std::max<uint64_t>(1, *middle);
}

// From when to when a sample counts.
class Spans {
 public:
  Spans(const Profile& p, const Selection& selection, const std::vector<uint32_t>& rows) : p_(p) {
    Event event = p.events.empty() ? Event{} : p[selection.event];
    divisor_ = std::max<uint64_t>(1, event.divisor);
    is_time_ = p.text(event.unit) == "ns";
    if (!is_time_ && p.has_times) {
      distance_ = event.rate_hz != 0 ? 1'000'000'000 / std::min<uint64_t>(event.rate_hz, 1'000'000'000) : usual_distance(p, rows);
    }
  }

  struct Span {
    uint64_t begin_ns, end_ns;
    bool joined;  // to the one before
  };
  Span next(const Sample& s) {
    int64_t weight = std::max<int64_t>(0, s.weight);
    if (!p_.has_times) {
      // Costs are laid end to end: nanoseconds as they are, else a microsecond for each.
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

class Writer {
 public:
  Writer(const ExportView& view, const Sink& sink)
      : p_(view.profile), selection_(view.first()), same_(compute_same_functions(p_)), out_(sink), json_(out_.text) {}

  void run() {
    json_.begin_object();
    json_.line().key("displayTimeUnit").value("ms");
    json_.line().key("otherData").begin_object().key("exporter").value("wick " WICK_VERSION);
    if (selection_.event.valid()) { json_.key("event").value(p_.text(p_[selection_.event].name)); }
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
  // Threads that nothing tells of get numbers of their own: pid 0 means an idle CPU to some viewers.
  void write_ids(ThreadId id) {
    const Thread& t = p_[id];
    bool told = is_told(p_, t);
    json_.key("pid").value(told ? p_[t.process].pid : 1).key("tid").value(told ? t.tid : 1 + id.value);
  }

  void write_names(ThreadId id) {
    const Thread& t = p_[id];
    std::string_view process = p_.text(p_[t.process].name), thread = p_.text(t.name);
    if (!process.empty()) {
      json_.line().begin_object().key("ph").value("M").key("name").value("process_name");
      write_ids(id);
      json_.key("args").begin_object().key("name").value(process).end_object().end_object();
    }
    if (!thread.empty()) {
      json_.line().begin_object().key("ph").value("M").key("name").value("thread_name");
      write_ids(id);
      json_.key("args").begin_object().key("name").value(thread).end_object().end_object();
    }
  }

  bool write_thread(const ThreadRows& thread) {
    std::vector<Box> boxes;
    std::vector<uint32_t> open;  // rows of `boxes`, outermost first
    std::vector<FunctionId> stack;
    Spans spans(p_, selection_, thread.rows);
    for (uint32_t row : thread.rows) {
      const Sample& s = p_.samples[row];
      Spans::Span span = spans.next(s);
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
    for (const Box& box : boxes) {
      const Function& f = p_[box.function];
      json_.line().begin_object().key("ph").value("X").key("name").value(function_text(p_, box.function));
      if (f.module.valid() && p_[f.module].name.valid()) { json_.key("cat").value(p_.text(p_[f.module].name)); }
      write_ids(thread.thread);
      write_us("ts", box.begin_ns);
      write_us("dur", box.end_ns - box.begin_ns);
      json_.end_object();
      if (!out_.step()) { return false; }
    }
    return true;
  }

  void write_us(std::string_view key, uint64_t ns) {
    json_.key(key).value(ns / 1000);
    if (ns % 1000 == 0) { return; }
    char part[5] = {'.', static_cast<char>('0' + ns / 100 % 10), static_cast<char>('0' + ns / 10 % 10),
                    static_cast<char>('0' + ns % 10), 0};
    out_.text += part;
  }

  const Profile& p_;
  const Selection& selection_;
  std::vector<FunctionId> same_;
  PieceWriter out_;
  JsonWriter json_;
};

}  // namespace

void write_chrome_trace(const ExportView& view, const Sink& sink) { Writer(view, sink).run(); }

}  // namespace wick
