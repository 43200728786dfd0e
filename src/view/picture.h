// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A flame graph of a view.

#include <string>
#include <vector>

#include "export/flamegraph.h"
#include "view/view.h"

namespace wick {

struct PictureQuery {
  FlamegraphOptions picture{};
  std::vector<std::string> bases{};  // show only stacks with one of these functions, from there on
  bool fold_runtimes = false;
  bool counts_as_folded = false;  // numbers of a recording as in its folded stacks: samples, not their time
};

// Reads only what the flame graph needs, and applies the other members of the query.
Result<View> load_picture(ViewRequest request, const PictureQuery& query);

// The message if FlamegraphOptions::total is smaller than the total of the samples and so is ignored; else empty.
std::string describe_small_total(const View& view, const FlamegraphOptions& picture);

// `picture`: of the query. A palette map in it gets the colors of new functions.
std::string draw_picture(const View& view, const FlamegraphOptions& picture);

}  // namespace wick
