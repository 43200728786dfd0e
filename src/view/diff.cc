// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/diff.h"

#include "analyze/format.h"
#include "export/diff_folded.h"
#include "pipeline/load_folded.h"

namespace wick {
namespace {

std::string_view unit_name(const View& view) { return unit_of(*view.profile, view.selection.event).name; }

Result<Profile> combine(const Diff& diff, const CombineOptions& options) {
  return combine_profiles(*diff.before.profile, diff.before.selection, *diff.after.profile, diff.after.selection, options);
}

Event event_of(const View& view) { return view.selection.event.valid() ? (*view.profile)[view.selection.event] : Event{}; }

}  // namespace

bool Diff::has_one_unit() const { return unit_name(before) == unit_name(after); }

Result<Diff> load_diff(const DiffRequest& request) {
  auto load = [&](const std::string& file) {
    ViewRequest one = request.view;
    one.files = {file};
    one.named_in_errors = NamedInErrors::kAll;
    // Times are needed to select by them, and to see whether the recordings had different lengths.
    one.import.merge = !one.needs_times() && request.comparison.has_value();
    return load_view(one);
  };
  Diff diff;
  diff.strip_hex = request.strip_hex;
  diff.before_file = request.before;
  WICK_LET(diff.before, load(request.before));
  if (request.only_before_named && diff.before.profile->is_difference()) {
    diff.after_file = request.before;
    diff.after = diff.before;
    for (auto [side, event] : {std::pair(&diff.before, "before"), std::pair(&diff.after, "after")}) {
      Filter filter = side->filter;
      filter.event = event;
      WICK_LET(side->selection, select_samples(*side->profile, filter));
    }
  } else {
    diff.after_file = request.after;
    WICK_LET(diff.after, load(request.after));
  }
  diff.comparison = request.comparison ? *request.comparison : choose_comparison(diff.before_side(), diff.after_side());
  return diff;
}

Result<ComparedRows> compare_rows(const Diff& diff, GroupBy by, SortBy sort) {
  // Different units have only shares to compare, and the costs of `before` mean something only when scaled.
  bool is_scaled = diff.comparison.normalized && !diff.has_one_unit();
  std::vector<std::string> notes;
  WICK_LET(Profile combined, combine(diff, {.normalize = is_scaled, .strip_hex = diff.strip_hex, .notes = &notes}));
  WICK_LET(Sides sides, select_sides(combined));
  DiffTable table = compute_diff(combined, sides, diff.comparison.normalized, by, sort);
  table.notes = std::move(notes);
  return ComparedRows{std::move(combined), std::move(table)};
}

Result<std::string> draw_diff(const Diff& diff, DifferenceHues hues) {
  std::vector<std::string> notes;
  bool normalized = diff.comparison.normalized;
  WICK_LET(Profile combined, combine(diff, {.normalize = normalized, .strip_hex = diff.strip_hex, .notes = &notes}));
  WICK_LET(Sides sides, select_sides(combined));
  FlamegraphOptions options;
  options.changes = normalized ? BoxChanges::kShares : BoxChanges::kCosts;
  for (const std::string& note : notes) { options.notes += (options.notes.empty() ? "" : "; ") + note; }
  options.title = diff.before_file + " -> " + diff.after_file;
  const Filter& filter = diff.before.filter;
  if (!filter.everything()) { options.title += " (" + describe_filter(filter) + ")"; }
  options.hues = hues;
  return flamegraph_svg(combined, sides.both, {}, options);  // what the filter left is all there is
}

Result<std::string> fold_diff(const Diff& diff) {
  bool normalized = diff.comparison.normalized;
  WICK_LET(Profile combined, combine(diff, {.normalize = normalized, .strip_hex = diff.strip_hex, .flat = true}));
  WICK_LET(Sides sides, select_sides(combined));
  // Recordings of ours count samples, as `wick collapse` does; where the two would not count alike, costs.
  bool ours = diff.before.profile->imported_from().empty() && diff.after.profile->imported_from().empty();
  DiffFoldedOptions options;
  options.samples = ours && event_of(diff.before).rate_hz == event_of(diff.after).rate_hz;
  if (normalized) { options.decimals = 2; }
  bool scaled = normalized && sides.before.count > 0 && sides.after.count > 0;
  if (scaled) { options.scale_before = static_cast<double>(sides.after.count) / static_cast<double>(sides.before.count); }
  std::string text;
  write_diff_folded(combined, sides, options, [&](std::string_view piece) {
    text += piece;
    return true;
  });
  return text;
}

bool join_folded_files(const std::string& before, const std::string& after, const Reader* reader, bool strip_hex,
                       const std::function<bool(std::string_view)>& sink) {
  std::optional<LoadedFolded> one = find_folded_text(before, reader);
  std::optional<LoadedFolded> other = one ? find_folded_text(after, reader) : std::nullopt;
  if (!other || one->text.divisor != other->text.divisor) { return false; }
  if (!one->text.warnings.empty() || !other->text.warnings.empty()) { return false; }
  return write_diff_folded(one->text.rows, other->text.rows, one->text.divisor, strip_hex, sink);
}

}  // namespace wick
