// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Draws a state: the frame, and in it one of the views.

#include <string>
#include <string_view>

#include "analyze/format.h"
#include "tui/data.h"
#include "tui/grid.h"
#include "tui/layout.h"
#include "tui/state.h"

namespace wick::tui {

// `state`: settled for this size. `colors`: whether the terminal has them; boxes are framed if not.
Grid draw(const State& state, Data& data, Size size, bool unicode, bool colors);

// ---- for the views, each in draw_<view>.cc

struct Canvas {
  Grid& grid;
  const State& state;
  Data& data;
  const Layout layout;
  bool colors;

  Style style() const { return {.terminal = true, .color = false, .unicode = grid.unicode(), .width = grid.width()}; }
  int bottom() const { return layout.body + layout.body_rows; }
};
void draw_functions(Canvas& canvas);
void draw_tree(Canvas& canvas);
void draw_around(Canvas& canvas);
void draw_flame(Canvas& canvas);
void draw_threads(Canvas& canvas);
void draw_code(Canvas& canvas);

Paint paint_of_change(Change change);
// "+1.2 ms", "-3.1 pp"; `cost`: of a row or node.
std::string describe_change(const DiffTable& table, const DiffCost& cost, const CostUnit& unit);
// Draws the name in the room, with what matches the search underlined.
void put_name(Canvas& canvas, int x, int y, FunctionId function, std::string_view name, int room, Look look = {});

}  // namespace wick::tui
