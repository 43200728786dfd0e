// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shared by readers of stacks in text. Three shapes cover them: one frame per line, innermost first (StackImport::push, then
// add); a tree with a cost in each row and depth by indentation (TreeImport); and lines to ignore (skip). Skipped lines are
// counted and reported with the first.

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

// A frame in a line; empty and 0: unknown.
struct TextFrame {
  std::string_view name{}, module{}, file{};
  uint64_t address = 0;
  uint32_t line = 0, column = 0;
  bool inlined = false, kernel = false;
  bool known = true;            // false: the name is a placeholder
  bool module_in_name = false;  // shown as "module`name"
};

class StackImport {
 public:
  StackImport(std::string_view what, const ImportOptions& options, Input& input, bool has_times = false);

  ProfileBuilder& builder() { return builder_; }
  const ImportOptions& options() const { return options_; }

  // The rules to use, if the reader supports others than wick's: then names stay as in the text, and the profile says so
  // (Profile::names_as_read). Call before the first frame.
  Rules choose_rules(std::initializer_list<Rules> known);
  bool as_read() const { return as_read_; }

  // The next line; false at the end.
  Result<bool> next(std::string_view& line) { return lines_.next(line); }
  uint64_t line_number() const { return lines_.number(); }
  // The last line is unreadable.
  void skip() { skip(lines_.number()); }
  void skip(uint64_t line) {
    if (skipped_ == 0) { first_skipped_ = line; }
    skipped_ += line != std::exchange(last_skipped_, line);  // count a line once, even with two errors
  }

  // The same three values give the same thread; without any, an anonymous one.
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
  // Removes and returns the last frame.
  FrameId take_last() {
    FrameId last = open_.back();
    open_.pop_back();
    return last;
  }
  // Ends the open stack; `outer` is its caller.
  StackId take(StackId outer = {});
  // A sample of the open stack.
  void add(ThreadId thread, EventId event, int64_t weight = 1, uint64_t count = 1) {
    add(Sample{.thread = thread, .stack = take(), .event = event, .weight = weight, .count = count});
  }
  // Skipped if the total would overflow.
  void add(const Sample& sample);
  uint64_t samples() const { return samples_; }

  // Fails without samples: `expected` describes the format.
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

// Trees as rows, callers first, each with a depth (any increasing number, such as indentation).
//
// For rows with self costs: finds the caller of the next row.
class OpenRows {
 public:
  // Closes rows that are not above this depth.
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

// For rows with total costs.
class TreeImport {
 public:
  enum class Root : uint8_t { kOutermost, kInnermost };  // kInnermost: children of a row are its callers
  TreeImport(StackImport& import, Root root) : import_(import), root_(root) {}

  struct Row {
    size_t depth = 0;
    FrameId frame{};
    ThreadId thread{};
    EventId event{};
    uint64_t cost = 0;  // total
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

// The placeholder for a function without a symbol: "[libc.so.6]", "[unknown]".
std::string name_unknown(std::string_view module);

// Parts of a line.
std::string_view trim_left(std::string_view text);
size_t count_indent(std::string_view line);  // leading spaces; a tab counts as one
bool is_digits(std::string_view text);       // and not empty
bool is_number_line(std::string_view line);  // only digits and spaces
// Removes a word from the front, with the spaces before it.
std::string_view take_word(std::string_view& text);
std::optional<uint64_t> parse_hex(std::string_view text);  // "0x…"
// Nullopt if larger than any real count.
std::optional<uint64_t> parse_count(std::string_view digits);
// A decimal number in parts of `scale`: "1.25" with 1000 is 1250. Also "1,234.5", "1.234,5" and a single "," as the point, as in
// other locales.
std::optional<uint64_t> parse_decimal(std::string_view text, uint64_t scale);
// "1.50 ms", "20ms", "3 s", "1.2min": in nanoseconds. Sizes ("64kB", "1.2 MB"): in bytes. Without a unit: unchanged.
struct Quantity {
  uint64_t value = 0;
  std::string_view unit;  // "ns", "bytes", "samples" (no unit), or the unit itself with a value in millionths
  uint64_t divisor = 1;
};
std::optional<Quantity> parse_quantity(std::string_view text);
// "name+0x1f" and "name+31": drops the offset unless options.include_offset; always for the innermost frame, where it is only the
// sample's position.
std::string_view strip_offset(std::string_view name, const StackImport& import);

// Calls `see(line)` for complete lines while it returns true; without "\r" and byte order mark.
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
