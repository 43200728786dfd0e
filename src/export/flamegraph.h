// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The flame graph: one SVG file that needs nothing else. It holds a still picture (for viewers without scripts, printers, README
// files) and the same tree as compact data with a script (flamegraph.js) that draws it anew: zoom, search, hover, keyboard, any
// width.

#include <string>

#include "analyze/selection.h"

namespace wick {

struct FlamegraphOptions {
  std::string title{};  // empty: the command
  int width = 0;        // pixels; 0: as wide as the window
};

std::string flamegraph_svg(const Profile& profile, const Selection& selection, const Filter& filter,
                           const FlamegraphOptions& options);

}  // namespace wick
