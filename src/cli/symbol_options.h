// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where names come from besides the files themselves: what record, symbolize, addr2line and the views have in common.

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

// Whether the command may ask debuginfod: those that write a recording do, views do not.
enum class Fetching : uint8_t { kNever, kMay };

void add_symbol_options(CLI::App& app, SymbolSourceOptions& options, Fetching fetching = Fetching::kNever);

// The folders that were named, read; fails when one of them is none.
Result<DebugPlaces> find_debug_places(const SymbolSourceOptions& options);
// All of it, with the user's cache. Progress of fetching goes to standard error unless `quiet`.
Result<SymbolSources> find_symbol_sources(const SymbolSourceOptions& options, Fetching fetching, bool quiet = false);

}  // namespace wick
