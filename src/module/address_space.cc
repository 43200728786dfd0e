// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "module/address_space.h"

#include <algorithm>
#include <atomic>

namespace wick {
namespace {
std::atomic<uint64_t> last_serial{0};
}  // namespace

std::shared_ptr<AddressSpace> AddressSpace::copy_of(const AddressSpace& space) {
  auto copy = std::make_shared<AddressSpace>();
  copy->mappings_.reserve(space.mappings_.size() + 2);
  copy->mappings_ = space.mappings_;
  copy->serial_ = last_serial.fetch_add(1, std::memory_order_relaxed) + 1;
  return copy;
}

std::shared_ptr<const AddressSpace> AddressSpace::with(const Mapping& mapping) const { return with({&mapping, 1}); }

std::shared_ptr<const AddressSpace> AddressSpace::with(std::span<const Mapping> mappings) const {
  std::shared_ptr<AddressSpace> copy = copy_of(*this);
  for (const Mapping& mapping : mappings) { copy->insert(mapping); }
  return copy;
}

std::shared_ptr<const AddressSpace> AddressSpace::without(uint64_t start, uint64_t end) const {
  std::shared_ptr<AddressSpace> copy = copy_of(*this);
  copy->carve(start, end);
  return copy;
}

void AddressSpace::insert(const Mapping& mapping) {
  if (mapping.start >= mapping.end) { return; }
  carve(mapping.start, mapping.end);
  auto at = std::lower_bound(mappings_.begin(), mappings_.end(), mapping.start,
                             [](const Mapping& m, uint64_t start) { return m.start < start; });
  mappings_.insert(at, mapping);
}

void AddressSpace::carve(uint64_t start, uint64_t end) {
  if (start >= end) { return; }
  // Disjoint and sorted: those touched are one run.
  auto first = std::partition_point(mappings_.begin(), mappings_.end(), [&](const Mapping& m) { return m.end <= start; });
  auto last = std::partition_point(first, mappings_.end(), [&](const Mapping& m) { return m.start < end; });
  if (first == last) { return; }
  Mapping left = *first, right = *(last - 1);
  left.end = start;
  right.file_offset += end - right.start;  // wraps only when it is not used
  right.start = end;
  bool keeps_left = left.start < left.end, keeps_right = right.start < right.end;
  size_t at = static_cast<size_t>(first - mappings_.begin());
  mappings_.erase(first, last);
  if (keeps_right) { mappings_.insert(mappings_.begin() + static_cast<std::ptrdiff_t>(at), right); }
  if (keeps_left) { mappings_.insert(mappings_.begin() + static_cast<std::ptrdiff_t>(at), left); }
}

const Mapping* AddressSpace::find(uint64_t avma) const {
  auto after = std::upper_bound(mappings_.begin(), mappings_.end(), avma,
                                [](uint64_t address, const Mapping& m) { return address < m.start; });
  if (after == mappings_.begin()) { return nullptr; }
  const Mapping& mapping = *(after - 1);
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
