// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which box of a flame graph has which color, the style sheet for that, and what the legend says of it. A color is either a
// class, whose look follows the theme, or fixed ("#rrggbb").

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/flame_tree.h"
#include "export/flamegraph.h"

namespace wick {

struct LegendItem {
  std::string text;
  std::string color;   // class or "#rrggbb"
  double share = -1;   // of the whole; below zero: says nothing
  bool faint = false;  // as inlined boxes are
  bool gone = false;   // as boxes are that were only there before
};

class FlamePaint {
 public:
  // `before`: of a difference; `selection` is the later profile then.
  FlamePaint(const Profile& profile, const FlameTree& tree, const Selection& selection, const Selection* before,
             const FlamegraphOptions& options);

  // A row of colors().
  size_t color_of(const FlameNode& node) const;
  const std::vector<std::string>& colors() const { return colors_; }
  const std::vector<LegendItem>& legend() const { return legend_; }
  bool inlined_are_pale() const { return pale_; }
  // Why a box of a difference has a color.
  enum class Mark : uint8_t {
    kNone,     // it has none
    kOwn,      // it changed: the function's own cost, or all of a box that is new or gone
    kCarried,  // only what it calls changed: the palest step
  };
  Mark change_mark(const FlameNode& node) const;
  // The largest change of such a box, on which colors depend. In parts of the weights' unit.
  int64_t largest_change() const { return largest_change_; }

  // The look of everything that the theme decides, for the inside of <style>.
  std::string style() const;

 private:
  void paint_by_kind();
  void paint_by_palette();
  void paint_differences(const Selection* before);
  void find_marks(const Selection& before);
  unsigned kind_class(const FlameNode& node) const;
  std::string classes(Theme theme) const;

  const Profile& profile_;
  const FlameTree& tree_;
  const Selection& selection_;
  const FlamegraphOptions& options_;
  bool difference_ = false, pale_ = false;
  std::vector<std::string> colors_;
  std::vector<size_t> of_function_, of_group_;
  std::vector<LegendItem> legend_;
  std::vector<Mark> marks_;  // of each box, where noise has no color
  int64_t largest_change_ = 0;
};

// Of everything in this box.
int64_t total_change(const FlameNode& node);
// What changed in this box: what its function used itself; all of it where the box is new or gone.
int64_t box_change(const FlameNode& node);
bool box_is_gone(const FlameNode& node);

// Steps of the scales; the script knows them too.
constexpr int kChangeSteps = 8, kWidthSteps = 15;
// The look of a change, -kChangeSteps (shrank) to +kChangeSteps (grew), and of a width, 0 to kWidthSteps.
Rgb change_color(int step, DifferenceHues hues, Theme theme);
Rgb width_color(int step, Theme theme);

// Inlined wherever it was called, as the profile knows or as is written behind the name.
bool box_is_inlined(const Profile& profile, const FlameNode& node);

// 'k' for the kernel's and so on: as written behind the name, or as the profile knows it.
char mark_of(const Profile& profile, const FlameNode& node);

}  // namespace wick
