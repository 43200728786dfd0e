// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where names come from, for every command that looks for them.

#include <string>
#include <vector>

#include "symbolize/symbolizer.h"

namespace CLI {
class App;
}

namespace wick {

// As typed.
struct SymbolSourceOptions {
  std::vector<std::string> debug_dirs;
};

void add_symbol_options(CLI::App& app, SymbolSourceOptions& options);

// As meant, with the user's cache.
SymbolSources symbol_sources(const SymbolSourceOptions& options);

}  // namespace wick
