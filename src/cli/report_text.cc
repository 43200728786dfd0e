// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/report_text.h"

#include <algorithm>
#include <cmath>

#include "analyze/format.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/name_advice.h"
#include "cli/profile_options.h"
#include "term/insights_view.h"
#include "term/report_view.h"
#include "term/tree_view.h"
#include "term/waits_view.h"

namespace wick {
namespace {

// Moves rows that show as 0.0% to the end; returns the number of other rows.
size_t count_visible_rows(CostTable& table) {
  constexpr double kShown = 0.0005;
  auto is_visible = [&](const CostRow& row) {
    return std::abs(share(std::max(row.self.weight, row.total.weight), table.all.weight)) >= kShown;
  };
  return static_cast<size_t>(std::ranges::stable_partition(table.rows, is_visible).begin() - table.rows.begin());
}

std::string render_rows(const Report& report, std::optional<size_t> limit, const Style& style) {
  const Profile& profile = *report.view.profile;
  CostTable table = compute_report_table(report);
  size_t rows = limit ? *limit : style.terminal ? kRowsOnATerminal : count_visible_rows(table);
  return render_table(profile, table, unit_of(profile, report.view.selection.event), rows, style);
}

std::string render_branches(const Report& report, std::optional<size_t> limit, const Style& style) {
  TreeViewOptions shape;
  shape.callee = report.callee.name;
  shape.callee_self = report.callee.self.weight;
  shape.limit = limit.value_or(0);
  if (limit == 0u) { shape.least_share = 0; }
  return render_tree(*report.view.profile, compute_report_tree(report), shape, report.view.selection.weight, style);
}

bool shows_code(const ReportQuery& query) {
  bool by_other = query.by == GroupBy::kModule || query.by == GroupBy::kProcess || query.by == GroupBy::kThread;
  return query.kind != ReportKind::kTable || !by_other;
}

// Why rows lack symbols or lines; `wick doctor` explains how to get debug files.
std::string render_lacks(const Report& report, const Style& style) {
  if (!shows_code(report.query)) { return {}; }
  uint64_t all = report.view.selection.count;
  LackText text = describe_lack(Lack::kNames, report.nameless, all), of_lines = describe_lack(Lack::kLines, report.lineless, all);
  text.lines.insert(text.lines.end(), of_lines.lines.begin(), of_lines.lines.end());
  std::vector<std::string>& paths = text.debug_file_paths;
  for (std::string& path : of_lines.debug_file_paths) {
    if (std::ranges::find(paths, path) == paths.end()) { paths.push_back(std::move(path)); }
  }
  std::string doctor = paths.empty() ? "" : "hint: wick doctor";
  for (const std::string& path : paths) { doctor += " " + shell_quote(path); }
  if (!doctor.empty()) { text.lines.push_back(printable(doctor)); }
  std::string out;
  for (const std::string& line : text.lines) { out += paint(style, Paint::kWarning, line) + "\n"; }
  return out;
}

}  // namespace

std::string render_report(const Report& report, std::optional<size_t> limit, const Style& style) {
  const Profile& profile = *report.view.profile;
  const Selection& selection = report.view.selection;
  std::string text = render_heading(profile, selection, report.view.filter, style);
  if (std::string wall = describe_wall(profile); !wall.empty()) { text += wall + "\n"; }
  text += render_lacks(report, style);
  if (report.has_folded_glue) {
    text += paint(style, Paint::kDim, "inlined library code counts toward the containing function (--full shows it separately)");
    text += "\n";
  }
  if (profile.samples().empty()) { return text + "this profile has no samples\n"; }
  if (selection.samples.empty()) { return text + "no samples selected\n"; }
  bool is_table = report.query.kind == ReportKind::kTable;
  if (report.query.kind == ReportKind::kWaits) {
    size_t rows = limit.value_or(style.terminal ? kRowsOnATerminal : 0);
    return text + "\n" + render_waits(profile, selection, compute_report_waits(report), rows, style);
  }
  text += "\n" + (is_table ? render_rows(report, limit, style) : render_branches(report, limit, style));
  if (report.insights) { text += "\n" + render_insights(profile, selection, *report.insights, report.file, style); }
  return text;
}

}  // namespace wick
