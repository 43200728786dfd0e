// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "term/stat_view.h"

#include <algorithm>
#include <cmath>

#include "analyze/format.h"
#include "base/text.h"
#include "base/utf8.h"
#include "term/fit.h"
#include "term/table.h"

namespace wick {
namespace {

using stat::Bound;
using stat::Figure;
using stat::Row;
using stat::Scope;
using stat::Unit;

std::string label_of(const std::string& name, const std::string& core) {
  constexpr std::string_view kSimulated = "simulated-";
  std::string label = name.starts_with(kSimulated) ? name.substr(kSimulated.size()) : name;
  bool is_event = name.find_first_of(":/") != name.npos || name.starts_with("L") || name.starts_with("dTLB");
  if (!is_event) { std::replace(label.begin(), label.end(), '-', ' '); }
  return printable(core.empty() ? label : label + " (" + core + ")");
}

std::string value_of(const Figure& figure) {
  const char* bound = figure.bound == Bound::kAtLeast ? "at least " : figure.bound == Bound::kAtMost ? "at most " : "";
  return bound + format_figure(figure.value, figure.unit);
}

// "± 1.2% (3 of 20 are outliers)".
std::string spread_of(const Row& row) {
  if (row.runs.runs < 2) { return ""; }
  std::string text = row.runs.mean == 0 ? "± 0.0%" : "± " + format_percent(row.runs.deviation / std::abs(row.runs.mean));
  static constexpr std::string_view kMain[] = {"elapsed", "task-clock", "cycles", "instructions"};
  bool is_main = std::find(std::begin(kMain), std::end(kMain), row.figure.name) != std::end(kMain);
  if (row.runs.outliers > 0 && is_main) {
    text += strf(", %zu of %zu runs %s", row.runs.outliers, row.runs.runs, row.runs.outliers == 1 ? "is an outlier" : "are outliers");
  }
  return text;
}

std::string remark_of(const Row& row) {
  std::string text = row.meaning;
  auto add = [&](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  if (row.figure.counted < 0.995) { add(strf("scaled: counted %.0f%% of the time", 100 * row.figure.counted)); }
  if (!row.figure.note.empty()) { add(row.figure.note); }
  return text;
}

// Some figures matter only if there is something: no line for nothing.
bool is_shown(const Row& row) {
  static constexpr std::string_view kOnlyIfAny[] = {"steal", "cpu-pressure", "memory-pressure", "io-pressure", "block-read", "block-written", "major-faults"};
  bool matters = std::find(std::begin(kOnlyIfAny), std::end(kOnlyIfAny), row.figure.name) == std::end(kOnlyIfAny);
  return matters || row.figure.value > 0;
}

void wrap_into(std::string& out, const std::string& text, const std::string& first, const std::string& indent, int width) {
  std::string line = first;
  bool is_empty = true;
  const std::string clean = printable(text);
  for (std::string_view word : split(clean, ' ')) {
    bool fits = width <= 0 || is_empty || display_width(line) + 1 + display_width(word) <= width;
    if (!fits) {
      out += line + "\n";
      line = indent;
      is_empty = true;
    }
    line += (is_empty ? "" : " ") + std::string(word);
    is_empty = false;
  }
  out += line + "\n";
}

void render_rows(std::string& out, const std::vector<Row>& rows, Scope scope, const char* heading, const Style& style) {
  int labels = 0, values = 0, spreads = 0;
  for (const Row& row : rows) {
    if (!is_shown(row)) { continue; }
    labels = std::max(labels, display_width(label_of(row.figure.name, row.figure.core)));
    values = std::max(values, display_width(value_of(row.figure)));
    spreads = std::max(spreads, display_width(spread_of(row)));
  }
  bool any = false;
  for (const Row& row : rows) {
    if (row.figure.scope != scope || !is_shown(row)) { continue; }
    if (!any) { out += std::string("\n") + heading; }
    any = true;
    std::string value = value_of(row.figure);
    std::string blanks(static_cast<size_t>(values - display_width(value)), ' ');
    std::string line = "  " + pad_right(label_of(row.figure.name, row.figure.core), labels) + "  " + blanks +
                       paint(style, Paint::kBold, value);
    int width = 2 + labels + 2 + values;
    if (spreads > 0) {
      line += "  " + pad_right(spread_of(row), spreads);
      width += 2 + spreads;
    }
    std::string remark = remark_of(row);
    std::string indent(static_cast<size_t>(width + 2), ' ');
    if (!remark.empty()) {
      std::string wrapped;
      bool is_narrow = style.width > 0 && style.width - width < 30;
      wrap_into(wrapped, remark, is_narrow ? "      " : indent, is_narrow ? "      " : indent, style.width);
      if (is_narrow) { line = line.substr(0, line.find_last_not_of(' ') + 1); }
      line += is_narrow ? "\n" + wrapped : "  " + wrapped.substr(indent.size());
    } else {
      line = line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    out += line;
    if (!row.next.empty()) { out += "      " + paint(style, Paint::kBold, "$ " + printable(row.next)) + "\n"; }
  }
}

void render_parts(std::string& out, const stat::Report& report, const Style& style) {
  if (report.parts.empty()) { return; }
  std::vector<std::string> names;
  for (const stat::Part& part : report.parts) {
    for (const Figure& figure : part.figures) {
      std::string label = label_of(figure.name, figure.core);
      if (std::find(names.begin(), names.end(), label) == names.end()) { names.push_back(label); }
    }
  }
  std::vector<Column> columns{{"PART", Align::kLeft, Shrink::kEnd}};
  for (const std::string& name : names) {
    std::string title = name;
    std::transform(title.begin(), title.end(), title.begin(), [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    columns.push_back({title, Align::kRight, Shrink::kNever, static_cast<int>(columns.size())});
  }
  Table table(columns);
  for (const stat::Part& part : report.parts) {
    std::vector<Cell> cells{{printable(part.name)}};
    for (const std::string& name : names) {
      auto same = std::find_if(part.figures.begin(), part.figures.end(),
                               [&](const Figure& f) { return label_of(f.name, f.core) == name; });
      cells.push_back({same == part.figures.end() ? "-" : value_of(*same)});
    }
    table.add(std::move(cells));
  }
  out += "\n" + table.render(style);
}

}  // namespace

std::string format_figure(double value, Unit unit) {
  switch (unit) {
    case Unit::kNanoseconds: return value < 1e12 ? format_duration(std::llround(value)) : strf("%.0f s", value / 1e9);
    case Unit::kBytes: return human_bytes(static_cast<uint64_t>(std::max(value, 0.0)));
    case Unit::kRatio: return strf("%.2f", value);
    case Unit::kShare: return format_percent(value);
    case Unit::kCount: break;
  }
  bool is_whole = value == std::floor(value) || value >= 100;
  return is_whole ? group_thousands(static_cast<uint64_t>(std::llround(std::max(value, 0.0)))) : strf("%.1f", value);
}

std::string render_stat(const stat::Report& report, const Style& style) {
  std::string runs = report.runs > 1 ? strf("  (mean of %zu runs ± standard deviation)", report.runs) : "";
  std::string out = paint(style, Paint::kBold, printable(report.title)) + runs + "\n";
  render_rows(out, report.rows, Scope::kTarget, report.user_only ? "  hardware counters: user space only (:u)\n" : "", style);
  render_rows(out, report.rows, Scope::kSimulated, "  simulated by valgrind's cachegrind:\n", style);
  render_rows(out, report.rows, Scope::kMachine, "  the whole machine meanwhile:\n", style);
  render_parts(out, report, style);
  if (!report.missing.empty()) {
    out += "\n";
    wrap_into(out, report.missing, "  ", "  ", style.width);
    if (!report.missing_next.empty()) { out += "      " + paint(style, Paint::kBold, "$ " + printable(report.missing_next)) + "\n"; }
  }
  for (const std::string& note : report.notes) { wrap_into(out, note, "  ", "  ", style.width); }
  return out;
}

std::string render_comparison(const stat::CompareReport& report, const Style& style) {
  std::string out = strf("A: %s\nB: %s\n\n", printable(report.commands[0]).c_str(), printable(report.commands[1]).c_str());
  Table table({{"", Align::kLeft}, {"A", Align::kRight}, {"", Align::kLeft}, {"B", Align::kRight}, {"", Align::kLeft},
               {"B/A", Align::kRight}, {"INTERVAL", Align::kLeft}});
  auto spread = [](const stat::Summary& s) { return s.mean == 0 ? std::string() : "± " + format_percent(s.deviation / std::abs(s.mean)); };
  for (const stat::ComparedRow& row : report.rows) {
    bool has_interval = row.comparison.high > 0;
    if (row.first.most == 0 && row.second.most == 0) { continue; }
    table.add({{label_of(row.name, row.core)},
               {format_figure(row.first.mean, row.unit)},
               {spread(row.first)},
               {format_figure(row.second.mean, row.unit)},
               {spread(row.second)},
               {row.comparison.ratio > 0 ? strf("%.3f", row.comparison.ratio) : "-"},
               {has_interval ? strf("%.3f to %.3f", row.comparison.low, row.comparison.high) : "-"}});
  }
  out += table.render(style);
  if (!report.rows.empty()) {
    const stat::Comparison& c = report.rows[0].comparison;
    std::string what = label_of(report.rows[0].name, "") + " of B: " + stat::verdict_word(c.verdict);
    if (c.high > 0) {
      what += strf(" (B takes %.3f times as long as A, %.3g%% interval %.3f to %.3f, %zu pairs of runs)", c.ratio, 100 * c.confidence,
                   c.low, c.high, c.pairs);
    } else {
      what += strf(" (at least %zu pairs of runs are needed)", stat::kFewestPairs);
    }
    out += "\n";
    wrap_into(out, what, "", "  ", style.width);
  }
  for (const std::string& note : report.notes) { wrap_into(out, note, "", "  ", style.width); }
  return out;
}

std::string render_interval(const stat::Interval& interval, bool is_first) {
  std::string titles = strf("%10s", "TIME"), line = strf("%8.3f s", static_cast<double>(interval.end_ns) / 1e9);
  for (const Figure& figure : interval.figures) {
    if (figure.name == "elapsed") { continue; }
    std::string title = label_of(figure.name, figure.core);
    int width = std::max(display_width(title), 10);
    titles += "  " + std::string(static_cast<size_t>(width - display_width(title)), ' ') + title;
    std::string value = format_figure(figure.value, figure.unit) + (figure.counted < 0.995 ? "*" : "");
    int fill = std::max(width - display_width(value), 0);
    line += "  " + std::string(static_cast<size_t>(fill), ' ') + value;
  }
  return (is_first ? titles + "\n" : "") + line + "\n";
}

}  // namespace wick
