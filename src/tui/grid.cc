// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "tui/grid.h"

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"

namespace wick::tui {
namespace {

bool is_control(char32_t v) { return v < 0x20 || (v >= 0x7f && v < 0xa0); }
// The rest of what printable() escapes: each would change the direction or the line of what follows.
bool is_format(char32_t v) { return (v >= 0x2028 && v <= 0x202e) || (v >= 0x2066 && v <= 0x2069); }

Paint paint_of_codes(std::string_view codes) {
  struct Known {
    std::string_view codes;
    Paint paint;
  };
  static constexpr Known kKnown[] = {{"1", Paint::kBold},  {"2", Paint::kDim},  {"1;31", Paint::kHot},   {"33", Paint::kWarm},
                                     {"32", Paint::kGood}, {"31", Paint::kBad}, {"1;34", Paint::kShrank}};
  for (const Known& k : kKnown) {
    if (k.codes == codes) { return k.paint; }
  }
  return Paint::kPlain;
}

}  // namespace

Grid::Grid(int width, int height, bool unicode)
    : width_(std::max(width, 0)),
      height_(std::max(height, 0)),
      unicode_(unicode),
      cells_(static_cast<size_t>(width_) * static_cast<size_t>(height_)) {}

int Grid::put_char(int x, int y, char32_t value, const Look& look, int end) {
  bool is_odd = is_control(value) || is_format(value);
  int columns = is_odd ? 1 : display_width(value);
  if (columns == 0) { return x; }
  if (x + columns > end) { return end; }
  if (is_odd || (!unicode_ && value > 0x7e)) { value = '?'; }
  for (int i = 0; i < columns; ++i) {
    if (GridCell* c = cell(x + i, y)) { *c = {i == 0 || !unicode_ ? value : 0, look}; }
  }
  return x + columns;
}

int Grid::put(int x, int y, std::string_view text, Look look, int room) {
  int end = room > width_ - x ? width_ : x + std::max(room, 0);
  while (!text.empty() && x < end) {
    CodePoint c = decode_utf8(text);
    x = put_char(x, y, c.value, look, end);
    text.remove_prefix(c.size);
  }
  return x;
}

int Grid::put_painted(int x, int y, std::string_view text, Look base, int room) {
  int end = room > width_ - x ? width_ : x + std::max(room, 0);
  Look look = base;
  while (!text.empty() && x < end) {
    if (text.starts_with("\x1b[") && text.find('m') != text.npos) {
      look.paint = paint_of_codes(text.substr(2, text.find('m') - 2));
      text.remove_prefix(text.find('m') + 1);
      continue;
    }
    size_t size = std::min(text.find('\x1b', 1), text.size());
    x = put(x, y, text.substr(0, size), look, end - x);
    text.remove_prefix(size);
  }
  return x;
}

void Grid::add_look(int x, int y, int columns, const Look& look) {
  for (int i = std::max(x, 0); i < std::min(x + columns, width_); ++i) {
    GridCell* c = cell(i, y);
    if (c == nullptr) { return; }
    c->look.reverse |= look.reverse;
    c->look.bold |= look.bold;
    c->look.underline |= look.underline;
    if (look.paint != Paint::kPlain) { c->look.paint = look.paint; }
  }
}

void Grid::select(int x, int y, int columns) {
  for (int i = std::max(x, 0); i < std::min(x + columns, width_); ++i) {
    if (GridCell* c = cell(i, y)) { c->look = {.reverse = true, .bold = c->look.bold, .underline = c->look.underline}; }
  }
}

void Grid::fill(int x, int y, int columns, const Look& look) {
  for (int i = std::max(x, 0); i < std::min(x + columns, width_); ++i) {
    if (GridCell* c = cell(i, y)) { *c = {U' ', look}; }
  }
}

std::string Grid::text() const {
  std::string out;
  for (int y = 0; y < height_; ++y) {
    std::string line;
    for (int x = 0; x < width_; ++x) {
      if (at(x, y).text != 0) { append_utf8(line, at(x, y).text); }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace wick::tui
