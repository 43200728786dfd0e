// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The capabilities of the output, detected once and passed down: the rest of term/ only builds strings.

#include <string>
#include <string_view>

namespace wick {

enum class ColorWhen { kAuto, kAlways, kNever };

struct Style {
  bool terminal = false;
  bool color = false;
  bool unicode = false;  // box drawing and "…" instead of ASCII
  int width = 0;         // columns; 0: no limit
};

// Considers whether it is a terminal, its width (COLUMNS, else the kernel's), NO_COLOR, TERM=dumb and the locale's character set.
Style detect_style(int fd, ColorWhen when = ColorWhen::kAuto);

enum class Paint { kPlain, kBold, kDim, kHot, kWarm, kGood, kWarning, kBad, kGrew, kShrank };
std::string paint(const Style& style, Paint what, std::string_view text);
// By share of the total: highlights hot entries and dims negligible ones.
Paint paint_of_share(double share);

inline std::string_view ellipsis(const Style& style) { return style.unicode ? "…" : "..."; }

}  // namespace wick
