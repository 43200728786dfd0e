// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A trace has each call and, in the machine format, each return: the time up to the next line belongs to the running function.
// The human format has no returns, so the time up to the next call counts for the last function called. A line has the place of
// the call, which is in the caller: so callers have a file and line, the innermost function has none.
//
// If calls are counted instead of time, a sample is a call that made no calls, so that each stack appears once.
#include "import/text/xdebug.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "import/text/stack_text.h"

namespace wick {
namespace {

constexpr std::string_view kStart = "TRACE START";

struct Call {
  size_t depth = 0;
  std::string name;
  StackId self{};     // its stack while it runs
  StackId callers{};  // its callers, with places
};

class CallClock {
 public:
  explicit CallClock(StackImport& import)
      : import_(import),
        counts_calls_(import.options().xdebug_calls),
        event_(counts_calls_ ? import.event("calls", "calls") : import.event("time", "ns")),
        thread_(import.thread(0, 0, "")) {}

  // The time up to now belongs to the innermost open function.
  void advance(uint64_t time_ns) {
    import_.builder().extend_thread(thread_, time_ns);
    if (!counts_calls_ && !calls_.empty() && has_time_ && time_ns > now_ns_) {
      import_.add({.time_ns = now_ns_,
                   .thread = thread_,
                   .stack = calls_.back().self,
                   .event = event_,
                   .weight = static_cast<int64_t>(time_ns - now_ns_),
                   .count = 1});
    }
    now_ns_ = time_ns;
    has_time_ = true;
  }
  void call(size_t depth, std::string_view name, std::string_view file, uint32_t line) {
    leave(depth);
    ProfileBuilder& b = import_.builder();
    StackId callers;
    if (!calls_.empty()) {
      callers = b.stack(import_.frame({.name = calls_.back().name, .file = file, .line = line}), calls_.back().callers);
    }
    calls_.push_back({depth, std::string(name), b.stack(import_.frame({.name = name}), callers), callers});
    is_innermost_ = true;
  }
  // Functions that are as deep or deeper have returned.
  void leave(size_t depth) {
    for (; !calls_.empty() && calls_.back().depth >= depth; calls_.pop_back()) {
      if (counts_calls_ && is_innermost_) {
        import_.add(
            {.time_ns = now_ns_, .thread = thread_, .stack = calls_.back().self, .event = event_, .weight = 1, .count = 1});
      }
      is_innermost_ = false;
    }
  }
  void restart() {
    leave(0);
    has_time_ = false;
  }

 private:
  StackImport& import_;
  bool counts_calls_;
  EventId event_;
  ThreadId thread_;
  std::vector<Call> calls_;
  uint64_t now_ns_ = 0;
  bool has_time_ = false;
  bool is_innermost_ = false;  // the last call made no calls
};

std::optional<uint64_t> parse_seconds(std::string_view text) { return parse_decimal(text, 1'000'000'000); }

uint32_t parse_line(std::string_view text) {
  return static_cast<uint32_t>(std::min<uint64_t>(parse_u64(text).value_or(0), UINT32_MAX));
}

// "5\t4\t0\t0.000281\t393144\tstr_repeat\t0\t\t/tmp/x.php\t2\t…"; the return has "1" in the third column, a value "R"
bool read_columns(CallClock& clock, std::string_view line) {
  std::vector<std::string_view> columns = split(line, '\t');
  if (columns.size() < 3) { return false; }
  std::optional<uint64_t> depth = parse_count(columns[0]);
  constexpr uint64_t kDeepest = uint64_t{1} << 24;
  if (columns[2] == "R" || columns[2] == "A") { return true; }
  std::optional<uint64_t> time = columns.size() > 3 ? parse_seconds(columns[3]) : std::nullopt;
  if (columns[0].empty() && time) {  // the last line: the end
    clock.advance(*time);
    return true;
  }
  if (!depth || *depth > kDeepest || !time) { return false; }
  clock.advance(*time);
  if (columns[2] == "1") {
    clock.leave(*depth);
    return true;
  }
  if (columns[2] != "0" || columns.size() < 6 || columns[5].empty()) { return false; }
  std::string name(columns[5]);
  // Old versions, and files processed by FlameGraph's script, lack the column for includes.
  size_t file = columns.size() > 8 && is_digits(columns[8]) ? 7 : 8;
  if (file == 8 && columns.size() > 7 && !columns[7].empty()) { name += "(" + std::string(columns[7]) + ")"; }  // include, eval
  clock.call(*depth, name, columns.size() > file ? columns[file] : std::string_view(),
             columns.size() > file + 1 ? parse_line(columns[file + 1]) : 0);
  return true;
}

// "    0.0004     393144       -> A->go($a = 5) /tmp/x.php:3"
bool read_words(CallClock& clock, std::string_view line) {
  std::string_view rest = line;
  std::optional<uint64_t> time = parse_seconds(take_word(rest));
  if (!time) { return false; }
  size_t arrow = line.find(" -> ");
  if (arrow == line.npos) {
    if (line.find(">=>") == line.npos) { clock.advance(*time); }  // a returned value, or the end
    return true;
  }
  std::string_view text = trim(line.substr(arrow + 4));
  size_t open = text.find('(');
  if (open == text.npos || open == 0) { return false; }
  std::string name(text.substr(0, open));
  size_t close = text.rfind(") ");
  std::string_view place = close == text.npos ? std::string_view() : trim(text.substr(close + 2));
  size_t colon = place.rfind(':');
  bool is_file = name == "include" || name == "require" || name == "include_once" || name == "require_once";
  if (is_file && close != text.npos && close > open) { name += std::string(text.substr(open, close + 1 - open)); }
  clock.advance(*time);
  clock.call(arrow, name, place.substr(0, colon), colon == place.npos ? 0 : parse_line(place.substr(colon + 1)));
  return true;
}

bool is_call(std::string_view line) {
  constexpr std::ptrdiff_t kFewestColumns = 4;
  return line.find(" -> ") != line.npos || std::count(line.begin(), line.end(), '\t') >= kFewestColumns;
}

}  // namespace

bool is_xdebug(const Head& head) {
  bool found = false;
  see_lines(head, [&](std::string_view line) {
    found = line.starts_with(kStart) && line.find('[') != line.npos;
    return !found;
  });
  return found;
}

Result<Profile> read_xdebug(Input& input, const ImportOptions& options) {
  StackImport import(kXdebugReader.what, options, input, true);
  CallClock clock(import);
  bool is_inside = false;
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    if (line.starts_with(kStart)) {
      clock.restart();
      is_inside = true;
    } else if (line.starts_with("TRACE END")) {
      is_inside = false;
    } else if (is_inside && !trim(line).empty()) {
      bool has_columns = line.find('\t') != line.npos;
      if (!(has_columns ? read_columns(clock, line) : read_words(clock, line))) { import.skip(); }
    } else if (is_call(line)) {  // of a trace whose beginning could not be read
      import.skip();
    }
  }
  clock.restart();
  return import.finish("TRACE START, then a line for each call");
}

}  // namespace wick
