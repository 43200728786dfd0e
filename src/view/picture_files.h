// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Files that go with a flame graph: colors and attributes of functions.

#include <string>
#include <string_view>

#include "base/result.h"
#include "export/flamegraph.h"

namespace wick {

// Lines of "name->rgb(205,0,0)"; others are skipped.
PaletteMap parse_palette_map(std::string_view text);
std::string write_palette_map(const PaletteMap& map);

// Lines of "function<tab>key=value<tab>key=value" with the keys href, target, title, class and id. Other keys are skipped;
// `ignored` gets the first one.
Result<NameAttributes> parse_name_attributes(std::string_view text, std::string& ignored);

}  // namespace wick
