// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A picture of 200,000 stacks shows some thousand boxes, but telling all frames of all stacks apart is four fifths of the work of
// making it. Lines that begin with the same frames lie together once lines are sorted (those of collapsers are); so a box is a
// range of lines, what it costs is the sum of their counts, and only ranges that are wide enough are looked at any further.

#include "import/text/folded_wide.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/text.h"
#include "import/text/folded.h"
#include "model/profile_builder.h"
#include "model/stack_text.h"

namespace wick {
namespace {

struct Line {
  const char* text;
  uint32_t size;
  uint64_t count;

  std::string_view stack() const { return {text, size}; }
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

// The count at the end of [begin, end), which then ends before it. Nothing: something else is there.
std::optional<uint64_t> take_count(const char* begin, const char*& end) {
  while (end > begin && is_blank(end[-1])) { --end; }
  const char* digits = end;
  while (digits > begin && is_digit(digits[-1])) { --digits; }
  constexpr ptrdiff_t kMostDigits = 18;  // fit into 63 bits
  if (digits == end || end - digits > kMostDigits || digits == begin || !is_blank(digits[-1])) { return std::nullopt; }
  uint64_t count = 0;
  for (const char* c = digits; c < end; ++c) { count = count * 10 + static_cast<uint64_t>(*c - '0'); }
  end = digits;
  while (end > begin && is_blank(end[-1])) { --end; }
  return count;
}

bool comes_before(const Line& a, const Line& b) { return stack_comes_before(a.stack(), b.stack()); }

struct Lines {
  std::vector<Line> rows;
  uint64_t total = 0;
};

std::optional<Lines> split_lines(Bytes bytes) {
  Lines out;
  const char* at = reinterpret_cast<const char*>(bytes.data());
  const char* const all_end = at + bytes.size();
  bool sorted = true, is_first = true;
  out.rows.reserve(bytes.size() / 128);
  while (at < all_end) {
    const char* newline = static_cast<const char*>(std::memchr(at, '\n', static_cast<size_t>(all_end - at)));
    const char *begin = at, *end = newline == nullptr ? all_end : newline;
    at = newline == nullptr ? all_end : newline + 1;
    if (begin < end && *begin == '#') { continue; }
    while (begin < end && is_blank(*begin)) { ++begin; }
    if (begin == end) { continue; }
    std::optional<uint64_t> count = take_count(begin, end);
    if (!count || begin == end || end - begin > (ptrdiff_t{1} << 20)) { return std::nullopt; }
    if (is_first) {  // two counts: a difference
      const char* before = end;
      if (take_count(begin, before)) { return std::nullopt; }
      is_first = false;
    }
    if (*count == 0) { continue; }
    constexpr uint64_t kMost = uint64_t{1} << 62;
    if (__builtin_add_overflow(out.total, *count, &out.total) || out.total > kMost) { return std::nullopt; }
    Line line{begin, static_cast<uint32_t>(end - begin), *count};
    sorted = sorted && (out.rows.empty() || !comes_before(line, out.rows.back()));
    out.rows.push_back(line);
  }
  if (!sorted) { std::sort(out.rows.begin(), out.rows.end(), comes_before); }
  return out;
}

}  // namespace

std::optional<Profile> read_wide_folded(Bytes text, const ImportOptions& options) {
  std::optional<Lines> lines = split_lines(text);
  if (!lines || lines->rows.empty()) { return std::nullopt; }
  const std::vector<Line>& rows = lines->rows;
  double least = options.least_share * static_cast<double>(lines->total);
  ProfileBuilder b;
  b.merge_samples();
  if (options.short_names) { b.rename_named_frames(options.demangle); }
  b.set_imported(kFoldedReader.what, false);
  EventId event = b.event("samples", "samples");
  ThreadId thread = b.add_thread(b.add_process(0, ""), 0, "");
  auto add = [&](StackId stack, uint64_t count) {
    b.add_sample({.thread = thread, .stack = stack, .event = event, .weight = static_cast<int64_t>(count), .count = count});
  };
  // Lines that have the frames of `caller` in common; `at`: where the next frame begins in them.
  struct Range {
    size_t begin, end, at;
    StackId caller;
  };
  std::vector<Range> todo = {{0, rows.size(), 0, {}}};
  while (!todo.empty()) {
    Range range = todo.back();
    todo.pop_back();
    for (size_t i = range.begin; i < range.end;) {
      const Line& line = rows[i];
      if (line.size < range.at) {  // ends with the caller
        add(range.caller, line.count);
        ++i;
        continue;
      }
      size_t end = std::min<size_t>(line.stack().find(';', range.at), line.size);
      std::string_view frame = line.stack().substr(range.at, end - range.at);
      size_t last = i + 1;
      uint64_t sum = line.count;
      auto goes_on = [&](const Line& o) {
        return o.size >= end && (o.size == end || o.text[end] == ';') &&
               std::memcmp(o.text + range.at, frame.data(), frame.size()) == 0;
      };
      for (; last < range.end && goes_on(rows[last]); ++last) { sum += rows[last].count; }
      StackId stack = b.stack(b.named_frame(frame), range.caller);
      if (static_cast<double>(sum) >= least) {
        todo.push_back({i, last, end + 1, stack});
        i = last;
        continue;
      }
      for (; i < last; ++i) {
        std::string_view whole = rows[i].stack();
        bool is_leaf = whole.size() == end;
        add(is_leaf ? stack : b.stack(b.named_frame(whole.substr(whole.rfind(';') + 1)), stack), rows[i].count);
      }
    }
  }
  b.about().has_counts = false;
  return std::move(b).build();
}

}  // namespace wick
