// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Named palettes of other flame graph tools: some are a range of colors, some choose by function name. (wick's own colors are in
// analyze/color.h.)

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/color.h"

namespace wick {

enum class NamedPalette : uint8_t {
  kHot,
  kMem,
  kIo,
  kWakeup,
  kChain,
  kJava,
  kJs,
  kPerl,
  kPython,
  kRust,
  kRed,
  kGreen,
  kBlue,
  kAqua,
  kYellow,
  kPurple,
  kOrange,
};
std::optional<NamedPalette> find_palette(std::string_view name);
std::vector<std::string> palette_names();

// A mark that collapsers append to a name: kernel, inlined, JIT-compiled, waker.
struct MarkedName {
  std::string_view name;  // without the mark
  char mark = 0;          // k, i, j or w; 0: none
};
MarkedName split_mark(std::string_view name);

// The position of a color in its range, each 0..1.
struct Variation {
  double a = 0, b = 0, c = 0;
};
Variation vary_by_name(std::string_view name);     // independent of other names
Variation vary_by_letters(std::string_view name);  // similar for names with the same prefix
// Pseudo-random, with a fixed seed.
class RandomVariation {
 public:
  Variation draw();

 private:
  double next();
  uint64_t state_ = 0x77696366;
};

// `name` without its mark. Separators between stacks ("-", "--") are gray in all palettes.
Rgb palette_color(NamedPalette palette, std::string_view name, char mark, const Variation& variation);

// Whether dark text is more readable on it than light text.
bool wants_dark_text(Rgb color);

}  // namespace wick
