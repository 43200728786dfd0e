// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/symbol_options.h"

#include <CLI/CLI.hpp>

#include "module/cache_dir.h"

namespace wick {

void add_symbol_options(CLI::App& app, SymbolSourceOptions& options) {
  app.add_option("--debug-dir", options.debug_dirs, "look for debug files here too, before /usr/lib/debug (may be repeated)")
      ->type_name("DIR")
      ->allow_extra_args(false)
      ->group("Names");
}

SymbolSources symbol_sources(const SymbolSourceOptions& options) {
  SymbolSources sources;
  sources.cache_dir = find_cache_dir();
  sources.debug.debug_dirs = options.debug_dirs;
  return sources;
}

}  // namespace wick
