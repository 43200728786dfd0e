// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/record_insights.h"

#include <algorithm>

#include "analyze/format.h"
#include "base/text.h"
#include "term/insights_view.h"
#include "view/report.h"

namespace wick {
namespace {

constexpr uint64_t kQuicklyReadBytes = 4'000'000;  // about 400,000 samples
constexpr size_t kMostLines = 2;

// Twice the share from which on `wick report --insights` shows it.
bool is_large(const Insight& found) { return found.share >= std::min(2 * found.rule->least_share, 0.8); }

}  // namespace

std::vector<std::string> describe_recorded_insights(const std::string& file, uint64_t file_bytes, const Style& style) {
  if (file_bytes == 0 || file_bytes > kQuicklyReadBytes) { return {}; }
  ReportQuery query;
  query.insights = true;
  Result<Report> report = load_report({.files = {file}}, query);
  if (!report.ok() || !report->insights) { return {}; }
  std::vector<std::string> lines;
  for (const Insight& found : report->insights->found) {
    if (lines.size() == kMostLines || found.rule->sure == Sure::kGuess || !is_large(found)) { continue; }
    std::string line = "insight: " + format_percent(found.share) + " " + std::string(found.rule->title);
    if (!found.where.empty()) { line += ", in " + describe_place(*report->view.profile, found.where[0], style); }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace wick
