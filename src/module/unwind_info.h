// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Unwind information of one module: the compact table once it is compiled (or read from the disk cache), and the CFI entries for
// lookups before that or too rare for the table.

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/mapped_file.h"
#include "elf/cfi.h"
#include "elf/image.h"
#include "elf/linkage.h"
#include "elf/symbols.h"
#include "elf/unwind_table.h"
#include "module/cache.h"

namespace wick {

class UnwindInfo {
 public:
  UnwindInfo(const elf::Image& image, std::string build_id, std::string cache_dir);
  ~UnwindInfo();

  // The compiled table, or null if not ready. Cheap, any thread.
  const elf::UnwindTable* table() const { return table_.load(std::memory_order_acquire); }
  // Reads it from the cache, or compiles and caches it. Any thread; a second caller waits for the first.
  void prepare();
  // The CFI entries: slower, complete. Any thread.
  const elf::Cfi& cfi() const { return cfi_; }
  struct CodeRange {
    uint64_t begin = 0, end = 0;  // an entry may end before the requested address
  };
  // The function at an address without a CFI entry: by symbol, by section, or the one with the last entry before it. The first
  // call reads all symbols.
  std::optional<CodeRange> find_bare_function(uint64_t svma) const;
  // Resolves calls whose target the linker chose. The first call reads all symbols.
  const elf::Linkage& linkage() const;
  // Whether code without entries keeps frame pointers by convention: Go's code, and V8's builtins, which are linked into node.
  bool has_frame_pointers_by_convention(uint64_t svma) const;

 private:
  bool load_cached(const Cache& cache, const std::string& name);

  const elf::Image& image_;
  const elf::SymbolTable& symbols() const;

  mutable std::once_flag symbols_read_;
  mutable std::optional<elf::SymbolTable> symbols_;
  mutable std::once_flag linkage_read_;
  mutable std::optional<elf::Linkage> linkage_;
  elf::Cfi cfi_;
  std::string build_id_, cache_dir_;
  std::mutex mutex_;
  bool prepared_ = false;
  MappedFile cached_;
  std::vector<uint8_t> blob_;  // owns a table that was compiled here
  std::unique_ptr<elf::UnwindTable> owned_;
  std::atomic<const elf::UnwindTable*> table_{nullptr};
};

}  // namespace wick
