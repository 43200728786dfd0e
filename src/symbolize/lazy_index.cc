// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/lazy_index.h"

#include <algorithm>
#include <system_error>
#include <thread>

namespace wick {
namespace {

// Runs `work` on this thread and up to `helpers` others.
template <typename Work>
void run_on_all(size_t helpers, const Work& work) {
  std::vector<std::jthread> threads;
  try {
    while (threads.size() < helpers) { threads.emplace_back(work); }
  } catch (const std::system_error&) {
    // Cannot start more threads (process limit): the existing ones do all the work.
  }
  work();
}

}  // namespace

LazyIndex::LazyIndex(std::shared_ptr<const DebugSource> source, uint64_t most_bytes)
    : most_bytes_(most_bytes), slots_(source->unit_count()), source_(std::move(source)) {
  constexpr size_t kUnitsPerTask = 16;
  std::vector<std::vector<elf::AddressRange>> ranges(slots_.size());
  std::atomic<size_t> next{0};
  run_on_all(useful_helpers(source_->info_bytes() / 8), [&] {
    std::unique_ptr<elf::UnitSymbolsReader> reader = take_reader();
    for (size_t first; (first = next.fetch_add(kUnitsPerTask)) < ranges.size();) {
      size_t end = std::min(first + kUnitsPerTask, ranges.size());
      for (size_t unit = first; unit < end; ++unit) { ranges[unit] = source_->read_ranges(unit, *reader); }
    }
    give_back(std::move(reader));
  });
  claims_ = elf::settle_claims(ranges);
}

// Sorted by size, large units first, so that no thread starts one when the others are done.
std::vector<LazyIndex::Task> LazyIndex::find_tasks(const std::vector<uint64_t>& sorted) const {
  std::vector<Task> tasks;
  std::vector<uint32_t> task_of(slots_.size(), UINT32_MAX);
  auto claim = claims_.begin();
  for (uint64_t svma : sorted) {
    claim = std::partition_point(claim, claims_.end(), [&](const elf::CodeClaim& c) { return c.end <= svma; });
    if (claim == claims_.end()) { break; }
    if (svma < claim->begin || find_read(claim->unit, svma) != nullptr) { continue; }
    uint32_t& task = task_of[claim->unit];
    if (task == UINT32_MAX) {
      task = static_cast<uint32_t>(tasks.size());
      tasks.push_back({claim->unit, {}});
    }
    tasks[task].svmas.push_back(svma);
  }
  std::stable_sort(tasks.begin(), tasks.end(),
                   [&](const Task& a, const Task& b) { return source_->size_of(a.unit) > source_->size_of(b.unit); });
  return tasks;
}

bool LazyIndex::prepare(std::vector<uint64_t> svmas) const {
  std::sort(svmas.begin(), svmas.end());
  svmas.erase(std::unique(svmas.begin(), svmas.end()), svmas.end());
  std::vector<Task> tasks = find_tasks(svmas);
  uint64_t bytes = 0;
  for (const Task& task : tasks) { bytes += source_->size_of(task.unit); }
  if (!reserve(bytes, std::max(most_bytes_, source_->info_bytes() / 2))) { return false; }
  std::atomic<size_t> next{0};
  run_on_all(useful_helpers(bytes), [&] {
    for (size_t i; (i = next.fetch_add(1)) < tasks.size();) { run(tasks[i]); }
  });
  return true;
}

// A unit that is needed again is read completely, so that many small requests do not read it each time.
void LazyIndex::run(Task& task) const {
  Slot& slot = slots_[task.unit];
  std::lock_guard reading(slot.reading);
  if (slot.owned != nullptr) { return; }
  std::unique_ptr<elf::UnitSymbolsReader> reader = take_reader();
  if (slot.owned_part != nullptr) {
    slot.owned = std::make_unique<const elf::UnitSymbols>(source_->read(task.unit, *reader));
    slot.symbols.store(slot.owned.get(), std::memory_order_release);
  } else {
    elf::WantedAddresses wanted(task.svmas);
    elf::UnitSymbols symbols = source_->read(task.unit, *reader, &wanted);
    slot.owned_part = std::make_unique<const Part>(Part{std::move(task.svmas), std::move(symbols)});
    slot.part.store(slot.owned_part.get(), std::memory_order_release);
  }
  ++units_read_;
  give_back(std::move(reader));
}

bool LazyIndex::find(uint64_t svma, std::vector<elf::NamedFrame>& chain) const {
  chain.clear();
  auto after = std::upper_bound(claims_.begin(), claims_.end(), svma,
                                [](uint64_t at, const elf::CodeClaim& claim) { return at < claim.begin; });
  if (after == claims_.begin() || svma >= (after - 1)->end) { return true; }
  uint32_t number = (after - 1)->unit;
  const elf::UnitSymbols* unit = find_read(number, svma);
  if (unit == nullptr) { unit = require_unit(number); }
  if (unit == nullptr) { return false; }
  unit->find(svma, chain);
  return true;
}

const elf::UnitSymbols* LazyIndex::find_read(uint32_t number, uint64_t svma) const {
  if (const elf::UnitSymbols* unit = find_unit(number)) { return unit; }
  const Part* part = slots_[number].part.load(std::memory_order_acquire);
  bool is_known = part != nullptr && std::binary_search(part->svmas.begin(), part->svmas.end(), svma);
  return is_known ? &part->symbols : nullptr;
}

const elf::UnitSymbols* LazyIndex::require_unit(uint32_t number) const {
  Slot& slot = slots_[number];
  std::lock_guard reading(slot.reading);
  if (slot.owned != nullptr) { return slot.owned.get(); }
  if (!reserve(source_->size_of(number), most_bytes_)) { return nullptr; }
  std::unique_ptr<elf::UnitSymbolsReader> reader = take_reader();
  slot.owned = std::make_unique<const elf::UnitSymbols>(source_->read(number, *reader));
  slot.symbols.store(slot.owned.get(), std::memory_order_release);
  ++units_read_;
  give_back(std::move(reader));
  return slot.owned.get();
}

bool LazyIndex::reserve(uint64_t bytes, uint64_t most_bytes) const {
  std::lock_guard lock(mutex_);
  if (bytes_read_ > most_bytes || bytes > most_bytes - bytes_read_) { return false; }
  bytes_read_ += bytes;
  return true;
}

std::unique_ptr<elf::UnitSymbolsReader> LazyIndex::take_reader() const {
  std::lock_guard lock(mutex_);
  if (readers_.empty()) { return std::make_unique<elf::UnitSymbolsReader>(); }
  std::unique_ptr<elf::UnitSymbolsReader> reader = std::move(readers_.back());
  readers_.pop_back();
  return reader;
}

void LazyIndex::give_back(std::unique_ptr<elf::UnitSymbolsReader> reader) const {
  std::lock_guard lock(mutex_);
  readers_.push_back(std::move(reader));
}

}  // namespace wick
