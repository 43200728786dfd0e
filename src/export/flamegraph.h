// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The flame graph: one SVG file that needs nothing else. It holds a still picture (for viewers without scripts, printers, README
// files) and the same tree as compact data with a script (flamegraph.js) that draws it anew: zoom, search, hover, keyboard, any
// width, upside down, from the leaves.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyze/flame_tree.h"
#include "analyze/palette.h"
#include "analyze/selection.h"

namespace wick {

// How boxes get their colors.
enum class Painting : uint8_t {
  kKind,     // by the kind of code (analyze/color.h)
  kPalette,  // from a named palette
  kWidth,    // the wider the redder
};
// Where in a palette's range a function's color lies.
enum class PaletteDraw : uint8_t { kName, kLetters, kRandom };
enum class DifferenceHues : uint8_t { kRedBlue, kBlueOrange };
// Which boxes of a difference have a color: all that changed, or only those whose cost, or share, changed by more than noise
// explains (analyze/diff_noise.h).
enum class BoxChanges : uint8_t { kAll, kCosts, kShares };

// Colors that functions had in other pictures, "rgb(r,g,b)" by name. New ones are added.
using PaletteMap = std::map<std::string, std::string>;

// What to do with the boxes of one function: SVG attributes by name (href, target, title, class).
using NameAttributes = std::map<std::string, std::map<std::string, std::string>>;

struct FlamegraphOptions {
  // Texts
  std::string title{};       // empty: the command, or what kind of picture it is
  std::string subtitle{};    // a line more
  std::string notes{};       // a comment in the file, and a line
  std::string count_name{};  // what weights count; empty: as the profile says
  std::string name_type{};   // what boxes stand for, told before the name when pointing at one
  double factor = 1;         // numbers are shown multiplied by it

  // Size
  int width = 0;                             // pixels; 0: as wide as the window
  int row = 18;                              // pixels from one level to the next
  double least_px = 0.1, least_percent = 0;  // boxes under both are left out
  std::string font{};                        // a CSS font family; empty: a monospace one
  double font_size = 12, font_width = 0.59;  // the latter: a character's share of the size, where `font` is given

  // Tree
  bool reverse = false, inverted = false, chart = false, by_thread = false;
  SiblingOrder order = SiblingOrder::kCost;
  double total = 0;  // what the full width stands for; 0: all samples

  // Colors; texts are CSS colors, checked by whoever sets them
  Painting painting = Painting::kKind;
  NamedPalette palette = NamedPalette::kHot;
  PaletteDraw draw = PaletteDraw::kName;
  PaletteMap* palette_map = nullptr;
  DifferenceHues hues = DifferenceHues::kRedBlue;
  BoxChanges changes = BoxChanges::kAll;
  bool negate = false;                              // swaps the hues of a difference
  std::optional<std::pair<Rgb, Rgb>> background{};  // from the top to the bottom; nothing: of the theme
  std::string search_color{}, stroke_color{}, ui_color{};
  bool cut_names_right = false;  // names that do not fit lose their end, nothing else

  // File
  std::string encoding{};  // empty: UTF-8; all others get characters beyond ASCII as references
  bool script = true, indent = false;
  NameAttributes attributes{};
};

// The share of the whole below which a box is left out.
double flamegraph_least_share(const FlamegraphOptions& options);

// A profile that is a difference (Profile::is_difference) is drawn as one: both of its events, whatever `selection` is about;
// the filter counts for both.
std::string flamegraph_svg(const Profile& profile, const Selection& selection, const Filter& filter,
                           const FlamegraphOptions& options = {});

}  // namespace wick
