// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where things are on the screen, for drawing and for the mouse.

#include <array>
#include <vector>

#include "tui/data.h"
#include "tui/state.h"

namespace wick::tui {

// Rows of the screen; -1: there is no room.
struct Layout {
  int tabs = -1, about = -1, query = -1;
  int titles = -1;  // of columns
  int body = 0, body_rows = 0;
  int status = -1;
};
Layout lay_out(const State& state, const Data& data, Size size);

// The line about what is selected and transformed; empty if nothing is.
std::string describe_query(const State& state, const Data& data);

const char* view_name(ViewKind view);
// Columns of each tab: [begin, end). Names are left out where there is no room.
struct Tab {
  int begin = 0, end = 0;
  std::string text;
};
std::array<Tab, kViews> lay_out_tabs(const State& state, int width);

// A box of the flame graph, in columns. Boxes of less than a column have none; next to each other they share one without a node.
struct Box {
  uint32_t node = Tree::kNone;
  int level = 0, begin = 0, end = 0;
};
std::vector<Box> lay_out_boxes(const Tree& tree, uint32_t zoom, int width);

// Threads: labels are on the left.
int label_width(int width);
inline int timeline_columns(int width) { return width - label_width(width) > 1 ? width - label_width(width) : 1; }

}  // namespace wick::tui
