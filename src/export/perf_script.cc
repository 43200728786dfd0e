// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The text of `perf script`, which many tools read: one block per sample; its first line has the thread, time and event, then one
// line per frame from the leaf outwards:
//
//   worker 100/101 [003] 12.000250000:     250000 cpu-clock:
//   	          401136 spin (/usr/bin/app)
//   	          4011a0 helper (inlined)
//   	          4011a0 run (/usr/bin/app)
//
// There are no offsets within functions (spin+0x12): the profile has no function addresses. Times have nine decimals, as in
// `perf script --ns`.

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "export/writers.h"

namespace wick {
namespace {

// A word of the first line: without spaces, and not empty.
std::string word(std::string_view text, std::string_view absent) {
  std::string out = printable(text.empty() ? absent : text);
  std::replace(out.begin(), out.end(), ' ', '_');
  return out;
}

// The file in parentheses that contains a frame's code.
std::string file_of(const Profile& p, const Function& function) {
  if (!function.module.valid()) { return "[unknown]"; }
  const Module& module = p[function.module];
  std::string_view path = p.text(module.path).empty() ? p.text(module.name) : p.text(module.path);
  if (module.kernel && (path == "[kernel]" || path.empty())) { return "[kernel.kallsyms]"; }
  return path.empty() ? "[unknown]" : printable(path);
}

class PerfScriptWriter {
 public:
  PerfScriptWriter(const ExportView& view, const Sink& sink)
      : p_(view.profile), repeat_(repeats_rows(view)), out_(sink), lines_(p_.frames().size()) {
    for (const Event& event : p_.events()) { events_.push_back(word(p_.text(event.name), "unknown") + ":\n"); }
    for (const Thread& t : p_.threads()) {
      std::string name = t.name.valid() ? printable(p_.text(t.name)) : strf(":%u", t.tid);
      threads_.push_back(name + strf(" %u/%u ", p_[t.process].pid, t.tid));
    }
  }

  void run(const std::vector<uint32_t>& rows) {
    uint64_t slot = 0;
    for (uint32_t row : rows) {
      const Sample& s = p_.samples()[row];
      uint64_t times = repeat_ ? std::max<uint64_t>(1, s.count) : 1;
      for (uint64_t i = 0; i < times; ++i) {
        add_sample(s, part_of(s.weight, i, times), slot++);
        if (!out_.step()) { return; }
      }
    }
    out_.finish();
  }

 private:
  void add_sample(const Sample& s, int64_t weight, uint64_t slot) {
    out_.text += threads_[s.thread.value];
    // Samples without a time have no CPU.
    if (p_.has_times()) { out_.text += strf("[%03u] ", s.cpu); }
    uint64_t ns = p_.has_times() ? s.time_ns : sample_time(p_, s, slot);
    out_.text += strf("%llu.%09llu: %10lld ", static_cast<unsigned long long>(ns / 1'000'000'000),
                      static_cast<unsigned long long>(ns % 1'000'000'000),
                      static_cast<long long>(whole_units(weight, p_[s.event].divisor)));
    out_.text += events_[s.event.value];
    for (StackId id = s.stack; id.valid(); id = p_[id].caller) {
      out_.text += line_of(p_[id].frame);
      if (!out_.step()) { return; }
    }
    out_.text += '\n';
  }

  const std::string& line_of(FrameId id) {
    std::string& line = lines_[id.value];
    if (!line.empty()) { return line; }
    const Frame& frame = p_[id];
    const Function& function = p_[frame.function];
    line = strf("\t%16llx ", static_cast<unsigned long long>(frame.address));
    // Outside any file: [truncated] and [unsampled], which are not unknown code.
    bool has_name = function.name.valid() && (function.known || !function.module.valid());
    line += has_name ? printable(p_.text(function.name)) : "[unknown]";
    line += " (" + (frame.inlined ? "inlined" : file_of(p_, function)) + ")\n";
    return line;
  }

  const Profile& p_;
  bool repeat_;
  PieceWriter out_;
  std::vector<std::string> events_, threads_, lines_;
};

}  // namespace

void write_perf_script(const ExportView& view, const Sink& sink) { PerfScriptWriter(view, sink).run(all_rows(view)); }

}  // namespace wick
