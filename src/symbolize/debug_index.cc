// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/debug_index.h"

#include <malloc.h>

#include <algorithm>
#include <vector>

#include "base/hash.h"
#include "base/text.h"
#include "module/cache.h"
#include "module/debug_file.h"
#include "symbolize/debug_source.h"

namespace wick {
namespace {

// Building an index runs at about 200 MB/s; below this size, building is faster than checking a cached one.
constexpr size_t kWorthCaching = size_t{256} << 10;
constexpr char kKind[] = "symbols";
constexpr unsigned kMostHelpers = 15;

// Building an index takes two to three times the size of .debug_info.
constexpr uint64_t kMonstrousBytes = uint64_t{1} << 30;
uint64_t most_info_bytes(const SymbolLoad& how) {
  return how.most_info_bytes != 0 ? how.most_info_bytes : std::min(kMonstrousBytes, usable_memory_bytes() / 8);
}

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

bool DebugIndex::load_cached(const Cache& cache, const std::string& name, const std::string& debug_path) {
  std::optional<MappedFile> file = cache.load(kKind, name);
  if (!file) { return false; }
  std::optional<Bytes> bytes = IndexInputs::skip_if_current(file->bytes(), debug_path);
  if (!bytes) { return false; }
  Result<elf::SymbolIndex> index = elf::SymbolIndex::parse(*bytes);
  if (!index.ok()) { return false; }
  index_ = *std::move(index);
  cached_ = *std::move(file);
  return true;
}

std::unique_ptr<DebugIndex> DebugIndex::load(const elf::Image& program, const elf::Image& debug, const std::string& debug_path,
                                             const SymbolSources& sources, const SymbolLoad& how) {
  const elf::Section* info = debug.find_section(".debug_info");
  if (info == nullptr) { info = debug.find_section(".zdebug_info"); }
  if (info == nullptr || debug.section_bytes(*info).empty()) { return nullptr; }
  auto out = std::make_unique<DebugIndex>();
  Cache cache(sources.cache_dir);
  std::string name;
  if (cache.keeps() && !program.build_id().empty() && info->size >= kWorthCaching) {
    name = entry_name(program, debug, debug_path, sources.debug);
    if (out->load_cached(cache, name, debug_path)) { return out; }
  }
  IndexInputs inputs;
  auto source = std::make_unique<DebugSource>(program, debug, debug_path, sources.debug, inputs);
  if (source->info_bytes() > most_info_bytes(how)) {
    out->lazy_ = std::make_unique<LazyIndex>(std::move(source));
    return out;
  }
  const std::atomic<bool> never{false};
  const std::atomic<bool>& stop = how.stop != nullptr ? *how.stop : never;
  JoinableWork alone;
  out->tables_ = source->build(how.background ? 0 : kMostHelpers, how.work != nullptr ? *how.work : alone, stop, how.pause);
  source.reset();
  ::malloc_trim(0);  // returns freed memory before the next step adds to it
  out->index_ = elf::SymbolIndex(out->tables_);
  if (name.empty() || stop) { return out; }
  std::string before = inputs.encode(), header;
  std::vector<Bytes> parts = out->index_.parts(header);
  parts.insert(parts.begin(), as_bytes(before));
  bool kept = cache.store(kKind, name, parts);
  // A long-lived index need not occupy memory: the mapped file's pages can be dropped.
  if (kept && how.background && out->load_cached(cache, name, debug_path)) { out->tables_ = {}; }
  return out;
}

}  // namespace wick
