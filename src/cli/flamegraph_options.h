// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The options of `wick flamegraph`: those of flamegraph.pl and inferno-flamegraph, and a few more.

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
  std::optional<Rules> compat;  // whose defaults to use
  bool fold_runtimes = false;
  bool keep_palette = false;  // in palette.map, for the next image
  bool quiet = false;
  int verbose = 0;  // accepted for compatibility, ignored
};

void add_picture_options(CLI::App& app, PictureOptions& options);
// After parsing: --compat sets the defaults of that tool for options that were not given.
Status apply_compat(const CLI::App& app, PictureOptions& options);

// Rejects options that cannot be combined.
Status check_picture_options(const PictureOptions& options);

}  // namespace wick
