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

void LazyIndex::release_source() {
  std::lock_guard lock(mutex_);
  source_ = nullptr;
  readers_.clear();
}

bool LazyIndex::find(uint64_t svma, std::vector<elf::NamedFrame>& chain) const {
  chain.clear();
  auto after = std::upper_bound(claims_.begin(), claims_.end(), svma,
                                [](uint64_t at, const elf::CodeClaim& claim) { return at < claim.begin; });
  if (after == claims_.begin() || svma >= (after - 1)->end) { return true; }
  uint32_t number = (after - 1)->unit;
  const Unit* unit = slots_[number].unit.load(std::memory_order_acquire);
  if (unit == nullptr) { unit = require_unit(number); }
  if (unit == nullptr) { return false; }
  unit->index.find(svma, chain);
  return true;
}

const LazyIndex::Unit* LazyIndex::require_unit(uint32_t number) const {
  Slot& slot = slots_[number];
  std::lock_guard reading(slot.reading);
  if (slot.owned != nullptr) { return slot.owned.get(); }
  std::unique_lock lock(mutex_);
  std::shared_ptr<const DebugSource> source = source_;
  if (source == nullptr) { return nullptr; }
  uint64_t size = source->size_of(number);
  if (size > most_bytes_ - bytes_read_) { return nullptr; }
  bytes_read_ += size;
  std::unique_ptr<elf::UnitSymbolsReader> reader;
  if (!readers_.empty()) {
    reader = std::move(readers_.back());
    readers_.pop_back();
  }
  lock.unlock();
  if (reader == nullptr) { reader = std::make_unique<elf::UnitSymbolsReader>(); }
  auto unit = std::make_unique<Unit>();
  elf::UnitSymbols symbols = source->read(number, *reader);
  unit->tables = elf::merge_symbols({&symbols, 1}, source->most_text());
  unit->index = elf::SymbolIndex(unit->tables, elf::SymbolIndex::Pages::kNone);
  slot.owned = std::move(unit);
  slot.unit.store(slot.owned.get(), std::memory_order_release);
  ++units_read_;
  lock.lock();
  if (source_ != nullptr) { readers_.push_back(std::move(reader)); }
  return slot.owned.get();
}

}  // namespace wick
