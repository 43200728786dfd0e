// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Named palettes, as people know them from other flame graph tools: some are one range of colours, some tell by a function's name
// what it belongs to. (The colours that wick chooses by itself are in analyze/colour.h.)

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/colour.h"

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

// What a collapser wrote behind a name: kernel, inlined, just-in-time compiled, waker.
struct MarkedName {
  std::string_view name;  // without the mark
  char mark = 0;          // k, i, j or w; 0: none
};
MarkedName split_mark(std::string_view name);

// Where in its range a colour lies, each 0..1.
struct Variation {
  double a = 0, b = 0, c = 0;
};
Variation vary_by_name(std::string_view name);     // any name anywhere
Variation vary_by_letters(std::string_view name);  // names that begin alike look alike
// By lot; but it is always the same lot.
class VariationLot {
 public:
  Variation draw();

 private:
  double next();
  uint64_t state_ = 0x77696366;
};

// `name` without its mark. Lines between stacks ("-", "--") are grey in all palettes.
Rgb palette_colour(NamedPalette palette, std::string_view name, char mark, const Variation& variation);

// Whether dark text can be read better on it than light text.
bool wants_dark_text(Rgb colour);

}  // namespace wick
