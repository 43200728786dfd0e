// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A profile, or two to compare, for the viewer's page.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyze/overview.h"
#include "export/viewer_profile.h"
#include "view/diff.h"
#include "view/view.h"
#include "view/viewer_code.h"

namespace wick {

// Holds the page's columns, and what source and assembly need; the loaded profile, several times as large, is gone.
struct ViewerLoad {
  ViewerProfile profile;
  // Source and assembly (JSON) by the page's number of a function; nothing if there is no such function. Null: none.
  std::function<std::optional<std::string>(uint32_t function)> code{};
  std::vector<std::string> warnings{};  // about the files
};

// All events, or the chosen one.
Result<ViewerLoad> load_for_viewer(const ViewRequest& request, const SourcePlaces& source = {});

// Two profiles as one that the page can take apart again. The page compares, so it gets the samples of both sides; costs are
// scaled only if the units differ.
struct ViewerComparison {
  View view;  // of the combined profile
  ViewerNotes notes;
  std::vector<RecordingSummary> sides;  // before, after: each as a profile of its own
  std::shared_ptr<ComparedCode> code;   // by rows of the combined profile's functions
};
Result<ViewerComparison> load_comparison(const DiffRequest& request, const SourcePlaces& source = {});
Result<ViewerLoad> load_comparison_for_viewer(const DiffRequest& request, const SourcePlaces& source = {});

}  // namespace wick
