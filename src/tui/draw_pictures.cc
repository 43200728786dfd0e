// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The flame graph, and threads over time.

#include <algorithm>
#include <cmath>

#include "analyze/color.h"
#include "analyze/format.h"
#include "base/text.h"
#include "base/utf8.h"
#include "model/function_name.h"
#include "term/fit.h"
#include "tui/draw.h"

namespace wick::tui {
namespace {

using Basic = Fill::Basic;

Basic basic_of(CodeKind kind) {
  switch (kind) {
    case CodeKind::kProgram: return Basic::kYellow;
    case CodeKind::kLibrary: return Basic::kGreen;
    case CodeKind::kStandard: return Basic::kCyan;
    case CodeKind::kSystem: return Basic::kBlue;
    case CodeKind::kKernel: return Basic::kRed;
    case CodeKind::kUnknown: return Basic::kGray;
    case CodeKind::kUnclassified: return Basic::kMagenta;
  }
  return Basic::kGray;
}

Fill fill_of(const Canvas& c, const Tree& tree, uint32_t node) {
  constexpr Fill kGray{{0xd0, 0xd0, 0xd0}, Basic::kGray};
  const FlameNode& n = tree.nodes[node];
  const Reading& r = c.data.reading(c.state.query);
  if (c.data.compares()) {
    if (node == 0) { return kGray; }
    switch (r.compared.verdict(tree.compared[node])) {
      case Change::kGrew: return {{0xff, 0x9a, 0x8a}, Basic::kRed};
      case Change::kShrank: return {{0x9a, 0xb8, 0xff}, Basic::kBlue};
      case Change::kNoise: break;
    }
    // Neighbors differ.
    bool is_darker = n.function.valid() && color_shade(r.profile.text(r.profile[n.function].name)) % 2 == 0;
    return is_darker ? Fill{{0xbc, 0xbc, 0xbc}, Basic::kGray} : kGray;
  }
  if (!n.function.valid()) { return kGray; }
  CodeKind kind = code_kind(r.profile, n.function);
  return {color(kind, color_shade(r.profile.text(r.profile[n.function].name)), Theme::kLight), basic_of(kind)};
}

std::string_view name_of(const Reading& r, const Tree& tree, uint32_t node) {
  const FlameNode& n = tree.nodes[node];
  if (n.function.valid()) { return r.profile.text(r.profile[n.function].name); }
  return n.group != Tree::kNone ? std::string_view(tree.groups[n.group]) : "all";
}

// The selected box in full, since most boxes are too narrow for their names.
void draw_selected(Canvas& c, const Tree& tree, uint32_t node) {
  if (c.layout.titles < 0 || node == Tree::kNone) { return; }
  const Reading& r = c.data.reading(c.state.query);
  const FlameNode& n = tree.nodes[node];
  CostUnit unit = unit_of(r.profile, r.now.event);
  std::string costs;
  if (c.data.compares() && node != 0) {
    const DiffCost& cost = tree.compared[node];
    costs = "  " + format_cost(cost.before.weight, unit) + " -> " + format_cost(cost.after.weight, unit) + " (" +
            describe_change(r.compared, cost, unit) + ")";
  } else {
    costs = "  " + format_percent(share(n.total.weight, r.now.weight)) + " total, " +
            format_percent(share(n.self.weight, r.now.weight)) + " self, " + format_cost(n.total.weight, unit);
  }
  int room = std::max(c.grid.width() - display_width(costs), 0);
  int x = c.grid.put(0, c.layout.titles, fit_name(c.style(), shown_name(name_of(r, tree, node)), room), {.bold = true});
  c.grid.put(x, c.layout.titles, costs);
}

}  // namespace

void draw_flame(Canvas& c) {
  const Tree& tree = c.data.tree(c.state.query, c.state.inverted);
  const Reading& r = c.data.reading(c.state.query);
  uint32_t zoom = tree.find(c.state.zoom), selected = tree.find(c.state.node);
  if (zoom == Tree::kNone) { zoom = 0; }
  const Found* found = c.state.search.empty() ? nullptr : &c.data.found(c.state.query, c.state.search);
  draw_selected(c, tree, selected);
  for (const Box& box : lay_out_boxes(tree, zoom, c.grid.width())) {
    int y = c.layout.body + box.level - static_cast<int>(c.state.flame.top);
    if (y < c.layout.body || y >= c.bottom()) { continue; }
    int width = box.end - box.begin;
    if (box.node == Tree::kNone) {
      for (int x = box.begin; x < box.end; ++x) { c.grid.put(x, y, c.grid.unicode() ? "┊" : ":", {.paint = Paint::kDim}); }
      continue;
    }
    FunctionId function = tree.nodes[box.node].function;
    Look look{.fill = c.colors ? fill_of(c, tree, box.node) : Fill{}};
    if (found != nullptr && found->status.ok() && function.valid() && found->functions[function.value]) {
      look.underline = look.bold = true;
      if (c.colors) { look.fill = {{0xff, 0x9c, 0xf5}, Basic::kMagenta}; }
    }
    if (box.node == selected) { look.reverse = look.bold = true; }
    c.grid.fill(box.begin, y, width, look);
    bool is_framed = !c.colors;
    int text = box.begin + (is_framed ? 1 : 0), room = width - (is_framed ? 1 : 0);
    if (is_framed) { c.grid.put(box.begin, y, "|", look); }
    // Neighbors of one color need a gap.
    if (!is_framed && width > 1 && box.end < c.grid.width()) {
      --room;
      c.grid.put(box.end - 1, y, " ", box.node == selected ? look : Look{.paint = Paint::kDim, .fill = look.fill});
    }
    if (room < 3) { continue; }
    std::string name = shown_name(name_of(r, tree, box.node));
    if (display_width(name) > room) { name = short_name(name); }
    c.grid.put(text, y, fit_start(c.style(), name, room), look, room);
  }
  if (tree.nodes.size() <= 1 && c.layout.body_rows > 1) { c.grid.put(0, c.layout.body + 1, "no samples are selected (x, u)"); }
}

void draw_threads(Canvas& c) {
  int labels = label_width(c.grid.width()), columns = timeline_columns(c.grid.width());
  const Timeline& t = c.data.timeline(c.state.query.event, columns);
  auto seconds = [&](int column) { return strf("%.3f s", static_cast<double>(t.time_ns(column)) / 1e9); };
  const Query& q = c.state.query;
  if (c.layout.titles >= 0) {
    std::string what = c.state.mark >= 0 ? seconds(std::min(c.state.mark, c.state.column)) + " - " +
                                               seconds(std::max(c.state.mark, c.state.column) + 1)
                                         : seconds(c.state.column);
    c.grid.put(0, c.layout.titles, fit_start(c.style(), "at " + what, std::max(labels - 1, 0)), {.paint = Paint::kDim});
    int step = std::max(columns / 6, 12);
    for (int x = 0; x + 10 < columns; x += step) {
      c.grid.put(labels + x, c.layout.titles, (c.grid.unicode() ? "╷" : "'") + seconds(x), {.paint = Paint::kDim});
    }
  }
  static constexpr std::string_view kBlocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  static constexpr std::string_view kAscii[] = {" ", ".", ":", "-", "=", "+", "*", "%", "#"};
  for (size_t i = c.state.threads.top; i < t.tracks.size(); ++i) {
    int y = c.layout.body + static_cast<int>(i - c.state.threads.top);
    if (y >= c.bottom()) { break; }
    const ThreadTrack& track = t.tracks[i];
    bool chosen = q.threads.empty() || std::binary_search(q.threads.begin(), q.threads.end(), track.thread);
    bool is_row = i == c.state.threads.row;
    if (labels > 0) {
      std::string label = (q.threads.empty() ? "  " : chosen ? (c.grid.unicode() ? "● " : "* ") : "  ") + track.label;
      c.grid.put(0, y, fit_middle(c.style(), label, labels - 1), {.paint = chosen ? Paint::kPlain : Paint::kDim}, labels - 1);
      if (is_row) { c.grid.select(0, y, labels - 1); }
    }
    for (int x = 0; x < columns; ++x) {
      float use = track.use[static_cast<size_t>(x)];
      auto step = static_cast<size_t>(use <= 0 ? 0 : std::clamp(std::lround(use * 8), 1L, 8L));
      bool inside = t.time_ns(x) >= q.begin_ns && t.time_ns(x) < q.end_ns;
      int low = std::min(c.state.mark, c.state.column), high = std::max(c.state.mark, c.state.column);
      bool brushed = c.state.mark >= 0 && x >= low && x <= high;
      Look look{.paint = chosen && inside ? Paint::kGood : Paint::kDim, .reverse = brushed};
      if (is_row && x == c.state.column) { look.reverse = true; }
      c.grid.put(labels + x, y, c.grid.unicode() ? kBlocks[step] : kAscii[step], look);
    }
  }
  if (t.tracks.empty() && c.layout.body_rows > 0) { c.grid.put(0, c.layout.body, "no samples"); }
}

}  // namespace wick::tui
