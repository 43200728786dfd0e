// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/report.h"

#include "analyze/library_glue.h"
#include "analyze/runtime_frames.h"
#include "base/text.h"
#include "export/report_json.h"
#include "view/draft.h"

namespace wick {

Result<Report> load_report(ViewRequest request, const ReportQuery& query) {
  bool is_table = query.kind == ReportKind::kTable;
  bool by_source = is_table && (query.by == GroupBy::kFile || query.by == GroupBy::kLine);
  request.import.functions_only = !by_source && !query.insights;
  bool is_waits = query.kind == ReportKind::kWaits;
  request.import.merge_many = !request.needs_times() && !is_waits;
  WICK_LET(Draft draft, load_draft(request));
  if (is_waits && request.filter.event.empty()) {
    EventId waits = find_wait_event(draft.profile);
    if (!waits.valid()) {
      return Error("%s: it was not recorded where threads wait", request.files[0].c_str()).with_hint("wick record --wall -- CMD");
    }
    WICK_LET(draft.selection, select_samples(draft.profile, draft.filter, waits));
  }
  Report report{{}, query, {query.callee, {}, {}}};
  if (request.files[0] != "profile.wick") { report.file = shell_quote(request.files[0]); }
  if (query.kind == ReportKind::kCallers && !draft.selection.samples.empty()) {
    Result<FoundFunction> found = find_function(draft.profile, draft.selection, query.callee);
    if (!found.ok()) { return for_file(std::move(found).error(), request); }
    report.callee = *std::move(found);
  }
  if (!is_table && query.fold_runtimes) {
    draft.profile = fold_runtime_frames(std::move(draft.profile), report.callee.functions);
  }
  // Before frames are folded: they show symptoms.
  if (query.insights) { report.insights = compute_insights(draft.profile, draft.selection); }
  if (query.find_lacks) { report.nameless = compute_nameless(draft.profile, draft.selection); }
  if (query.find_lacks && by_source) { report.lineless = compute_lineless(draft.profile, draft.selection); }
  if (is_table && query.by == GroupBy::kFunction && query.fold_library_glue) {
    GlueFolded folded = fold_library_glue(std::move(draft.profile));
    draft.profile = std::move(folded.profile);
    report.has_folded_glue = folded.any;
  }
  report.view = finish(std::move(draft));
  return report;
}

CostTable compute_report_table(const Report& report) {
  return compute_table(*report.view.profile, report.view.selection, report.query.by, report.query.sort);
}

CallTree compute_report_tree(const Report& report) {
  const Profile& profile = *report.view.profile;
  const Selection& selection = report.view.selection;
  return report.query.kind == ReportKind::kTree ? compute_call_tree(profile, selection, group_by_process_name(profile, selection))
                                                : compute_callers(profile, selection, report.callee.functions);
}

std::vector<WaitRow> compute_report_waits(const Report& report) {
  return compute_waits(*report.view.profile, report.view.selection);
}

std::string report_json(const Report& report, size_t limit) {
  const Profile& profile = *report.view.profile;
  const Selection& selection = report.view.selection;
  const Insights* insights = report.insights ? &*report.insights : nullptr;
  switch (report.query.kind) {
    case ReportKind::kTable: return table_json(profile, selection, compute_report_table(report), limit, insights);
    case ReportKind::kWaits: return waits_json(profile, selection, compute_report_waits(report), limit);
    case ReportKind::kTree: return tree_json(profile, selection, compute_report_tree(report), limit, insights);
    case ReportKind::kCallers: return callers_json(profile, selection, compute_report_tree(report), report.callee, limit, insights);
  }
  return {};
}

}  // namespace wick
