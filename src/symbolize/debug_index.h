// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/fd.h"
#include "elf/image.h"
#include "elf/symbol_index.h"
#include "symbolize/symbolizer.h"

namespace wick {

// The symbol index of a file: from the cache, or made from its debug information on all cores and put there.
class DebugIndex {
 public:
  // `debug` has the debug information: `program` itself, or its separate file at `debug_path`. Null when there is none.
  static std::unique_ptr<DebugIndex> load(const elf::Image& program, const elf::Image& debug, const std::string& debug_path,
                                          const SymbolSources& sources);

  const elf::SymbolIndex& index() const { return index_; }

 private:
  MappedFile cached_;
  elf::SymbolIndexTables tables_;
  elf::SymbolIndex index_;
};

}  // namespace wick
