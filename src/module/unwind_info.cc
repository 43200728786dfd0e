// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "module/unwind_info.h"

#include "base/text.h"

namespace wick {
namespace {

// Compiling runs at more than 100 MB/s, opening and checking a cached file takes some 50 us. Below this size caching would save
// less than half a millisecond, and a folder with thousands of small files serves nobody.
constexpr size_t kWorthCaching = size_t{64} << 10;
constexpr char kKind[] = "unwind";

}  // namespace

UnwindInfo::UnwindInfo(const elf::Image& image, std::string build_id, std::string cache_dir)
    : cfi_(image), build_id_(std::move(build_id)), cache_dir_(std::move(cache_dir)) {}

UnwindInfo::~UnwindInfo() = default;

bool UnwindInfo::load_cached(const Cache& cache, const std::string& name) {
  std::optional<MappedFile> file = cache.load(kKind, name);
  if (!file) { return false; }
  cached_ = *std::move(file);
  Result<elf::UnwindTable> table = elf::UnwindTable::open(cached_.bytes());
  if (!table.ok() || table->arch() != cfi_.arch()) {  // damaged, or of another version: it is made anew and replaced
    cached_ = MappedFile();
    return false;
  }
  owned_ = std::make_unique<elf::UnwindTable>(*table);
  return true;
}

void UnwindInfo::prepare() {
  std::lock_guard lock(mutex_);
  if (prepared_) { return; }
  prepared_ = true;
  Cache cache(cache_dir_);
  bool worth = cache.keeps() && !build_id_.empty() && cfi_.size_bytes() >= kWorthCaching;
  std::string name = strf("%s.%u", build_id_.c_str(), elf::UnwindTable::kVersion);
  if (!worth || !load_cached(cache, name)) {
    blob_ = elf::UnwindTable::compile(cfi_);
    Result<elf::UnwindTable> table = elf::UnwindTable::open(blob_);
    if (!table.ok()) {
      blob_ = {};
      return;
    }  // nothing to compile; the entries themselves go on answering
    owned_ = std::make_unique<elf::UnwindTable>(*table);
    Bytes whole = blob_;
    if (worth) { cache.store(kKind, name, {&whole, 1}); }
  }
  table_.store(owned_.get(), std::memory_order_release);
}

}  // namespace wick
