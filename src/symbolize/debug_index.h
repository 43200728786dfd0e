// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/fd.h"
#include "base/mapped_file.h"
#include "elf/image.h"
#include "elf/symbol_index.h"
#include "symbolize/lazy_index.h"
#include "symbolize/symbolizer.h"

namespace wick {

// The debug info of a file as an index: from the cache, or built on all cores and cached; for a huge file, built lazily unit by
// unit.
class DebugIndex {
 public:
  // `debug` has the debug info: `program` itself, or its separate file at `debug_path`; both must outlive this. Null if there is
  // none.
  static std::unique_ptr<DebugIndex> load(const elf::Image& program, const elf::Image& debug, const std::string& debug_path,
                                          const SymbolSources& sources, const SymbolLoad& how);

  // Null if the index is lazy.
  const elf::SymbolIndex* whole() const { return lazy_ == nullptr ? &index_ : nullptr; }
  void find(uint64_t svma, std::vector<elf::NamedFrame>& chain) const {
    lazy_ == nullptr ? index_.find(svma, chain) : lazy_->find(svma, chain);
  }
  bool empty() const { return lazy_ == nullptr ? index_.empty() : lazy_->empty(); }

 private:
  bool load_cached(const class Cache& cache, const std::string& name, const std::string& debug_path);

  MappedFile cached_;
  elf::SymbolIndexTables tables_;
  elf::SymbolIndex index_;
  std::unique_ptr<LazyIndex> lazy_;
};

}  // namespace wick
