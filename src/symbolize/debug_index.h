// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "base/fd.h"
#include "base/mapped_file.h"
#include "elf/image.h"
#include "elf/symbol_index.h"
#include "module/cache.h"
#include "symbolize/index_inputs.h"
#include "symbolize/lazy_index.h"
#include "symbolize/symbolizer.h"

namespace wick {

// The debug info of a file as an index: from the cache, or built on all cores and cached. A large file starts with a lazy index,
// since a profile's addresses are in few of its units; when lookups have read many, the complete index replaces it. A huge file,
// whose complete index would not fit in memory, stays lazy.
class DebugIndex {
 public:
  // `debug` has the debug info: `program` itself, or its separate file at `debug_path`; both must outlive this. Null if there is
  // none.
  static std::unique_ptr<DebugIndex> load(const elf::Image& program, const elf::Image& debug, const std::string& debug_path,
                                          const SymbolSources& sources, const SymbolLoad& how);
  explicit DebugIndex(std::string cache_dir) : cache_(std::move(cache_dir)) {}
  ~DebugIndex();

  // Null as long as the index is lazy.
  const elf::SymbolIndex* whole() const { return whole_.load(std::memory_order_acquire); }
  // Reads at once what lookups of these addresses need. Thread-safe.
  void prepare(std::span<const uint64_t> svmas) const;
  // Thread-safe.
  void find(uint64_t svma, std::vector<elf::NamedFrame>& chain) const;
  bool empty() const { return lazy_ != nullptr ? lazy_->empty() : index_.empty(); }

 private:
  bool load_cached(const std::string& debug_path);
  void build(const DebugSource& source, const SymbolLoad& how) const;
  bool store() const;
  const elf::SymbolIndex& require_whole() const;

  Cache cache_;
  std::string cache_name_;  // empty: not cached
  IndexInputs inputs_;
  MappedFile cached_;
  std::unique_ptr<LazyIndex> lazy_;

  mutable std::mutex building_;  // of a lazy index into a complete one; guards the following
  mutable std::shared_ptr<const DebugSource> source_;
  mutable elf::SymbolIndexTables tables_;
  mutable elf::SymbolIndex index_;
  mutable std::atomic<const elf::SymbolIndex*> whole_{nullptr};  // index_ when it is complete
  mutable std::thread storing_;                                  // writes the complete index to the cache during lookups
};

}  // namespace wick
