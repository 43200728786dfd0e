// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/folded_lines.h"

#include <cstring>

#include "base/safe_sort.h"
#include "export/folded_names.h"
#include "model/profile_builder.h"

namespace wick {
namespace {

bool has_empty_frame(std::string_view stack) {
  return stack.empty() || stack.front() == ';' || stack.back() == ';' || stack.find(";;") != stack.npos;
}

bool has_long_frame(std::string_view stack) {
  if (stack.size() <= ProfileBuilder::kMostTextBytes) { return false; }
  bool is_long = false;
  each_frame(stack, [&](std::string_view frame) { is_long = is_long || frame.size() > ProfileBuilder::kMostTextBytes; });
  return is_long;
}

std::string shown_stack(std::string_view stack) {
  std::string out;
  each_frame(stack, [&](std::string_view frame) { out += folded_name(frame) + ';'; });
  out.pop_back();
  return out;
}

}  // namespace

// Eight characters at a time.
bool is_plain(std::string_view text) {
  constexpr uint64_t kOnes = 0x0101010101010101, kHigh = 0x80 * kOnes;
  uint64_t other = 0;
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    other |= ((word - 0x20 * kOnes) | word | (word + kOnes)) & kHigh;
  }
  for (; at < text.size(); ++at) { other |= text[at] < ' ' || text[at] > '~'; }
  return other == 0;
}

void append_cost(std::string& out, int64_t weight, int64_t divisor) {
  int64_t whole = weight / divisor, part = weight % divisor;
  if (weight < 0) { out += '-'; }
  append_number(out, whole < 0 ? 0 - static_cast<uint64_t>(whole) : static_cast<uint64_t>(whole));
  if (part == 0) { return; }
  std::string digits = std::to_string((part < 0 ? -part : part) + divisor);  // adding the divisor keeps leading zeros
  digits.erase(0, 1);
  while (digits.ends_with('0')) { digits.pop_back(); }
  out += "." + digits;
}

bool FoldedLines::add(std::vector<CountedStack> rows) {
  for (CountedStack& row : rows) {
    if (__builtin_add_overflow(total_, row.weight, &total_) || has_long_frame(row.stack)) { return false; }
    if (!is_plain(row.stack) || has_empty_frame(row.stack)) { row.stack = changed_.emplace_back(shown_stack(row.stack)); }
  }
  if (rows_.empty()) {
    rows_ = std::move(rows);
  } else {
    rows_.insert(rows_.end(), rows.begin(), rows.end());
  }
  return true;
}

void FoldedLines::sort() {
  auto comes_before = [](const CountedStack& a, const CountedStack& b) { return stack_comes_before(a.stack, b.stack); };
  safe_sort(rows_, comes_before);
  size_t kept = 0;
  for (const CountedStack& row : rows_) {
    if (kept > 0 && rows_[kept - 1].stack == row.stack) {
      rows_[kept - 1].weight += row.weight;
    } else {
      rows_[kept++] = row;
    }
  }
  rows_.resize(kept);
}

void FoldedLines::write(uint64_t divisor, const Sink& sink) const {
  PieceWriter out(sink);
  for (size_t i = 0; i < rows_.size() && out.step(); ++i) {
    out.text += rows_[i].stack;
    out.text += ' ';
    append_cost(out.text, rows_[i].weight, static_cast<int64_t>(divisor));
    out.text += '\n';
  }
  out.finish();
}

}  // namespace wick
