// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analyze/call_tree.h"

namespace wick {

// A node of the tree as a box: x and width as shares of the whole, 0..1.
struct FlameBox {
  uint32_t node = 0;
  double x = 0, width = 0;
};

struct FlameLayout {
  std::vector<FlameBox> boxes;  // depth first, a caller before its callees, siblings from left to right
  uint32_t levels = 0;          // of the boxes
  uint64_t left_out = 0;        // nodes narrower than asked for
};

// A node is as wide as its total cost and stands over its caller, its callees side by side from the left; what the caller used
// itself remains free at the right. Nodes narrower than `least_width` are left out with all that they called: nothing else moves.
FlameLayout compute_flame_layout(const CallTree& tree, double least_width);

}  // namespace wick
