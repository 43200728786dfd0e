// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the readers of stacks in text have in common. Three shapes cover them all: a stack a line at a time, innermost frame first
// (StackImport::push, then add); a tree with a cost in each row, told by indentation (TreeImport); and lines that say nothing
// (skip). What is left out is counted and told with its first place.

#include <tsl/robin_map.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "import/common/foreign.h"
#include "import/common/input.h"
#include "import/common/reader.h"
#include "model/profile_builder.h"

namespace wick {

// What a line says of a frame; empty and 0: not known.
struct TextFrame {
  std::string_view name{}, module{}, file{};
  uint64_t address = 0;
  uint32_t line = 0, column = 0;
  bool inlined = false, kernel = false;
  bool known = true;            // false: the name only stands for one
  bool module_in_name = false;  // people know it as "module`name"
};

class StackImport {
 public:
  StackImport(std::string_view what, const ImportOptions& options, Input& input, bool has_times = false);

  ProfileBuilder& builder() { return builder_; }
  const ImportOptions& options() const { return options_; }

  // By which rules to read, where there are others than ours: with those, names stay as the text has them, and the profile tells
  // (Profile::names_as_read). To be asked before the first frame.
  Rules choose_rules(std::initializer_list<Rules> known);
  bool as_read() const { return as_read_; }

  // The next line; false at the end.
  Result<bool> next(std::string_view& line) { return lines_.next(line); }
  uint64_t line_number() const { return lines_.number(); }
  // The last line could not be used.
  void skip() { skip(lines_.number()); }
  void skip(uint64_t line) {
    if (skipped_ == 0) { first_skipped_ = line; }
    skipped_ += line != std::exchange(last_skipped_, line);  // a line may be wrong in two ways
  }

  // The same three give the same thread. Nobody's without any.
  ThreadId thread(uint32_t pid, uint32_t tid, std::string_view name, std::string_view process_name = {});
  EventId event(std::string_view name, std::string_view unit, uint64_t divisor = 1) {
    return builder_.event(name, unit, 0, divisor);
  }

  FrameId frame(const TextFrame& frame);
  // The open stack, innermost frame first.
  void push(const TextFrame& frame) { open_.push_back(this->frame(frame)); }
  void push(FrameId frame) { open_.push_back(frame); }
  size_t depth() const { return open_.size(); }
  void drop() { open_.clear(); }
  // The frame that was pushed last, off the stack again.
  FrameId take_last() {
    FrameId last = open_.back();
    open_.pop_back();
    return last;
  }
  // Ends the open stack; `outer` is what called all of it.
  StackId take(StackId outer = {});
  // A sample of the open stack.
  void add(ThreadId thread, EventId event, int64_t weight = 1, uint64_t count = 1) {
    add(Sample{.thread = thread, .stack = take(), .event = event, .weight = weight, .count = count});
  }
  // Where all costs together no longer fit, it is left out.
  void add(const Sample& sample);
  uint64_t samples() const { return samples_; }

  // An error where there was no sample at all: `expected` says what one looks like.
  Result<Profile> finish(const char* expected);

 private:
  const ImportOptions& options_;
  ProfileBuilder builder_;
  LineReader lines_;
  std::vector<FrameId> open_;
  tsl::robin_map<std::string, ThreadId> threads_;
  tsl::robin_map<std::string, ProcessId> processes_;
  tsl::robin_map<std::string, std::string> demangled_;
  uint64_t skipped_ = 0, first_skipped_ = 0, last_skipped_ = 0, samples_ = 0;
  uint64_t total_ = 0, too_much_ = 0, first_too_much_ = 0;
  bool as_read_ = false;
};

void warn_of_cut_lines(ProfileBuilder& builder, const LineReader& lines);

// Trees whose rows come one after the other, callers first, each with its depth (any growing number, as an indentation is).
//
// Where rows have costs of their own: who called the next one.
class OpenRows {
 public:
  // Ends the rows that are not above one of this depth.
  StackId caller(size_t depth) {
    while (!rows_.empty() && rows_.back().depth >= depth) { rows_.pop_back(); }
    return rows_.empty() ? StackId{} : rows_.back().stack;
  }
  void add(size_t depth, StackId stack) { rows_.push_back({depth, stack}); }
  bool empty() const { return rows_.empty(); }

 private:
  struct Row {
    size_t depth = 0;
    StackId stack{};
  };
  std::vector<Row> rows_;
};

// Where a row's cost is with that of all rows below.
class TreeImport {
 public:
  enum class Root : uint8_t { kOutermost, kInnermost };  // kInnermost: children of a row are its callers
  TreeImport(StackImport& import, Root root) : import_(import), root_(root) {}

  struct Row {
    size_t depth = 0;
    FrameId frame{};
    ThreadId thread{};
    EventId event{};
    uint64_t cost = 0;  // with that of all rows below
  };
  void add(const Row& row);
  void finish() { close(0); }

 private:
  struct Open {
    Row row;
    StackId stack{};
    uint64_t below = 0, line = 0;
  };
  void close(size_t depth);

  StackImport& import_;
  Root root_;
  std::vector<Open> open_;
};

// What a function without a name is called: "[libc.so.6]", "[unknown]".
std::string name_unknown(std::string_view module);

// Parts of a line.
std::string_view trim_left(std::string_view text);
size_t count_indent(std::string_view line);  // blanks at its beginning; a tab is one
bool is_digits(std::string_view text);       // and not empty
bool is_number_line(std::string_view line);  // nothing but digits and blanks
// Takes a word off the front, and the blanks before it.
std::string_view take_word(std::string_view& text);
std::optional<uint64_t> parse_hex(std::string_view text);  // "0x…"
// A count that fits: more than any profile has is none.
std::optional<uint64_t> parse_count(std::string_view digits);
// A decimal number in parts of `scale`: "1.25" with 1000 is 1250. Also "1,234.5", "1.234,5" and a single "," as the point, as
// other locales write it.
std::optional<uint64_t> parse_decimal(std::string_view text, uint64_t scale);
// "1.50 ms", "20ms", "3 s", "1.2min": in nanoseconds. Sizes ("64kB", "1.2 MB"): in bytes. Without a unit: as it is.
struct Quantity {
  uint64_t value = 0;
  std::string_view unit;  // "ns", "bytes", "samples" (no unit) or the unit itself, whose value then is in millionths
  uint64_t divisor = 1;
};
std::optional<Quantity> parse_quantity(std::string_view text);
// "name+0x1f" and "name+31": the offset goes off, unless options.include_offset; always for the innermost frame, where it only
// tells the sample's place.
std::string_view strip_offset(std::string_view name, const StackImport& import);

// Calls `see(line)` for the whole lines of what is there, as long as it returns true; without "\r" and a byte order mark.
template <typename See>
void see_lines(const Head& head, See see) {
  std::string_view text = head.text;
  if (text.starts_with("\xef\xbb\xbf")) { text.remove_prefix(3); }
  while (!text.empty()) {
    size_t end = text.find('\n');
    if (end == text.npos && !head.is_all) { return; }
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (line.ends_with('\r')) { line.remove_suffix(1); }
    if (!see(line)) { return; }
  }
}

}  // namespace wick
