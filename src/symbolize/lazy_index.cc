// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/lazy_index.h"

#include <algorithm>

namespace wick {

LazyIndex::LazyIndex(std::unique_ptr<DebugSource> source) : source_(std::move(source)) {
  std::vector<std::vector<elf::AddressRange>> ranges(source_->unit_count());
  for (size_t unit = 0; unit < ranges.size(); ++unit) { ranges[unit] = source_->read_ranges(unit, reader_); }
  claims_ = elf::settle_claims(ranges);
}

void LazyIndex::find(uint64_t svma, std::vector<elf::NamedFrame>& chain) const {
  chain.clear();
  auto after = std::upper_bound(claims_.begin(), claims_.end(), svma,
                                [](uint64_t at, const elf::CodeClaim& claim) { return at < claim.begin; });
  if (after == claims_.begin() || svma >= (after - 1)->end) { return; }
  uint32_t number = (after - 1)->unit;
  std::lock_guard lock(mutex_);
  std::unique_ptr<const Unit>& unit = units_[number];
  if (unit == nullptr) {
    auto made = std::make_unique<Unit>();
    elf::UnitSymbols symbols = source_->read(number, reader_);
    made->tables = elf::merge_symbols({&symbols, 1}, source_->most_text());
    made->index = elf::SymbolIndex(made->tables);
    unit = std::move(made);
  }
  unit->index.find(svma, chain);
}

}  // namespace wick
