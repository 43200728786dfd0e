// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "module/address_space.h"

#include <algorithm>
#include <atomic>

namespace wick {
namespace {

uint64_t next_serial() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

constexpr size_t kMostOfAChunk = 128, kFewOfAChunk = 32;

// Keeps the mappings sorted and disjoint.
void carve(std::vector<Mapping>& mappings, uint64_t start, uint64_t end) {
  // The affected ones are contiguous.
  auto first = std::partition_point(mappings.begin(), mappings.end(), [&](const Mapping& m) { return m.end <= start; });
  auto last = std::partition_point(first, mappings.end(), [&](const Mapping& m) { return m.start < end; });
  if (first == last) { return; }
  Mapping left = *first, right = *(last - 1);
  left.end = start;
  right.file_offset += end - right.start;  // wraps only if unused
  right.start = end;
  bool keeps_left = left.start < left.end, keeps_right = right.start < right.end;
  auto at = mappings.erase(first, last);
  if (keeps_right) { at = mappings.insert(at, right); }
  if (keeps_left) { mappings.insert(at, left); }
}

void insert(std::vector<Mapping>& mappings, const Mapping& mapping) {
  auto at = std::partition_point(mappings.begin(), mappings.end(), [&](const Mapping& m) { return m.start < mapping.start; });
  mappings.insert(at, mapping);
}

}  // namespace

std::shared_ptr<AddressSpace> AddressSpace::copy_of(const AddressSpace& space) {
  auto copy = std::make_shared<AddressSpace>();
  copy->chunks_ = space.chunks_;
  copy->serial_ = next_serial();
  return copy;
}

AddressSpace& AddressSpace::own(std::shared_ptr<AddressSpace>& space) {
  if (space.use_count() > 1) { space = copy_of(*space); }
  return *space;
}

void AddressSpace::map(const Mapping& mapping) {
  replace(mapping.start, mapping.end, &mapping);
  serial_ = next_serial();
}

void AddressSpace::unmap(uint64_t start, uint64_t end) {
  replace(start, end, nullptr);
  serial_ = next_serial();
}

std::shared_ptr<const AddressSpace> AddressSpace::with(const Mapping& mapping) const { return with({&mapping, 1}); }

std::shared_ptr<const AddressSpace> AddressSpace::with(std::span<const Mapping> mappings) const {
  std::shared_ptr<AddressSpace> copy = copy_of(*this);
  for (const Mapping& mapping : mappings) { copy->map(mapping); }
  return copy;
}

std::shared_ptr<const AddressSpace> AddressSpace::without(uint64_t start, uint64_t end) const {
  std::shared_ptr<AddressSpace> copy = copy_of(*this);
  copy->unmap(start, end);
  return copy;
}

void AddressSpace::replace(uint64_t start, uint64_t end, const Mapping* mapping) {
  if (start >= end) { return; }
  using Shared = std::shared_ptr<Chunk>;
  auto first = std::partition_point(chunks_.begin(), chunks_.end(), [&](const Shared& c) { return c->back().end <= start; });
  auto last = std::partition_point(first, chunks_.end(), [&](const Shared& c) { return c->front().start < end; });
  if (first == last) {
    if (mapping == nullptr) { return; }
    // Between two chunks: it joins one of them.
    if (first != chunks_.end()) {
      ++last;
    } else if (first != chunks_.begin()) {
      --first;
    }
  }
  bool fits = last - first == 1 && first->use_count() == 1 && (*first)->size() + 2 <= kMostOfAChunk;
  if (fits) {  // not shared: the common case
    carve(**first, start, end);
    if (mapping != nullptr) { insert(**first, *mapping); }
    if ((*first)->empty()) { chunks_.erase(first); }
    return;
  }
  Chunk merged;
  for (auto it = first; it != last; ++it) {
    // Of many chunks, only the outer two can be partly covered.
    bool is_covered = start <= (*it)->front().start && (*it)->back().end <= end;
    if (!is_covered) { merged.insert(merged.end(), (*it)->begin(), (*it)->end()); }
  }
  carve(merged, start, end);
  if (mapping != nullptr) { insert(merged, *mapping); }
  if (merged.size() < kFewOfAChunk && last != chunks_.end()) {
    merged.insert(merged.end(), (*last)->begin(), (*last)->end());
    ++last;
  }
  std::vector<Shared> parts;
  size_t count = (merged.size() + kMostOfAChunk - 1) / kMostOfAChunk;
  for (size_t i = 0; i < count; ++i) {
    auto begin = merged.begin() + static_cast<std::ptrdiff_t>(merged.size() * i / count);
    auto stop = merged.begin() + static_cast<std::ptrdiff_t>(merged.size() * (i + 1) / count);
    parts.push_back(std::make_shared<Chunk>(begin, stop));
  }
  auto at = chunks_.erase(first, last);
  chunks_.insert(at, parts.begin(), parts.end());
}

std::vector<Mapping> AddressSpace::mappings() const {
  std::vector<Mapping> all;
  for (const std::shared_ptr<Chunk>& chunk : chunks_) { all.insert(all.end(), chunk->begin(), chunk->end()); }
  return all;
}

const Mapping* AddressSpace::find(uint64_t avma) const {
  auto chunk = std::upper_bound(chunks_.begin(), chunks_.end(), avma,
                                [](uint64_t address, const std::shared_ptr<Chunk>& c) { return address < c->front().start; });
  if (chunk == chunks_.begin()) { return nullptr; }
  const Chunk& mappings = **(chunk - 1);
  auto after = std::upper_bound(mappings.begin(), mappings.end(), avma,
                                [](uint64_t address, const Mapping& m) { return address < m.start; });
  const Mapping& mapping = *(after - 1);  // the chunk's first mapping starts at or before the address
  return avma < mapping.end ? &mapping : nullptr;
}

Place AddressSpace::place(uint64_t avma) const {
  const Mapping* mapping = find(avma);
  if (mapping == nullptr || mapping->module == nullptr) { return {}; }
  if (!mapping->module->image) { return {mapping->module, avma}; }
  std::optional<uint64_t> svma = mapping->module->svma(avma - mapping->start + mapping->file_offset);
  if (!svma) { return {}; }
  return {mapping->module, *svma};
}

}  // namespace wick
