// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "term/jump_arrows.h"

#include <algorithm>
#include <map>

namespace wick {
namespace {

struct Arrow {
  size_t first, last;        // rows
  std::vector<size_t> from;  // rows that jump
  size_t to;
  size_t lane = 0;  // counted from the right
};

// Jumps to the same row share an arrow.
std::vector<Arrow> merge(const std::vector<std::pair<size_t, size_t>>& jumps) {
  std::map<size_t, Arrow> by_target;
  for (const auto& [from, to] : jumps) {
    if (from == to) { continue; }
    Arrow& arrow = by_target.try_emplace(to, Arrow{to, to, {}, to}).first->second;
    arrow.first = std::min(arrow.first, from);
    arrow.last = std::max(arrow.last, from);
    arrow.from.push_back(from);
  }
  std::vector<Arrow> out;
  for (auto& [to, arrow] : by_target) {
    std::sort(arrow.from.begin(), arrow.from.end());
    out.push_back(std::move(arrow));
  }
  return out;
}

// Arrows side by side in a lane do not overlap.
class Lane {
 public:
  bool take(const Arrow& arrow) {
    auto next = taken_.lower_bound(arrow.first);
    if (next != taken_.end() && next->second <= arrow.last) { return false; }
    taken_.emplace(arrow.last, arrow.first);
    return true;
  }

 private:
  std::map<size_t, size_t> taken_;  // last and first rows
};

}  // namespace

std::vector<std::string> draw_jumps(size_t rows, const std::vector<std::pair<size_t, size_t>>& jumps, size_t most_lanes,
                                    bool unicode) {
  std::vector<Arrow> arrows = merge(jumps);
  std::stable_sort(arrows.begin(), arrows.end(),
                   [](const Arrow& a, const Arrow& b) { return a.last - a.first < b.last - b.first; });
  std::vector<Arrow> drawn;
  std::vector<Lane> all_lanes(most_lanes);
  size_t lanes = 0;
  for (Arrow& arrow : arrows) {
    while (arrow.lane < most_lanes && !all_lanes[arrow.lane].take(arrow)) { ++arrow.lane; }
    if (arrow.lane == most_lanes) { continue; }
    lanes = std::max(lanes, arrow.lane + 1);
    drawn.push_back(std::move(arrow));
  }
  std::vector<std::string> out(rows);
  if (lanes == 0) { return out; }
  // A cell per lane, and one for the arrow's head.
  enum Part : uint8_t { kEmpty, kAcross, kDown, kTop, kBottom, kJoin, kHead };
  std::vector<std::vector<Part>> cells(rows, std::vector<Part>(lanes + 1, kEmpty));
  for (const Arrow& arrow : drawn) {
    size_t column = lanes - 1 - arrow.lane;
    for (size_t row = arrow.first; row <= arrow.last && row < rows; ++row) {
      bool is_end = row == arrow.to || std::binary_search(arrow.from.begin(), arrow.from.end(), row);
      Part& here = cells[row][column];
      here = !is_end ? kDown : row == arrow.first ? kTop : row == arrow.last ? kBottom : kJoin;
      if (!is_end) { continue; }
      for (size_t c = column + 1; c <= lanes; ++c) {
        if (cells[row][c] == kEmpty) { cells[row][c] = kAcross; }
      }
      if (row == arrow.to) { cells[row][lanes] = kHead; }
    }
  }
  static constexpr const char* kUnicode[] = {" ", "─", "│", "╭", "╰", "├", "▸"};
  static constexpr const char* kAscii[] = {" ", "-", "|", "+", "+", "+", ">"};
  for (size_t row = 0; row < rows; ++row) {
    for (Part cell : cells[row]) { out[row] += unicode ? kUnicode[cell] : kAscii[cell]; }
  }
  return out;
}

}  // namespace wick
