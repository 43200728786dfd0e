// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/viewer.h"

#include <utility>

#include "analyze/diff_profile.h"
#include "base/text.h"
#include "view/exported.h"

namespace wick {
namespace {

Result<ViewerLoad> make_load(const View& view, const ViewerNotes& notes) {
  const ExportFormat* html = find_export_format("html");
  WICK_ASSERT(html != nullptr, "the viewer's page is an export format");
  WICK_LET(ExportView exported, choose_exported(view, *html));
  return ViewerLoad{.profile = ViewerProfile(exported, notes), .warnings = view.warnings()};
}

}  // namespace

Result<ViewerLoad> load_for_viewer(const ViewRequest& request, const SourcePlaces& source) {
  WICK_LET(View view, load_view(request));
  Result<ViewerLoad> made = make_load(view, {.files = request.files, .has_source = true});
  if (!made.ok()) { return for_file(std::move(made).error(), request); }
  std::vector<FunctionId> functions;
  for (uint32_t row : made->profile.functions()) { functions.push_back({row}); }
  auto code = std::make_shared<ViewerCode>(*view.profile, functions, code_options(request, source));
  made->code = [code, count = functions.size()](uint32_t function) {
    return function < count ? std::optional(code_json(code->read(function))) : std::nullopt;
  };
  return made;
}

Result<ViewerComparison> load_comparison(const DiffRequest& request, const SourcePlaces& source) {
  DiffRequest with_times = request;
  with_times.view.keep_times = true;
  ViewerComparison out;
  {
    WICK_LET(Diff diff, load_diff(with_times));
    CombineOptions options{.normalize = !diff.has_one_unit(), .strip_hex = diff.strip_hex, .keep_samples = true};
    std::vector<CombinedFunction> functions;
    options.functions = &functions;
    options.notes = &out.notes.notes;
    options.own_names = &out.notes.own_names;
    WICK_LET(Profile combined,
             combine_profiles(*diff.before.profile, diff.before.selection, *diff.after.profile, diff.after.selection, options));
    if (options.normalize) { out.notes.notes.push_back("the units differ: costs before are scaled to the total after"); }
    if (!diff.after.filter.everything()) { out.notes.notes.push_back("selected samples: " + describe_filter(diff.after.filter)); }
    for (const View* side : {&diff.before, &diff.after}) {
      out.sides.push_back(summarize_recording(*side->profile, side->selection.event));
    }
    out.notes.files = out.notes.sides = {diff.before_file, diff.after_file};
    out.notes.has_source = true;
    out.code =
        std::make_shared<ComparedCode>(*diff.before.profile, *diff.after.profile, functions, code_options(request.view, source));
    out.view.profile = std::make_shared<const Profile>(std::move(combined));
  }
  WICK_LET(out.view.selection, select_samples(*out.view.profile, out.view.filter));
  return out;
}

Result<ViewerLoad> load_comparison_for_viewer(const DiffRequest& request, const SourcePlaces& source) {
  WICK_LET(ViewerComparison comparison, load_comparison(request, source));
  WICK_LET(ViewerLoad made, make_load(comparison.view, comparison.notes));
  made.code = [code = comparison.code, rows = made.profile.functions()](uint32_t function) {
    return function < rows.size() ? std::optional(code->json(rows[function])) : std::nullopt;
  };
  return made;
}

}  // namespace wick
