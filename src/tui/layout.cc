// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "tui/layout.h"

#include <algorithm>
#include <cmath>

#include "analyze/format.h"
#include "base/text.h"
#include "base/utf8.h"

namespace wick::tui {

const char* view_name(ViewKind view) {
  switch (view) {
    case ViewKind::kFlame: return "Flame";
    case ViewKind::kThreads: return "Threads";
    case ViewKind::kTree: return "Tree";
    case ViewKind::kFunctions: return "Functions";
    case ViewKind::kAround: return "Callers";
    case ViewKind::kCode: return "Source";
    case ViewKind::kQuality: return "Recording";
  }
  return "";
}

std::string describe_query(const State& state, const Data& data) {
  const Query& q = state.query;
  const Profile& p = data.profile();
  std::string out = describe_filter(data.source().view.filter);
  auto add = [&](const std::string& part) { out += (out.empty() ? "" : ", ") + part; };
  if (!q.threads.empty()) { add(data.describe_threads(q.threads)); }
  auto seconds = [](uint64_t ns) { return strf("%.3f", static_cast<double>(ns) / 1e9); };
  if (!q.all_times()) { add(seconds(q.begin_ns) + "-" + (q.end_ns == UINT64_MAX ? "" : seconds(q.end_ns)) + " s"); }
  for (const Transform& t : q.transforms) { add(describe_transform(p, t)); }
  return out;
}

Layout lay_out(const State& state, const Data& data, Size size) {
  Layout out;
  int top = 0, bottom = size.height;
  if (size.height >= 2) { out.status = --bottom; }
  if (size.height >= 4) { out.tabs = top++; }
  if (size.height >= 8) { out.about = top++; }
  if (size.height >= 6 && state.mode != Mode::kHelp && !describe_query(state, data).empty()) { out.query = top++; }
  bool has_titles = state.mode != Mode::kHelp && state.view != ViewKind::kQuality;
  if (has_titles && bottom - top >= 3) { out.titles = top++; }
  out.body = top;
  out.body_rows = std::max(bottom - top, 0);
  return out;
}

std::array<Tab, kViews> lay_out_tabs(const State& state, int width) {
  std::array<Tab, kViews> tabs;
  for (bool is_short : {false, true}) {
    int x = 0;
    for (size_t i = 0; i < kViews; ++i) {
      auto view = static_cast<ViewKind>(i);
      std::string name = is_short && view != state.view ? "" : std::string(" ") + view_name(view);
      tabs[i].text = strf(" %zu%s ", i + 1, name.c_str());
      tabs[i].begin = x;
      tabs[i].end = x += static_cast<int>(tabs[i].text.size());
    }
    if (x <= width) { break; }
  }
  return tabs;
}

std::vector<Box> lay_out_boxes(const Tree& tree, uint32_t zoom, int width) {
  std::vector<Box> boxes;
  if (tree.nodes.empty() || zoom >= tree.nodes.size() || width <= 0) { return boxes; }
  std::vector<uint32_t> callers;
  for (uint32_t at = tree.nodes[zoom].parent; at != Tree::kNone; at = tree.nodes[at].parent) { callers.push_back(at); }
  int level = 0;
  for (size_t i = callers.size(); i-- > 0;) { boxes.push_back({callers[i], level++, 0, width}); }
  const FlameNode& top = tree.nodes[zoom];
  double scale = top.width > 0 ? width / static_cast<double>(top.width) : 0;
  auto column = [&](int64_t x) {
    return std::clamp(static_cast<int>(std::lround(static_cast<double>(x - top.x) * scale)), 0, width);
  };
  boxes.push_back({zoom, level, 0, width});
  for (uint32_t i = zoom + 1; i < tree.end[zoom];) {
    const FlameNode& n = tree.nodes[i];
    int depth = level + static_cast<int>(n.depth - top.depth);
    int begin = column(n.x), end = column(n.x + n.width);
    if (end > begin) {
      boxes.push_back({i, depth, begin, end});
      ++i;
      continue;
    }
    // Narrow siblings together may cover columns: the reader sees that something is there.
    int64_t until = n.x + n.width;
    uint32_t next = tree.end[i];
    while (next < tree.end[n.parent]) {
      const FlameNode& s = tree.nodes[next];
      if (column(s.x + s.width) > column(s.x)) { break; }
      until = s.x + s.width;
      next = tree.end[next];
    }
    if (column(until) > begin) { boxes.push_back({Tree::kNone, depth, begin, column(until)}); }
    i = next;
  }
  return boxes;
}

int label_width(int width) { return width >= 60 ? std::clamp(width / 4, 16, 36) : width >= 24 ? 12 : 0; }

}  // namespace wick::tui
