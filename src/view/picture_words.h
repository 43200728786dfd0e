// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parses the values of flame graph options into FlamegraphOptions. Each set_… returns an error message ("must be …, not "x""), or
// an empty string.

#include <optional>
#include <string>
#include <string_view>

#include "export/flamegraph.h"

namespace wick {

bool is_color(std::string_view text);                            // of CSS: #e600e6, rgb(230,0,230), purple
std::optional<DifferenceHues> find_hues(std::string_view name);  // red-blue, blue-orange

std::string set_color(const std::string& given, std::string& color);     // or none
std::string set_colors(const std::string& given, FlamegraphOptions& o);  // a palette, kind, or hues
std::string set_background(const std::string& given, FlamegraphOptions& o);
std::string set_least(const std::string& given, FlamegraphOptions& o);  // 0.5 (pixels) or 0.1%
std::string set_font(const std::string& given, FlamegraphOptions& o);
std::string set_encoding(const std::string& given, FlamegraphOptions& o);
void set_draw(PaletteDraw draw, FlamegraphOptions& o);

// The one that flamegraph.pl and inferno draw with a palette.
const char* background_of(NamedPalette palette);

}  // namespace wick
