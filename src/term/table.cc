// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "term/table.h"

#include <algorithm>

#include "base/utf8.h"
#include "term/fit.h"

namespace wick {
namespace {

constexpr int kGap = 2;
constexpr int kLeast = 8;         // minimum width of a shrunk column
constexpr int kReadable = 20;     // drop other columns before names shrink further
constexpr int kMostPadding = 60;  // without a width limit, one huge name must not push the next column away in all rows

}  // namespace

std::vector<int> Table::widths(const Style& style) const {
  std::vector<int> wide(columns_.size());
  for (size_t c = 0; c < columns_.size(); ++c) {
    wide[c] = display_width(columns_[c].title);
    for (const std::vector<Cell>& row : rows_) {
      if (c < row.size()) { wide[c] = std::max(wide[c], display_width(row[c].text) + display_width(row[c].tail)); }
    }
  }
  if (style.width == 0) {
    for (size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].shrink != Shrink::kNever) { wide[c] = std::min(wide[c], kMostPadding); }
    }
    return wide;
  }
  for (;;) {
    int least = -kGap;
    size_t first = columns_.size();
    for (size_t c = 0; c < columns_.size(); ++c) {
      if (wide[c] < 0) { continue; }
      least += kGap + (columns_[c].shrink == Shrink::kNever ? wide[c] : std::min(wide[c], kReadable));
      bool goes_before = columns_[c].goes > 0 && (first == columns_.size() || columns_[c].goes > columns_[first].goes);
      if (goes_before) { first = c; }
    }
    if (least <= style.width || first == columns_.size()) { break; }
    wide[first] = -1;
  }
  int line = -kGap;
  for (int w : wide) { line += w < 0 ? 0 : kGap + w; }
  // The widest shrinkable column shrinks first.
  while (line > style.width) {
    size_t widest = columns_.size();
    for (size_t c = 0; c < columns_.size(); ++c) {
      bool may = columns_[c].shrink != Shrink::kNever && wide[c] > kLeast;
      if (may && (widest == columns_.size() || wide[c] > wide[widest])) { widest = c; }
    }
    if (widest == columns_.size()) { break; }
    --wide[widest];
    --line;
  }
  return wide;
}

std::string Table::render(const Style& style) const {
  std::vector<int> wide = widths(style);
  std::string out;
  auto add_line = [&](const std::vector<Cell>& cells) {
    std::string line;
    std::string blanks;  // delayed, so that no line has trailing blanks
    for (size_t c = 0; c < cells.size(); ++c) {
      if (wide[c] < 0) { continue; }
      const Column& column = columns_[c];
      std::string text = cells[c].text, tail = cells[c].tail;
      if (style.width > 0 && wide[c] - display_width(tail) < kLeast) { tail.clear(); }
      int room = wide[c] - display_width(tail);
      if (column.shrink == Shrink::kName && style.width > 0) { text = fit_name(style, text, room); }
      if (column.shrink == Shrink::kEnd && style.width > 0) { text = fit_start(style, text, room); }
      if (column.shrink == Shrink::kMiddle && style.width > 0) { text = fit_middle(style, text, room); }
      std::string padding(static_cast<size_t>(std::max(0, room - display_width(text))), ' ');
      if (column.align == Align::kRight) { blanks += padding; }
      if (!text.empty()) {
        line += blanks + paint(style, cells[c].paint, text) + paint(style, Paint::kDim, tail);
        blanks.clear();
      }
      if (column.align == Align::kLeft) { blanks += padding; }
      blanks.append(kGap, ' ');
    }
    out += line + "\n";
  };
  bool titled = std::any_of(columns_.begin(), columns_.end(), [](const Column& c) { return !c.title.empty(); });
  if (titled) {
    std::vector<Cell> titles;
    for (const Column& c : columns_) { titles.push_back({c.title, Paint::kDim}); }
    add_line(titles);
  }
  for (const std::vector<Cell>& row : rows_) { add_line(row); }
  return out;
}

}  // namespace wick
