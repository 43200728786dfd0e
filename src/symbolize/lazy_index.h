// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "elf/symbol_index.h"
#include "elf/symbol_index_build.h"
#include "symbolize/debug_source.h"

namespace wick {

// For files whose complete index would not fit in memory: determines at the start which unit owns which code, and reads a unit on
// the first lookup in it. Gives the same results as the complete index. Not cached.
class LazyIndex {
 public:
  explicit LazyIndex(std::unique_ptr<DebugSource> source);

  // Thread-safe. Views are valid as long as this object.
  void find(uint64_t svma, std::vector<elf::NamedFrame>& chain) const;
  bool empty() const { return claims_.empty(); }
  size_t units_read() const {
    std::lock_guard lock(mutex_);
    return units_.size();
  }

 private:
  struct Unit {
    elf::SymbolIndexTables tables;
    elf::SymbolIndex index;
  };

  std::unique_ptr<DebugSource> source_;
  std::vector<elf::CodeClaim> claims_;
  mutable std::mutex mutex_;
  mutable elf::UnitSymbolsReader reader_;
  mutable std::map<uint32_t, std::unique_ptr<const Unit>> units_;
};

}  // namespace wick
