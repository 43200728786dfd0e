// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is drawn: cells of text and looks. Views draw into a grid; tui/screen.h copies it to the terminal, so everything else is
// tested without one.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/color.h"
#include "term/style.h"

namespace wick::tui {

// The background of a box: a color, and the nearest of the terminal's basic ones.
struct Fill {
  enum class Basic : uint8_t { kNone, kRed, kGreen, kYellow, kBlue, kMagenta, kCyan, kGray };
  Rgb rgb{};
  Basic basic = Basic::kNone;

  bool operator==(const Fill& o) const { return basic == o.basic && rgb.r == o.rgb.r && rgb.g == o.rgb.g && rgb.b == o.rgb.b; }
};

struct Look {
  Paint paint = Paint::kPlain;
  Fill fill{};
  bool reverse = false, bold = false, underline = false;

  bool operator==(const Look&) const = default;
};

struct GridCell {
  char32_t text = ' ';  // 0: covered by the wide character to the left
  Look look{};
};

class Grid {
 public:
  Grid(int width, int height, bool unicode);

  int width() const { return width_; }
  int height() const { return height_; }
  bool unicode() const { return unicode_; }
  const GridCell& at(int x, int y) const { return cells_[static_cast<size_t>(y * width_ + x)]; }

  // Writes from left to right, at most `room` columns and never beyond the edge; returns the column behind the text. Marks that
  // combine with the character before are left out, and control characters become "?", whatever the text.
  int put(int x, int y, std::string_view text, Look look = {}, int room = INT32_MAX);
  // The same for text with the escape sequences of paint(); `base` applies to all of it.
  int put_painted(int x, int y, std::string_view text, Look base = {}, int room = INT32_MAX);
  // Changes looks only.
  void add_look(int x, int y, int columns, const Look& look);
  // The selected row: one look, whatever was drawn.
  void select(int x, int y, int columns);
  void fill(int x, int y, int columns, const Look& look);

  // For tests: lines without blanks at the end.
  std::string text() const;

 private:
  GridCell* cell(int x, int y) {
    return x < 0 || y < 0 || x >= width_ || y >= height_ ? nullptr : &cells_[static_cast<size_t>(y * width_ + x)];
  }
  int put_char(int x, int y, char32_t value, const Look& look, int end);

  int width_, height_;
  bool unicode_;
  std::vector<GridCell> cells_;
};

}  // namespace wick::tui
