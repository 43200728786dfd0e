// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/picture.h"

#include "analyze/combine.h"
#include "analyze/format.h"
#include "analyze/runtime_frames.h"
#include "base/text.h"
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

}  // namespace

Result<View> load_picture(ViewRequest request, const PictureQuery& query) {
  const FlamegraphOptions& picture = query.picture;
  request.import.merge = !request.needs_times() && !picture.chart;
  request.import.functions_only = true;
  request.import.least_share = least_share(request, query);
  WICK_LET(Draft draft, load_draft(request));
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
