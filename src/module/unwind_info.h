// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Unwind information of one module: the compact table once it is compiled (or read from the disk cache), and the frame
// description entries themselves for what is asked before that, or too rare for the table.

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/fd.h"
#include "elf/cfi.h"
#include "elf/image.h"
#include "elf/unwind_table.h"
#include "module/cache.h"

namespace wick {

class UnwindInfo {
 public:
  UnwindInfo(const elf::Image& image, std::string build_id, std::string cache_dir);
  ~UnwindInfo();

  // The compiled table, or null while there is none yet. Cheap, any thread.
  const elf::UnwindTable* table() const { return table_.load(std::memory_order_acquire); }
  // Reads it from the cache or compiles and caches it. Any thread; the second caller waits for the first.
  void prepare();
  // The entries themselves: slower, complete. Any thread.
  const elf::Cfi& cfi() const { return cfi_; }

 private:
  bool load_cached(const Cache& cache, const std::string& name);

  elf::Cfi cfi_;
  std::string build_id_, cache_dir_;
  std::mutex mutex_;
  bool prepared_ = false;
  MappedFile cached_;
  std::vector<uint8_t> blob_;  // of what was compiled here
  std::unique_ptr<elf::UnwindTable> owned_;
  std::atomic<const elf::UnwindTable*> table_{nullptr};
};

}  // namespace wick
