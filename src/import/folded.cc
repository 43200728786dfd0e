// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/folded.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "model/profile_builder.h"

namespace wick {
namespace {

constexpr uint64_t kDecimals = 6, kDivisor = 1'000'000;  // as many as people write

// A count in millionths.
std::optional<int64_t> parse_count(std::string_view text) {
  size_t dot = text.find('.');
  std::string_view whole = text.substr(0, dot), part = dot == text.npos ? std::string_view() : text.substr(dot + 1);
  if (whole.empty() && part.empty()) { return std::nullopt; }
  auto is_digits = [](std::string_view digits) { return digits.find_first_not_of("0123456789") == digits.npos; };
  if (!is_digits(whole) || !is_digits(part)) { return std::nullopt; }
  std::optional<uint64_t> units = whole.empty() ? 0 : parse_u64(whole);
  if (!units || *units > static_cast<uint64_t>(INT64_MAX) / kDivisor - 1) { return std::nullopt; }
  std::string digits(part.substr(0, kDecimals));
  digits.resize(kDecimals, '0');
  return static_cast<int64_t>(*units * kDivisor + parse_u64(digits).value_or(0));
}

struct Line {
  std::string_view stack;
  int64_t count = 0;  // in millionths
};
std::optional<Line> parse_line(std::string_view line) {
  line = trim(line);
  size_t blank = line.find_last_of(" \t");
  if (blank == line.npos) { return std::nullopt; }
  std::optional<int64_t> count = parse_count(line.substr(blank + 1));
  std::string_view stack = trim(line.substr(0, blank));
  if (!count || stack.empty()) { return std::nullopt; }
  return Line{stack, *count};
}

bool is_ignored(std::string_view line) { return trim(line).empty() || line.starts_with('#'); }

}  // namespace

bool is_folded(const Head& head) {
  std::string_view text = head.text;
  if (!head.is_all) { text = text.substr(0, text.rfind('\n')); }
  size_t good = 0, all = 0;
  for (std::string_view line : split(text, '\n')) {
    if (is_ignored(line)) { continue; }
    ++all;
    good += parse_line(line).has_value();
  }
  return good > 0 && good * 10 >= all * 9;
}

Result<Profile> read_folded(Input& input, const ImportOptions& options) {
  ProfileBuilder b;
  if (options.merge) { b.merge_samples(); }
  b.set_imported(kFoldedReader.what, false);
  EventId event = b.event("samples", "samples", 0, kDivisor);
  ThreadId thread = b.add_thread(b.add_process(0, ""), 0, "");
  LineReader lines(input);
  uint64_t skipped = 0, first_skipped = 0;
  std::string_view text;
  for (;;) {
    WICK_LET(bool more, lines.next(text));
    if (!more) { break; }
    if (is_ignored(text)) { continue; }
    std::optional<Line> line = parse_line(text);
    if (!line) {
      if (skipped++ == 0) { first_skipped = lines.number(); }
      continue;
    }
    StackId stack;
    for (std::string_view frame : split(line->stack, ';')) {
      stack = b.stack(b.frame({.function = b.function(frame, {}, {})}), stack);
    }
    b.add_sample({.thread = thread,
                  .stack = stack,
                  .event = event,
                  .weight = line->count,
                  .count = std::max<uint64_t>(1, static_cast<uint64_t>(line->count) / kDivisor)});
  }
  if (skipped > 0) {
    b.add_warning(strf("%llu lines are not folded stacks and were left out, the first is line %llu",
                       static_cast<unsigned long long>(skipped), static_cast<unsigned long long>(first_skipped)));
  }
  return std::move(b).build();
}

}  // namespace wick
