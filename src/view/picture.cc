// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/picture.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyze/combine.h"
#include "analyze/format.h"
#include "analyze/round_counts.h"
#include "analyze/runtime_frames.h"
#include "base/text.h"
#include "export/folded.h"
#include "model/profile_builder.h"
#include "view/draft.h"

namespace wick {
namespace {

// The smallest share of a visible frame. Readers may skip smaller ones if nothing else is shown of them; otherwise 0.
double least_share(const ViewRequest& request, const PictureQuery& query) {
  const FlamegraphOptions& picture = query.picture;
  const Filter& filter = request.filter;
  bool boxes_only = !picture.reverse && !picture.chart && !picture.by_thread && !query.fold_runtimes &&
                    picture.order != SiblingOrder::kInput && query.bases.empty() && !request.needs_times() &&
                    filter.focus.empty() && filter.ignore.empty() && request.files.size() == 1;
  return boxes_only ? 0.99 * flamegraph_least_share(picture) : 0;
}

// The counts of the lines that `wick collapse` writes, one per thread name and functions of the stack, by sample.
std::vector<uint64_t> count_lines(const Profile& profile, const std::vector<bool>& is_selected, uint64_t period) {
  std::vector<FunctionId> same = compute_same_functions(profile, Sameness::kName);
  std::unordered_map<uint64_t, uint32_t> path_ids, line_ids;
  std::vector<uint32_t> path_of;  // by stack; callers come first
  auto number = [](auto& ids, uint32_t a, uint32_t b) {
    return ids.try_emplace(uint64_t{a} << 32 | b, static_cast<uint32_t>(ids.size() + 1)).first->second;
  };
  for (const Stack& stack : profile.stacks()) {
    uint32_t caller = stack.caller.valid() ? path_of[stack.caller.value] : 0;
    path_of.push_back(number(path_ids, caller, same[profile[stack.frame].function.value].value));
  }
  std::vector<Cost> lines;
  std::vector<uint32_t> line_of(profile.samples().size());
  for (size_t row = 0; row < line_of.size(); ++row) {
    const Sample& s = profile.samples()[row];
    if (!is_selected[row]) { continue; }
    uint32_t path = s.stack.valid() ? path_of[s.stack.value] : 0;
    line_of[row] = number(line_ids, profile[s.thread].name.value, path) - 1;
    lines.resize(line_ids.size());
    lines[line_of[row]] += Cost{std::max<int64_t>(s.weight, 0), s.count};
  }
  std::vector<uint64_t> of_lines = round_counts(lines, period), counts(line_of.size()), given(lines.size());
  std::vector<int64_t> weights(lines.size());
  for (size_t row = 0; row < line_of.size(); ++row) {
    if (!is_selected[row]) { continue; }
    uint32_t line = line_of[row];
    weights[line] += std::max<int64_t>(profile.samples()[row].weight, 0);
    double part = share(weights[line], std::max<int64_t>(lines[line].weight, 1));
    auto upto =
        weights[line] == lines[line].weight ? of_lines[line] : static_cast<uint64_t>(part * static_cast<double>(of_lines[line]));
    upto = std::max(upto, given[line]);
    counts[row] = upto - std::exchange(given[line], upto);
  }
  return counts;
}

// Gives the selected samples the counts that `wick collapse` writes.
Status count_as_folded(Draft& draft) {
  EventId event = draft.selection.event;
  if (!event.valid() || folded_by_weights(draft.profile)) { return ok_status(); }
  uint64_t period = folded_period(draft.profile, event);
  std::vector<bool> is_selected(draft.profile.samples().size());
  for (uint32_t row : draft.selection.samples) { is_selected[row] = true; }
  ProfileBuilder b(std::move(draft.profile));
  b.set_unit(event, "samples");
  std::vector<uint64_t> counts;
  if (period != 0) { counts = count_lines(b.so_far(), is_selected, period); }
  size_t row = 0;
  b.change_samples([&](Sample& s) {
    size_t at = row++;
    if (!is_selected[at]) { return s.event != event; }
    uint64_t count = period != 0 ? counts[at] : s.count;
    s.count = count;
    s.weight = static_cast<int64_t>(count);
    return count > 0;
  });
  draft.profile = std::move(b).build();
  WICK_LET(draft.selection, select_samples(draft.profile, draft.filter, event));
  return ok_status();
}

}  // namespace

Result<View> load_picture(ViewRequest request, const PictureQuery& query) {
  const FlamegraphOptions& picture = query.picture;
  request.import.merge = !request.needs_times() && !picture.chart;
  request.import.functions_only = true;
  request.import.least_share = least_share(request, query);
  WICK_LET(Draft draft, load_draft(request));
  if (query.counts_as_folded) { WICK_OK(count_as_folded(draft)); }
  if (picture.painting == Painting::kPalette && picture.palette == NamedPalette::kChain) {
    draft.profile = mark_wakers(std::move(draft.profile));
  }
  if (!query.bases.empty()) {
    draft.profile = cut_to_base(std::move(draft.profile), query.bases);
    WICK_LET(draft.selection, select_samples(draft.profile, draft.filter));
  }
  if (query.fold_runtimes) { draft.profile = fold_runtime_frames(std::move(draft.profile)); }
  return finish(std::move(draft));
}

std::string describe_small_total(const View& view, const FlamegraphOptions& picture) {
  const Selection& selection = view.selection;
  if (picture.total <= 0 || !selection.event.valid()) { return {}; }
  double divisor = static_cast<double>(unit_of(*view.profile, selection.event).divisor);
  double all = static_cast<double>(selection.weight) / divisor * picture.factor;
  if (all <= picture.total) { return {}; }
  return strf("%.15g, less than the actual total of %.15g", picture.total, all);
}

std::string draw_picture(const View& view, const FlamegraphOptions& picture) {
  return flamegraph_svg(*view.profile, view.selection, view.filter, picture);
}

}  // namespace wick
