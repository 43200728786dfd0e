// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/flame_layout.h"

#include <algorithm>

#include "analyze/format.h"

namespace wick {

FlameLayout compute_flame_layout(const CallTree& tree, double least_width) {
  FlameLayout out;
  const std::vector<CallNode>& nodes = tree.nodes;
  int64_t whole = nodes[0].total.weight;
  if (whole <= 0) { return out; }
  std::vector<FlameBox> todo = {{0, 0, 1}}, children;
  while (!todo.empty()) {
    FlameBox box = todo.back();
    todo.pop_back();
    out.boxes.push_back(box);
    out.levels = std::max(out.levels, nodes[box.node].depth + 1);
    double x = box.x;
    children.clear();
    for (uint32_t c = nodes[box.node].first_child; c != CallNode::kNone; c = nodes[c].next_sibling) {
      double width = share(std::max<int64_t>(nodes[c].total.weight, 0), whole);
      if (width >= least_width && width > 0) { children.push_back({c, x, width}); }
      x += width;
    }
    todo.insert(todo.end(), children.rbegin(), children.rend());
  }
  out.left_out = nodes.size() - out.boxes.size();
  return out;
}

}  // namespace wick
