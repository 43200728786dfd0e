// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The views that are rows of text: functions, call tree, callers and callees, source.

#include <algorithm>

#include "analyze/format.h"
#include "base/text.h"
#include "base/utf8.h"
#include "term/fit.h"
#include "term/titles.h"
#include "tui/draw.h"
#include "tui/rows.h"

namespace wick::tui {
namespace {

int module_width(int width) { return width >= 70 ? std::min(24, width / 5) : 0; }

// A column of numbers, from the left.
struct Numbers {
  std::string title;
  int width;
};

// Columns that fit beside a name of reasonable width.
std::vector<Numbers> fitting(std::vector<Numbers> columns, int width) {
  auto used = [&] {
    int sum = 0;
    for (const Numbers& n : columns) { sum += n.width + 1; }
    return sum;
  };
  while (!columns.empty() && used() > width / 2 && !(columns.size() == 1 && width >= 12)) { columns.pop_back(); }
  return columns;
}

struct Cells {
  std::string text;
  Paint paint = Paint::kPlain;
};

int put_numbers(Canvas& c, int x, int y, const std::vector<Numbers>& columns, const std::vector<Cells>& cells) {
  for (size_t i = 0; i < columns.size(); ++i) {
    int pad = columns[i].width - display_width(cells[i].text);
    c.grid.put(x + std::max(pad, 0), y, cells[i].text, {.paint = cells[i].paint}, columns[i].width);
    x += columns[i].width + 1;
  }
  return x;
}
void put_titles(Canvas& c, int x, int width, int y, const std::vector<Numbers>& columns, std::string_view name) {
  int end = x + width, modules = module_width(width);
  for (const Numbers& n : columns) {
    int pad = n.width - display_width(n.title);
    c.grid.put(x + std::max(pad, 0), y, n.title, {.paint = Paint::kDim}, n.width);
    x += n.width + 1;
  }
  c.grid.put(x, y, name, {.paint = Paint::kDim}, end - x);
  if (modules > 0) { c.grid.put(end - modules, y, "MODULE", {.paint = Paint::kDim}); }
}

std::string percent(const Cost& cost, const Cost& all) {
  return cost.empty() ? "" : format_percent(share(cost.weight, all.weight));
}
Cells share_cell(const Cost& cost, const Cost& all) {
  return {percent(cost, all), paint_of_share(share(cost.weight, all.weight))};
}

// What the columns are about: a row of the table, a node of a tree, or one of a tree from the leaves, which has no self cost.
enum class Rows : uint8_t { kTable, kTree, kInverted };

std::vector<Numbers> number_columns(const Canvas& c, Rows rows, int width) {
  const Reading& r = c.data.reading(c.state.query);
  const char* main = rows == Rows::kTable ? "SELF" : "TOTAL";
  const char* other = rows == Rows::kTable ? "TOTAL" : "SELF";
  std::vector<Numbers> columns = {{main, 6}, {cost_title(unit_of(r.profile, r.now.event)), 9}};
  if (c.data.compares()) { columns = {{main, 9}, {"BEFORE", 8}, {"AFTER", 8}}; }
  if (rows != Rows::kInverted) {
    columns.insert(c.data.compares() ? columns.end() : columns.begin() + 1, {other, c.data.compares() ? 9 : 6});
  }
  return fitting(std::move(columns), width);
}

// `main` comes first, with its cost; then `other`.
std::vector<Cells> number_cells(const Canvas& c, Rows rows, const DiffCost& main, const DiffCost& other) {
  const Reading& r = c.data.reading(c.state.query);
  CostUnit unit = unit_of(r.profile, r.now.event);
  const DiffTable& t = r.compared;
  std::vector<Cells> cells;
  if (!c.data.compares()) {
    cells = {share_cell(main.after, t.after), {main.after.empty() ? "" : format_cost(main.after.weight, unit), Paint::kDim}};
    if (rows != Rows::kInverted) { cells.insert(cells.begin() + 1, share_cell(other.after, t.after)); }
    return cells;
  }
  auto level = [&](const Cost& cost, const Cost& all) {
    return cost.empty() ? "" : t.normalized ? format_percent(share(cost.weight, all.weight)) : format_cost(cost.weight, unit);
  };
  auto change = [&](const DiffCost& cost) {
    return cost.before.empty() && cost.after.empty() ? Cells{}
                                                     : Cells{describe_change(t, cost, unit), paint_of_change(t.verdict(cost))};
  };
  return {change(main), {level(main.before, t.before), Paint::kDim}, {level(main.after, t.after), Paint::kDim}, change(other)};
}

std::string_view module_of(const Profile& profile, FunctionId function) {
  if (!function.valid() || !profile[function].module.valid()) { return {}; }
  return profile.text(profile[profile[function].module].name);
}

void put_module(Canvas& c, int x, int y, int room, FunctionId function) {
  if (room <= 0) { return; }
  std::string name = printable(module_of(c.data.reading(c.state.query).profile, function));
  c.grid.put(x, y, fit_middle(c.style(), name, room), {.paint = Paint::kDim}, room);
}

void mark_row(Canvas& c, int x, int y, int width, bool is_active = true) {
  if (is_active) {
    c.grid.select(x, y, width);
  } else {
    c.grid.add_look(x, y, width, {.bold = true});
  }
}

// A tree in part of the width.
void draw_rows(Canvas& c, const Tree& tree, const std::vector<TreeRow>& rows, const Place& place, int x, int width,
               const std::string& title, bool is_active, Rows kind) {
  const Reading& r = c.data.reading(c.state.query);
  std::vector<Numbers> columns = number_columns(c, kind, width);
  int names = x;
  for (const Numbers& n : columns) { names += n.width + 1; }
  if (c.layout.titles >= 0) { put_titles(c, x, width, c.layout.titles, columns, title); }
  int modules = module_width(width);
  for (size_t i = place.top; i < rows.size(); ++i) {
    int y = c.layout.body + static_cast<int>(i - place.top);
    if (y >= c.bottom()) { break; }
    const TreeRow& row = rows[i];
    const FlameNode& node = tree.nodes[row.node];
    int indent = std::min(static_cast<int>(row.level) * 2, std::max(x + width - names - 16, 0));
    if (row.is_rest) {
      BothCosts rest = tree.hidden(row.node);
      put_numbers(c, x, y, columns, number_cells(c, kind, {.before = rest.before, .after = rest.now}, {}));
      c.grid.put(names + indent + 2, y, c.grid.unicode() ? "… smaller branches" : "... smaller branches", {.paint = Paint::kDim},
                 x + width - names - indent - 2);
    } else {
      DiffCost self{.before = node.self_before, .after = node.self};
      DiffCost total = c.data.compares() ? tree.compared[row.node] : DiffCost{.before = {}, .after = node.total};
      put_numbers(c, x, y, columns, number_cells(c, kind, total, self));
      std::string_view mark = !row.has_children ? " " : c.grid.unicode() ? (row.open ? "▾" : "▸") : row.open ? "-" : "+";
      c.grid.put(names + indent, y, mark, {.paint = Paint::kDim}, std::max(x + width - names - indent, 0));
      int begin = names + indent + 2, end = x + width - (modules > 0 ? modules + 1 : 0);
      std::string_view name = node.function.valid()       ? r.profile.text(r.profile[node.function].name)
                              : node.group != Tree::kNone ? std::string_view(tree.groups[node.group])
                                                          : "all";
      put_name(c, begin, y, node.function, name, end - begin, {.bold = !node.function.valid()});
      put_module(c, end + 1, y, modules, node.function);
    }
    if (i == place.row) { mark_row(c, x, y, width, is_active); }
  }
}

}  // namespace

void draw_functions(Canvas& c) {
  const std::vector<uint32_t>& rows = c.data.function_rows(c.state);
  const Reading& r = c.data.reading(c.state.query);
  int width = c.grid.width(), modules = module_width(width);
  std::vector<Numbers> columns = number_columns(c, Rows::kTable, width);
  int names = 0;
  for (const Numbers& n : columns) { names += n.width + 1; }
  if (c.layout.titles >= 0) { put_titles(c, 0, width, c.layout.titles, columns, "FUNCTION"); }
  int end = width - (modules > 0 ? modules + 1 : 0);
  for (size_t i = c.state.functions.top; i < rows.size(); ++i) {
    int y = c.layout.body + static_cast<int>(i - c.state.functions.top);
    if (y >= c.bottom()) { break; }
    const FunctionRow& f = r.functions[rows[i]];
    put_numbers(c, 0, y, columns, number_cells(c, Rows::kTable, f.self, f.total));
    put_name(c, names, y, f.function, r.profile.text(r.profile[f.function].name), end - names);
    put_module(c, end + 1, y, modules, f.function);
    if (i == c.state.functions.row) { mark_row(c, 0, y, width); }
  }
  if (rows.empty() && c.layout.body_rows > 0) {
    c.grid.put(0, c.layout.body, r.functions.empty() ? "no samples are selected (x, u)" : "no function matches (Esc)");
  }
}

void draw_tree(Canvas& c) {
  const Tree& tree = c.data.tree(c.state.query, c.state.inverted);
  std::vector<TreeRow> rows = tree_rows(c.state, c.data);
  draw_rows(c, tree, rows, c.state.tree, 0, c.grid.width(),
            c.state.inverted ? "FUNCTION, callers below" : "FUNCTION, callees below", true,
            c.state.inverted ? Rows::kInverted : Rows::kTree);
  if (rows.empty() && c.layout.body_rows > 0) { c.grid.put(0, c.layout.body, "no samples are selected (x, u)"); }
}

void draw_around(Canvas& c) {
  FunctionId function = around_function(c.state, c.data);
  if (!function.valid()) {
    if (c.layout.body_rows > 0) { c.grid.put(0, c.layout.body, "no samples are selected (x, u)"); }
    return;
  }
  const Around& around = c.data.around(c.state.query, function);
  std::string name = shown_name(c.data.reading(c.state.query).profile.text(c.data.reading(c.state.query).profile[function].name));
  int width = c.grid.width(), half = width / 2;
  int left = width >= 40 ? half - 1 : c.state.callees ? 0 : width;
  int right = width >= 40 ? half : 0, right_width = width >= 40 ? width - half : c.state.callees ? width : 0;
  auto title = [&](const char* what, int room) { return fit_name(c.style(), std::string(what) + " " + name, std::max(room, 0)); };
  if (left > 0) {
    draw_rows(c, around.callers, side_rows(c.state, c.data, false), c.state.sides[0], 0, left, title("CALLERS OF", left - 18),
              !c.state.callees, Rows::kInverted);
  }
  if (right_width > 0) {
    draw_rows(c, around.callees, side_rows(c.state, c.data, true), c.state.sides[1], right, right_width,
              title("CALLED BY", right_width - 18), c.state.callees, Rows::kTree);
  }
  if (left > 0 && right_width > 0) {
    for (int y = c.layout.titles >= 0 ? c.layout.titles : c.layout.body; y < c.bottom(); ++y) {
      c.grid.put(half - 1, y, c.grid.unicode() ? "│" : "|", {.paint = Paint::kDim});
    }
  }
}

void draw_code(Canvas& c) {
  const CodeLines& code = c.data.code(c.state.query, c.state.function, c.state.code, c.grid.unicode());
  if (c.layout.titles >= 0) { c.grid.put_painted(0, c.layout.titles, fit_start(c.style(), code.heading, c.grid.width())); }
  int costs = code.costs <= c.grid.width() * 3 / 4 ? code.costs : 0;
  for (size_t i = c.state.lines.top; i < code.lines.size(); ++i) {
    int y = c.layout.body + static_cast<int>(i - c.state.lines.top);
    if (y >= c.bottom()) { break; }
    if (c.state.code_column == 0) {
      c.grid.put_painted(0, y, code.lines[i]);
      continue;
    }
    Grid line(static_cast<int>(c.state.code_column) + c.grid.width(), 1, c.grid.unicode());
    line.put_painted(0, 0, code.lines[i]);
    for (int x = 0; x < c.grid.width(); ++x) {
      int from = x < costs ? x : x + static_cast<int>(c.state.code_column);
      if (from >= line.width()) { break; }
      std::string text;
      append_utf8(text, line.at(from, 0).text == 0 ? U' ' : line.at(from, 0).text);
      c.grid.put(x, y, text, line.at(from, 0).look);
    }
  }
}

}  // namespace wick::tui
