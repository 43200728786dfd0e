// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A report: a table of functions (modules, lines, threads, …), a call tree, or the callers of a function.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analyze/call_tree.h"
#include "analyze/find_function.h"
#include "analyze/function_table.h"
#include "analyze/insights.h"
#include "analyze/waits.h"
#include "view/nameless.h"
#include "view/view.h"

namespace wick {

enum class ReportKind : uint8_t { kTable, kTree, kCallers, kWaits };

struct ReportQuery {
  ReportKind kind = ReportKind::kTable;
  std::string callee{};             // kCallers: the function, as find_function understands it
  GroupBy by = GroupBy::kFunction;  // kTable
  SortBy sort = SortBy::kSelf;      // kTable
  bool fold_runtimes = false;       // kTree, kCallers (analyze/runtime_frames.h)
  bool fold_library_glue = false;   // kTable by function (analyze/library_glue.h)
  bool find_lacks = false;          // fill in Report::nameless and lineless
  bool insights = false;            // fill in Report::insights
};

struct Report {
  View view;
  ReportQuery query;
  FoundFunction callee{};               // kCallers; no functions if no samples are selected
  std::vector<LackingFile> nameless{};  // files whose samples lack symbols
  std::vector<LackingFile> lineless{};  // by file or line: files whose samples have symbols but no lines
  std::optional<Insights> insights{};   // functions and files are rows of the view's profile
  std::string file{};                   // for hints: the quoted argument; empty for the default
  bool has_folded_glue = false;         // inlined library code is counted to the function that contains it
};

// Reads only what the report needs.
Result<Report> load_report(ViewRequest request, const ReportQuery& query);

// For kTable, for kTree and kCallers, and for kWaits.
CostTable compute_report_table(const Report& report);
CallTree compute_report_tree(const Report& report);
std::vector<WaitRow> compute_report_waits(const Report& report);

// docs/report-json.md; at most `limit` rows, or children of a node (0: all).
std::string report_json(const Report& report, size_t limit);

}  // namespace wick
