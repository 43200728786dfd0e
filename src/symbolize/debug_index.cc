// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/debug_index.h"

#include <malloc.h>

#include <algorithm>
#include <system_error>
#include <vector>

#include "base/hash.h"
#include "base/text.h"
#include "module/debug_file.h"
#include "os/memory.h"
#include "symbolize/debug_source.h"

namespace wick {
namespace {

// Building an index runs at about 200 MB/s; below this size, building is faster than checking a cached one.
constexpr size_t kWorthCaching = size_t{256} << 10;
constexpr char kKind[] = "symbols";

// Building an index takes two to three times the size of .debug_info.
constexpr uint64_t kMonstrousBytes = uint64_t{1} << 30;
uint64_t most_info_bytes(const SymbolLoad& how) {
  return how.most_info_bytes != 0 ? how.most_info_bytes : std::min(kMonstrousBytes, usable_memory_bytes() / 8);
}

// Below this size of .debug_info, the complete index is built in a few hundredths of a second.
constexpr uint64_t kLarge = uint64_t{8} << 20;

// For addresses that were not announced: a single thread may look them up, but all cores build the complete index.
uint64_t most_lazy_bytes(uint64_t info_bytes) { return info_bytes / std::clamp(std::thread::hardware_concurrency(), 2u, 8u); }

// Debug files with the program's build ID may still differ: one has only lines, another was packed by dwz, a third is in the
// user's debug directory. The sizes of their sections tell them apart and, if all builds share one build ID, samples of their
// contents.
uint64_t hash_samples(Bytes bytes) {
  constexpr size_t kLook = 4096;
  if (bytes.size() <= 3 * kLook) { return hash_bytes(bytes); }
  return hash_pair(hash_bytes(bytes.first(kLook)),
                   hash_pair(hash_bytes(bytes.subspan(bytes.size() / 2, kLook)), hash_bytes(bytes.last(kLook))));
}

std::string entry_name(const elf::Image& program, const elf::Image& debug, const std::string& debug_path,
                       const DebugPlaces& places) {
  uint64_t hash = hash_pair(debug.bytes().size(), debug.sections().size());
  for (const elf::Section& section : debug.sections()) {
    hash = hash_pair(hash, hash_pair(hash_text(section.name), hash_pair(section.size, section.flags)));
    if (section.name.find("debug_") != section.name.npos) { hash = hash_pair(hash, hash_samples(debug.section_bytes(section))); }
  }
  std::optional<SupplementLink> link = read_supplement_link(debug);
  if (link) { hash = hash_pair(hash, hash_text(link->build_id)); }
  for (const std::string& path : supplement_candidates(debug, debug_path, places)) { hash = hash_pair(hash, hash_text(path)); }
  return strf("%s-%016llx", program.build_id().c_str(), static_cast<unsigned long long>(hash));
}

}  // namespace

DebugIndex::~DebugIndex() {
  if (storing_.joinable()) { storing_.join(); }
}

bool DebugIndex::load_cached(const std::string& debug_path) {
  std::optional<MappedFile> file = cache_.load(kKind, cache_name_);
  if (!file) { return false; }
  std::optional<Bytes> bytes = IndexInputs::skip_if_current(file->bytes(), debug_path);
  if (!bytes) { return false; }
  Result<elf::SymbolIndex> index = elf::SymbolIndex::parse(*bytes);
  if (!index.ok()) { return false; }
  index_ = *std::move(index);
  cached_ = *std::move(file);
  whole_ = &index_;
  return true;
}

void DebugIndex::build(const DebugSource& source, const SymbolLoad& how) const {
  const std::atomic<bool> never{false};
  JoinableWork alone;
  DebugSource::FindRead find_read;
  if (lazy_ != nullptr) {
    find_read = [this](size_t unit) { return lazy_->find_unit(unit); };
  }
  tables_ = source.build(how.background ? 0 : kMostHelpers, how.work != nullptr ? *how.work : alone,
                         how.stop != nullptr ? *how.stop : never, how.pause, find_read);
  index_ = elf::SymbolIndex(tables_);
}

bool DebugIndex::store() const {
  std::string before = inputs_.encode(), header;
  std::vector<Bytes> parts = index_.parts(header);
  parts.insert(parts.begin(), as_bytes(before));
  return cache_.store(kKind, cache_name_, parts);
}

const elf::SymbolIndex& DebugIndex::require_whole() const {
  std::lock_guard lock(building_);
  if (whole() == nullptr) {
    build(*source_, {});
    whole_.store(&index_, std::memory_order_release);
    source_ = nullptr;
    ::malloc_trim(0);
    if (!cache_name_.empty()) {
      try {
        storing_ = std::thread([this] { store(); });
      } catch (const std::system_error&) { store(); }
    }
  }
  return index_;
}

void DebugIndex::prepare(std::span<const uint64_t> svmas) const {
  if (whole() == nullptr && !lazy_->prepare({svmas.begin(), svmas.end()})) { require_whole(); }
}

void DebugIndex::find(uint64_t svma, std::vector<elf::NamedFrame>& chain) const {
  const elf::SymbolIndex* index = whole();
  if (index == nullptr && lazy_->find(svma, chain)) { return; }
  (index != nullptr ? *index : require_whole()).find(svma, chain);
}

std::unique_ptr<DebugIndex> DebugIndex::load(const elf::Image& program, const elf::Image& debug, const std::string& debug_path,
                                             const SymbolSources& sources, const SymbolLoad& how) {
  const elf::Section* info = debug.find_section(".debug_info");
  if (info == nullptr) { info = debug.find_section(".zdebug_info"); }
  if (info == nullptr || debug.section_bytes(*info).empty()) { return nullptr; }
  auto out = std::make_unique<DebugIndex>(sources.cache_dir);
  if (out->cache_.keeps() && !program.build_id().empty() && info->size >= kWorthCaching) {
    out->cache_name_ = entry_name(program, debug, debug_path, sources.debug);
    if (out->load_cached(debug_path)) { return out; }
  }
  auto source = std::make_shared<DebugSource>(program, debug, debug_path, sources.debug, out->inputs_);
  bool is_huge = source->info_bytes() > most_info_bytes(how);
  bool is_large = !how.background && source->info_bytes() >= (how.least_lazy_bytes != 0 ? how.least_lazy_bytes : kLarge);
  if (is_huge || is_large) {
    out->lazy_ = std::make_unique<LazyIndex>(source, is_huge ? UINT64_MAX : most_lazy_bytes(source->info_bytes()));
    if (!is_huge) { out->source_ = std::move(source); }
    return out;
  }
  out->build(*source, how);
  out->whole_ = &out->index_;
  source.reset();
  ::malloc_trim(0);  // returns freed memory before the next step adds to it
  if (out->cache_name_.empty() || (how.stop != nullptr && *how.stop)) { return out; }
  bool kept = out->store();
  // A long-lived index need not occupy memory: the mapped file's pages can be dropped.
  if (kept && how.background && out->load_cached(debug_path)) { out->tables_ = {}; }
  return out;
}

}  // namespace wick
