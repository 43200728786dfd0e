// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/lazy_index.h"

#include <algorithm>

namespace wick {

LazyIndex::LazyIndex(std::shared_ptr<const DebugSource> source, uint64_t most_bytes)
    : most_bytes_(most_bytes), slots_(source->unit_count()), source_(std::move(source)) {
  auto reader = std::make_unique<elf::UnitSymbolsReader>();
  std::vector<std::vector<elf::AddressRange>> ranges(slots_.size());
  for (size_t unit = 0; unit < ranges.size(); ++unit) { ranges[unit] = source_->read_ranges(unit, *reader); }
  claims_ = elf::settle_claims(ranges);
  readers_.push_back(std::move(reader));
}

bool LazyIndex::find(uint64_t svma, std::vector<elf::NamedFrame>& chain) const {
  chain.clear();
  auto after = std::upper_bound(claims_.begin(), claims_.end(), svma,
                                [](uint64_t at, const elf::CodeClaim& claim) { return at < claim.begin; });
  if (after == claims_.begin() || svma >= (after - 1)->end) { return true; }
  uint32_t number = (after - 1)->unit;
  const elf::UnitSymbols* unit = find_unit(number);
  if (unit == nullptr) { unit = require_unit(number); }
  if (unit == nullptr) { return false; }
  unit->find(svma, chain);
  return true;
}

const elf::UnitSymbols* LazyIndex::require_unit(uint32_t number) const {
  Slot& slot = slots_[number];
  std::lock_guard reading(slot.reading);
  if (slot.owned != nullptr) { return slot.owned.get(); }
  std::unique_lock lock(mutex_);
  uint64_t size = source_->size_of(number);
  if (size > most_bytes_ - bytes_read_) { return nullptr; }
  bytes_read_ += size;
  std::unique_ptr<elf::UnitSymbolsReader> reader;
  if (!readers_.empty()) {
    reader = std::move(readers_.back());
    readers_.pop_back();
  }
  lock.unlock();
  if (reader == nullptr) { reader = std::make_unique<elf::UnitSymbolsReader>(); }
  slot.owned = std::make_unique<const elf::UnitSymbols>(source_->read(number, *reader));
  slot.symbols.store(slot.owned.get(), std::memory_order_release);
  ++units_read_;
  lock.lock();
  readers_.push_back(std::move(reader));
  return slot.owned.get();
}

}  // namespace wick
