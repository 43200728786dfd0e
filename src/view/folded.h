// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Folded stacks of one view or of several, one after another.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "export/folded.h"
#include "export/folded_lines.h"
#include "model/rules.h"
#include "pipeline/load_folded.h"
#include "view/view.h"

namespace wick {

enum class CountWhat : uint8_t { kSamples, kWeights };

struct FoldedQuery {
  FoldedOptions folded{};
  std::string event_filter{};        // show only events of this name, or with this name before the colon
  std::optional<Rules> compat{};     // write lines as another tool does
  std::optional<CountWhat> count{};  // null: chosen by the first profile
  bool fold_runtimes = false;
};

// Reads only what folded stacks need.
Result<View> load_folded(ViewRequest request, const FoldedQuery& query);

// Decides what to count by the first view, if the query does not say.
FoldedOptions choose_folded_options(const View& first, const FoldedQuery& query);

// The events whose samples are added up: the view's own, or those that another tool would take. Empty for both sides of a
// difference, or if there are no events.
Result<std::vector<EventId>> choose_folded_events(const View& view, const FoldedQuery& query);

Status add_view(FoldedStacks& folded, const View& view, std::span<const EventId> events);

// Files of folded stacks whose lines need only be added up and sorted.
struct FoldedFiles {
  std::vector<LoadedFolded> files;  // their text is in `lines`
  FoldedLines lines;
  uint64_t divisor = 1;
};
// Nothing if a file has another format, if there are warnings, or if the query looks at frames: then use the above.
std::optional<FoldedFiles> find_folded_files(const ViewRequest& request, std::span<const std::string> files,
                                             const FoldedQuery& query);

}  // namespace wick
