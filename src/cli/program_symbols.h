// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The program whose addresses `wick addr2line` looks up.

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "symbolize/symbolizer.h"

namespace wick {

struct ProgramSymbols {
  std::unique_ptr<ModuleStore> store;  // owns what the others refer to
  const LoadedModule* module = nullptr;
  uint64_t base = 0;  // added to addresses
  std::unique_ptr<FileSymbols> symbols;
};

// `section`: addresses are offsets into it; empty: addresses as linked.
Result<ProgramSymbols> load_program_symbols(const std::string& executable, const std::string& section,
                                            const SymbolSources& sources);

}  // namespace wick
