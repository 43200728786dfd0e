// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/exported.h"

namespace wick {
namespace {

Result<std::vector<Selection>> select_events(const View& view, const ExportFormat& format) {
  const Profile& profile = *view.profile;
  bool event_is_chosen = !view.filter.event.empty();
  if (format.two_counts && profile.is_difference() && profile.events().size() == 2 && !event_is_chosen) {
    WICK_LET(Selection before, select_samples(profile, view.filter, EventId{0}));
    WICK_LET(Selection after, select_samples(profile, view.filter, EventId{1}));
    return std::vector<Selection>{std::move(before), std::move(after)};
  }
  std::vector<Selection> out = {view.selection};
  if (event_is_chosen || !format.has_place_for(kCarriesEvents)) { return out; }
  for (uint32_t i = 0; i < profile.events().size(); ++i) {
    if (EventId{i} == view.selection.event) { continue; }
    WICK_LET(Selection other, select_samples(profile, view.filter, EventId{i}));
    if (!other.samples.empty()) { out.push_back(std::move(other)); }
  }
  return out;
}

}  // namespace

Result<View> load_exported(ViewRequest request, const ExportFormat& format) {
  request.import.merge = !request.needs_times() && format.adds_up;
  return load_view(request);
}

Result<ExportView> choose_exported(const View& view, const ExportFormat& format) {
  WICK_LET(std::vector<Selection> selections, select_events(view, format));
  ExportView exported{*view.profile, view.filter, std::move(selections)};
  WICK_OK(check_export_size(format, exported));
  return exported;
}

}  // namespace wick
