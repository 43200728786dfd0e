// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sources of symbols besides the files themselves, and of source code: options of record, symbolize, addr2line and the views.

#include <string>
#include <vector>

#include "annotate/source_files.h"
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

// Whether the command may ask debuginfod for debug files: commands that write a recording may, views may not.
enum class Fetching : uint8_t { kNever, kMay };

void add_symbol_options(CLI::App& app, SymbolSourceOptions& options, Fetching fetching = Fetching::kNever);

// --no-fetch and --fetch-limit, which commands with Fetching::kMay have.
void add_fetch_options(CLI::App& app, SymbolSourceOptions& options);

void add_source_dirs(CLI::App& app, std::vector<std::string>& dirs, const std::string& description);
// Fails if one is not a directory.
Result<SourcePlaces> find_source_places(const std::vector<std::string>& dirs, const char* option = "--source-dir");

// How to fetch source files that are not here. Shows progress on a terminal.
Result<FetchOptions> find_source_fetching(const SymbolSourceOptions& options);

// Reads the given directories; fails if one is not a directory.
Result<DebugPlaces> find_debug_places(const SymbolSourceOptions& options);
// All sources, with the user's cache. Prints fetching progress to standard error unless `quiet`.
Result<SymbolSources> find_symbol_sources(const SymbolSourceOptions& options, Fetching fetching, bool quiet = false);

}  // namespace wick
