// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "term/line_diff_view.h"

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "model/function_name.h"
#include "term/code_view.h"
#include "term/fit.h"
#include "term/table.h"

namespace wick {
namespace {

using Kind = LineDiffRow::Kind;
constexpr size_t kCostColumns = 5;  // mark, SELF, BEFORE, AFTER, TOTAL

std::string level(const DiffTable& table, const Cost& cost, const Cost& all, const CostUnit& unit) {
  return table.normalized ? format_percent(share(cost.weight, all.weight)) : format_cost(cost.weight, unit);
}

std::vector<Cell> cost_cells(const DiffTable& table, const DiffRow& row, bool has_total, const CostUnit& unit,
                             const DiffColors& colors, const Style& style) {
  Change self = table.verdict(row.self), total = table.verdict(row.total);
  std::vector<Cell> cells = {{change_mark(self, style), change_paint(self, colors)}};
  if (row.self.before.empty() && row.self.after.empty()) {  // it only calls other functions
    cells.resize(kCostColumns - 1);
  } else {
    cells.push_back({format_change(table, row.self, table.normalized, unit), change_paint(self, colors)});
    cells.push_back({level(table, row.self.before, table.before, unit), Paint::kDim});
    cells.push_back({level(table, row.self.after, table.after, unit), Paint::kDim});
  }
  std::string marked = total == Change::kNoise || total == self ? "" : change_mark(total, style) + " ";
  cells.emplace_back();
  if (has_total) {
    cells.back() = {marked + format_change(table, row.total, table.normalized, unit), change_paint(total, colors)};
  }
  return cells;
}

std::string indent(uint32_t depth) { return std::string(2 * std::min(depth, 20u), ' '); }

}  // namespace

std::string render_function_change(std::string_view function, std::string_view module, const DiffTable& whole,
                                   const DiffCost& self, const std::vector<std::string>& notes, const CostUnit& unit,
                                   const DiffColors& colors, const Style& style) {
  std::string out = paint(style, Paint::kBold, shown_name(function));
  if (!module.empty()) { out += paint(style, Paint::kDim, "  " + printable(module)); }
  const DiffRow& row = whole.rows.front();
  bool has_inlined = self.before.weight != row.self.before.weight || self.after.weight != row.self.after.weight;
  std::vector<std::pair<const char*, const DiffCost*>> parts = {{"self", &self}, {"total", &row.total}};
  if (has_inlined) { parts.insert(parts.begin() + 1, {"with inlined code", &row.self}); }
  bool is_first = true;
  for (const auto& [title, cost] : parts) {
    Change change = whole.verdict(*cost);
    std::string mark = change_mark(change, style);
    std::string text = (mark.empty() ? "" : mark + " ") + format_change(whole, *cost, whole.normalized, unit) + " " + title +
                       " (" + level(whole, cost->before, whole.before, unit) + " -> " +
                       level(whole, cost->after, whole.after, unit) + ")";
    out += (is_first ? "  " : ", ") + paint(style, change_paint(change, colors), text);
    is_first = false;
  }
  out = (style.width > 0 ? fit_start(style, out, style.width) : out) + "\n";
  for (const std::string& note : notes) { out += paint(style, Paint::kWarning, printable(note)) + "\n"; }
  return out;
}

std::string render_line_diff(const LineDiff& diff, const CostUnit& unit, const DiffColors& colors, const Style& style) {
  if (diff.rows.empty()) { return {}; }
  Table out({{""},
             {"SELF", Align::kRight},
             {"BEFORE", Align::kRight, Shrink::kNever, 2},
             {"AFTER", Align::kRight, Shrink::kNever, 1},
             {"TOTAL", Align::kRight, Shrink::kNever, 3},
             {"LINE", Align::kRight},
             {"", Align::kLeft, Shrink::kEnd}});
  for (const LineDiffRow& row : diff.rows) {
    std::vector<Cell> cells(kCostColumns);
    bool is_known = row.before != 0 || row.after != 0;
    if (row.cost != LineDiffRow::kNone) {
      cells = cost_cells(diff.table, diff.table.rows[row.cost], row.depth == 0 && is_known, unit, colors, style);
    }
    switch (row.kind) {
      case Kind::kFile:
        cells.resize(kCostColumns + 1);
        cells.push_back({row.file.empty() ? "unknown source" : printable(short_source(row.file)), Paint::kBold});
        break;
      case Kind::kGap:
        cells.resize(kCostColumns + 1);
        cells.push_back({std::string(ellipsis(style)), Paint::kDim});
        break;
      case Kind::kInlined:
        cells.resize(kCostColumns + 1);
        cells.push_back({"  " + indent(row.depth) + (style.unicode ? "↳ " : "- ") + shown_name(short_name(row.text)),
                         Paint::kPlain, "  (inlined, " + printable(short_source(row.file)) + ")"});
        break;
      case Kind::kLine: {
        uint32_t number = row.after != 0 ? row.after : row.before;
        const char* sign = !is_known || (row.before != 0 && row.after != 0) ? "  " : row.after != 0 ? "+ " : "- ";
        cells.push_back({is_known ? strf("%u", number) : "?", Paint::kDim});
        std::string text = row.has_text ? source_text(row.text) : is_known ? printable(std::string(base_name(row.file))) : "";
        bool is_dim = !row.has_text || row.cost == LineDiffRow::kNone;
        cells.push_back({sign + indent(row.depth) + text, is_dim ? Paint::kDim : Paint::kPlain});
        while (cells.back().text.ends_with(' ')) { cells.back().text.pop_back(); }
        break;
      }
    }
    out.add(std::move(cells));
  }
  return out.render(style);
}

}  // namespace wick
