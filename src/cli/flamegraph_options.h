// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The options of `wick flamegraph`: those of flamegraph.pl and of inferno-flamegraph under their names, and a few of our own.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "export/flamegraph.h"
#include "model/rules.h"

namespace CLI {
class App;
}

namespace wick {

constexpr char kPaletteMapFile[] = "palette.map";

struct PictureOptions {
  FlamegraphOptions picture;
  std::vector<std::string> bases;
  std::string attributes_file;
  std::optional<Rules> compat;  // whose defaults
  bool keep_palette = false;    // read and write kPaletteMapFile
  bool quiet = false;
  int verbose = 0;  // for scripts that say so; there is nothing more to tell
};

void add_picture_options(CLI::App& app, PictureOptions& options);
// After parsing: with --compat, what was not told is as with that tool.
Status apply_compat(const CLI::App& app, PictureOptions& options);

// What `wick flamegraph --colors` and `wick diff --colors` have in common.
std::optional<DifferenceHues> find_hues(std::string_view name);  // red-blue, blue-orange

// "name->rgb(205,0,0)", one a line. What is no such line is left out.
PaletteMap parse_palette_map(std::string_view text);
std::string write_palette_map(const PaletteMap& map);

// "function<tab>key=value<tab>key=value", one a line, with keys href, target, title, class and id. Others are
// left out; `left_out` gets the first of them.
Result<NameAttributes> parse_name_attributes(std::string_view text, std::string& left_out);

}  // namespace wick
