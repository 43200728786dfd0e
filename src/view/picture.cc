// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/picture.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyze/combine.h"
#include "analyze/format.h"
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

// Gives the selected samples the counts that `wick collapse` writes. A line's count is rounded, so it is distributed over the
// samples of its thread name and stack.
Status count_as_folded(Draft& draft) {
  EventId event = draft.selection.event;
  if (!event.valid() || folded_by_weights(draft.profile)) { return ok_status(); }
  uint64_t period = event == EventId{0} ? folded_period(draft.profile) : 0;
  std::vector<bool> is_selected(draft.profile.samples().size());
  for (uint32_t row : draft.selection.samples) { is_selected[row] = true; }
  ProfileBuilder b(std::move(draft.profile));
  b.set_unit(event, "samples");
  struct Line {
    uint64_t weight = 0, counted = 0;
  };
  std::unordered_map<uint64_t, Line> lines;
  size_t row = 0;
  b.change_samples([&](Sample& s) {
    if (!is_selected[row++]) { return s.event != event; }
    uint64_t count = s.count;
    if (period != 0) {
      Line& line = lines[uint64_t{b.so_far()[s.thread].name.value} << 32 | s.stack.value];
      line.weight += static_cast<uint64_t>(std::max<int64_t>(s.weight, 0));
      uint64_t rounded = std::max<uint64_t>(1, (line.weight + period / 2) / period);
      count = rounded - std::exchange(line.counted, rounded);
    }
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
