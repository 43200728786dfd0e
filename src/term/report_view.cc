// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "term/report_view.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "analyze/format.h"
#include "analyze/overview.h"
#include "base/text.h"
#include "base/utf8.h"
#include "term/fit.h"
#include "term/table.h"
#include "term/titles.h"

namespace wick {
namespace {

constexpr int kBarWidth = 8;
constexpr int kWideLine = 110;  // from here on there is room for a bar and the total time

// Uses eighths of a cell to show small differences.
std::string bar(double part, int cells) {
  static const char* const kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  int eighths = static_cast<int>(std::lround(std::clamp(part, 0.0, 1.0) * cells * 8));
  std::string out;
  for (int i = 0; i < eighths / 8; ++i) { out += "█"; }
  return out + kEighths[eighths % 8];
}

Cell share_cell(int64_t part, int64_t whole) {
  double s = share(part, whole);
  return {format_percent(s), paint_of_share(s)};
}

const char* noun(GroupBy by) {
  switch (by) {
    case GroupBy::kFunction: return "function";
    case GroupBy::kModule: return "module";
    case GroupBy::kFile: return "file";
    case GroupBy::kLine: return "line";
    case GroupBy::kThread: return "thread";
    case GroupBy::kProcess: return "process";
  }
  return "row";
}

std::string hidden_rows_line(const CostTable& table, size_t shown, const Style& style) {
  Cost hidden;
  for (size_t i = shown; i < table.rows.size(); ++i) { hidden += table.rows[i].self; }
  std::string what = noun(table.by);
  size_t rows = table.rows.size() - shown;
  std::string line = std::string(ellipsis(style)) + " " + group_thousands(rows) + " more " + what +
                     (rows == 1           ? ""
                      : what == "process" ? "es"
                                          : "s");
  line += " with " + format_percent(share(hidden.weight, table.all.weight));
  if (is_code(table.by)) { line += " self"; }  // the sum of their totals says nothing
  line += " (--limit 0 shows all)";
  return paint(style, Paint::kDim, line) + "\n";
}

Table code_table(const Profile& profile, const CostTable& table, const CostUnit& unit, size_t shown, const Style& style) {
  bool wide = style.width == 0 || style.width >= kWideLine, bars = style.terminal && style.unicode && style.width >= kWideLine;
  bool functions = table.by == GroupBy::kFunction, modules = table.by != GroupBy::kModule;
  bool sources = table.by == GroupBy::kFile || table.by == GroupBy::kLine;
  std::vector<Column> columns = {{"SELF", Align::kRight}};
  if (bars) { columns.push_back({""}); }
  columns.push_back({cost_title(unit), Align::kRight, Shrink::kNever, 3});
  columns.push_back({"TOTAL", Align::kRight, Shrink::kNever, 1});
  if (wide) { columns.push_back({cost_title(unit), Align::kRight, Shrink::kNever, 4}); }
  columns.push_back({group_title(table.by), Align::kLeft, functions ? Shrink::kName : Shrink::kMiddle});
  if (modules) { columns.push_back({"MODULE", Align::kLeft, Shrink::kMiddle, 2}); }
  Table out(std::move(columns));
  std::map<std::string, size_t> rows_of_name;  // files with the same name are shown with their paths
  if (!modules || sources) {
    for (const CostRow& row : table.rows) {
      std::string name = row_name(profile, table.by, row);
      ++rows_of_name[sources ? short_source(name) : name];
    }
  }
  int64_t hottest = 0;
  for (size_t i = 0; i < shown; ++i) { hottest = std::max(hottest, table.rows[i].self.weight); }
  for (size_t i = 0; i < shown; ++i) {
    const CostRow& row = table.rows[i];
    std::vector<Cell> cells = {share_cell(row.self.weight, table.all.weight)};
    if (bars) { cells.push_back({pad_right(bar(share(row.self.weight, hottest), kBarWidth), kBarWidth), cells[0].paint}); }
    cells.push_back({format_cost(row.self.weight, unit)});
    cells.push_back(share_cell(row.total.weight, table.all.weight));
    if (wide) { cells.push_back({format_cost(row.total.weight, unit)}); }
    std::string name = row_name(profile, table.by, row);
    bool by_path = !modules && rows_of_name[name] > 1 && row.id < profile.modules().size() && !name.starts_with('[');
    if (sources) {
      std::string brief = short_source(name);
      if (rows_of_name[brief] == 1) { name = std::move(brief); }
    }
    cells.push_back({shown_name(by_path ? profile.text(profile.modules()[row.id].path) : name), Paint::kPlain,
                     row.inlining.all() ? " (inlined)" : ""});
    if (modules) { cells.push_back({printable(row_module(profile, table.by, row)), Paint::kDim}); }
    out.add(std::move(cells));
  }
  return out;
}

Table thread_table(const Profile& profile, const CostTable& table, const CostUnit& unit, size_t shown) {
  bool threads = table.by == GroupBy::kThread, imported = !profile.imported_from().empty();
  // Imported profiles may lack IDs or the process.
  auto number_of = [&](const CostRow& row) { return threads ? profile.threads()[row.id].tid : profile.processes()[row.id].pid; };
  auto process_of = [&](const CostRow& row) -> const Process& { return profile[profile.threads()[row.id].process]; };
  auto is_identified = [&](const Process& p) { return !imported || p.pid != 0 || !profile.text(p.name).empty(); };
  bool numbers =
      !imported || std::any_of(table.rows.begin(), table.rows.end(), [&](const CostRow& r) { return number_of(r) != 0; });
  bool processes = threads && std::any_of(table.rows.begin(), table.rows.end(),
                                          [&](const CostRow& r) { return is_identified(process_of(r)); });
  std::vector<Column> columns = {{"SHARE", Align::kRight}, {cost_title(unit), Align::kRight, Shrink::kNever, 2}};
  if (numbers) { columns.push_back({threads ? "TID" : "PID", Align::kRight}); }
  columns.push_back({threads ? "THREAD" : "PROCESS", Align::kLeft, Shrink::kMiddle});
  if (processes) { columns.push_back({"PROCESS", Align::kLeft, Shrink::kMiddle, 1}); }
  Table out(std::move(columns));
  for (size_t i = 0; i < shown; ++i) {
    const CostRow& row = table.rows[i];
    std::vector<Cell> cells = {share_cell(row.self.weight, table.all.weight), {format_cost(row.self.weight, unit)}};
    if (numbers) { cells.push_back({number_of(row) == 0 && imported ? "" : strf("%u", number_of(row))}); }
    cells.push_back({shown_name(row_name(profile, table.by, row))});
    if (processes) {
      const Process& process = process_of(row);
      std::string pid = process.pid == 0 && imported ? "" : strf(" (%u)", process.pid);
      cells.push_back({is_identified(process) ? shown_name(profile.text(process.name)) + pid : "", Paint::kDim});
    }
    out.add(std::move(cells));
  }
  return out;
}

}  // namespace

std::string render_heading(const Profile& profile, const Selection& selection, const Filter& filter, const Style& style) {
  Overview o = compute_overview(profile, selection.event);
  std::string out;
  if (!o.title.empty()) {
    std::string title = style.width > 0 ? fit_middle(style, o.title, style.width) : o.title;
    out += paint(style, Paint::kBold, title) + "\n";
  }
  out += describe_recording(profile, selection.event, o) + "\n";
  if (!o.other_events.empty()) {
    std::string others;
    for (EventId id : o.other_events) { others += (others.empty() ? "" : ", ") + printable(profile.text(profile[id].name)); }
    out += "also recorded: " + others + " (select with --event)\n";
  }
  for (const std::string& loss : loss_lines(o)) { out += paint(style, Paint::kWarning, loss) + "\n"; }
  for (const std::string& warning : profile.warnings()) {
    out += paint(style, Paint::kWarning, "warning: " + printable(warning)) + "\n";
  }
  if (!filter.everything()) {
    std::string part =
        o.samples ? " (" + format_percent(static_cast<double>(selection.count) / static_cast<double>(o.samples)) + ")" : "";
    out += "showing " + count_of(selection.count, "sample") + part + ", " + describe_filter(filter) + "\n";
  }
  if (!selection.samples.empty() && selection.count < kFewSamples) {
    out +=
        paint(style, Paint::kWarning, strf("fewer than %d samples: percentages are unreliable", static_cast<int>(kFewSamples))) +
        "\n";
  }
  return out;
}

std::string render_table(const Profile& profile, const CostTable& table, const CostUnit& unit, size_t limit, const Style& style) {
  size_t shown = limit == 0 ? table.rows.size() : std::min(limit, table.rows.size());
  Table out = is_code(table.by) ? code_table(profile, table, unit, shown, style) : thread_table(profile, table, unit, shown);
  std::string text = out.render(style);
  if (shown < table.rows.size()) { text += hidden_rows_line(table, shown, style); }
  return text;
}

}  // namespace wick
