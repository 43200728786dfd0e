// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The options of `wick flamegraph`: those of flamegraph.pl and of inferno-flamegraph under their names, and a few of our own.

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "export/flamegraph.h"
#include "model/rules.h"

namespace CLI {
class App;
}

namespace wick {

struct PictureOptions {
  FlamegraphOptions picture;
  std::vector<std::string> bases;
  std::string attributes_file;
  std::optional<Rules> compat;  // whose defaults
  bool fold_runtimes = false;
  bool keep_palette = false;  // in palette.map, for the next picture
  bool quiet = false;
  int verbose = 0;  // for scripts that say so; there is nothing more to tell
};

void add_picture_options(CLI::App& app, PictureOptions& options);
// After parsing: with --compat, what was not told is as with that tool.
Status apply_compat(const CLI::App& app, PictureOptions& options);

// Options that exclude each other.
Status check_picture_options(const PictureOptions& options);

}  // namespace wick
