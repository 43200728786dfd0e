// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Symbol sources besides the files themselves: options of record, symbolize, addr2line and the views.

#include <string>
#include <vector>

#include "base/result.h"
#include "symbolize/symbolizer.h"

namespace CLI {
class App;
}

namespace wick {

// As typed.
struct SymbolSourceOptions {
  std::vector<std::string> debug_dirs;
  std::string symfs;
  bool no_fetch = false;
  std::string fetch_limit = "2G";
};

// Whether the command may ask debuginfod: commands that write a recording may, views may not.
enum class Fetching : uint8_t { kNever, kMay };

void add_symbol_options(CLI::App& app, SymbolSourceOptions& options, Fetching fetching = Fetching::kNever);

// Reads the given directories; fails if one is not a directory.
Result<DebugPlaces> find_debug_places(const SymbolSourceOptions& options);
// All sources, with the user's cache. Prints fetching progress to standard error unless `quiet`.
Result<SymbolSources> find_symbol_sources(const SymbolSourceOptions& options, Fetching fetching, bool quiet = false);

}  // namespace wick
