// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "module/unwind_info.h"

#include "base/text.h"

namespace wick {
namespace {

// Compiling runs at more than 100 MB/s; opening and checking a cached file takes about 50 us. Below this size, caching would save
// less than half a millisecond and fill the directory with small files.
constexpr size_t kWorthCaching = size_t{64} << 10;
constexpr char kKind[] = "unwind";

}  // namespace

UnwindInfo::UnwindInfo(const elf::Image& image, std::string build_id, std::string cache_dir)
    : image_(image), cfi_(image), build_id_(std::move(build_id)), cache_dir_(std::move(cache_dir)) {}

UnwindInfo::~UnwindInfo() = default;

const elf::SymbolTable& UnwindInfo::symbols() const {
  std::call_once(symbols_read_, [&] { symbols_.emplace(image_); });
  return *symbols_;
}

const elf::Linkage& UnwindInfo::linkage() const {
  std::call_once(linkage_read_, [&] { linkage_.emplace(image_, symbols()); });
  return *linkage_;
}

bool UnwindInfo::has_frame_pointers_by_convention(uint64_t svma) const {
  if (image_.find_section(".gopclntab") != nullptr) { return true; }
  std::optional<elf::SymbolRange> range = symbols().find(svma);
  return range && range->name.starts_with("Builtins_");
}

std::optional<UnwindInfo::CodeRange> UnwindInfo::find_bare_function(uint64_t svma) const {
  if (std::optional<elf::SymbolRange> range = symbols().find(svma)) {
    if (elf::is_cold_part(range->name)) { return std::nullopt; }
    return CodeRange{range->start, range->end};
  }
  // The linker assembles each of these into one function.
  for (const char* name : {".init", ".fini"}) {
    const elf::Section* section = image_.find_section(name);
    if (section != nullptr && svma - section->vaddr < section->size) {
      return CodeRange{section->vaddr, section->vaddr + section->size};
    }
  }
  CodeRange range;
  if (!cfi_.find_function_before(svma, range.begin, range.end)) { return std::nullopt; }
  return range;
}

bool UnwindInfo::load_cached(const Cache& cache, const std::string& name) {
  std::optional<MappedFile> file = cache.load(kKind, name);
  if (!file) { return false; }
  cached_ = *std::move(file);
  Result<elf::UnwindTable> table = elf::UnwindTable::open(cached_.bytes());
  if (!table.ok() || table->arch() != cfi_.arch()) {  // damaged or another version: rebuild and replace it
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
    }  // nothing to compile; the CFI entries remain in use
    owned_ = std::make_unique<elf::UnwindTable>(*table);
    Bytes whole = blob_;
    if (worth) { cache.store(kKind, name, {&whole, 1}); }
  }
  table_.store(owned_.get(), std::memory_order_release);
}

}  // namespace wick
