// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "elf/symbol_index.h"
#include "elf/symbol_index_build.h"
#include "symbolize/debug_source.h"

namespace wick {

// Determines at the start which unit owns which code, and reads a unit on the first lookup in it. If the addresses are known in
// advance, reads of each unit only what they need, on all cores. Gives the same results as the complete index. Not cached.
class LazyIndex {
 public:
  // Reads units until their entries exceed `most_bytes`; to prepare lookups, at least half of all.
  explicit LazyIndex(std::shared_ptr<const DebugSource> source, uint64_t most_bytes = UINT64_MAX);

  // Reads what lookups of these addresses need; other addresses can still be looked up. Thread-safe. Returns false without
  // reading if the units exceed the limit.
  [[nodiscard]] bool prepare(std::vector<uint64_t> svmas) const;
  // Thread-safe. Views are valid as long as this object. Returns false if the unit exceeds the limit.
  [[nodiscard]] bool find(uint64_t svma, std::vector<elf::NamedFrame>& chain) const;
  bool empty() const { return claims_.empty(); }
  size_t units_read() const { return units_read_; }
  // Null if the unit has not been read completely. Thread-safe.
  const elf::UnitSymbols* find_unit(size_t number) const { return slots_[number].symbols.load(std::memory_order_acquire); }

 private:
  struct Part {
    std::vector<uint64_t> svmas;  // sorted
    elf::UnitSymbols symbols;     // only valid for these
  };
  struct Slot {
    std::mutex reading;
    std::unique_ptr<const elf::UnitSymbols> owned;
    std::unique_ptr<const Part> owned_part;
    std::atomic<const elf::UnitSymbols*> symbols{nullptr};
    std::atomic<const Part*> part{nullptr};
  };
  struct Task {
    uint32_t unit = 0;
    std::vector<uint64_t> svmas;
  };
  std::vector<Task> find_tasks(const std::vector<uint64_t>& sorted) const;
  void run(Task& task) const;
  const elf::UnitSymbols* require_unit(uint32_t number) const;
  // Also valid for the address if only a part of the unit was read for it. Null if nothing was.
  const elf::UnitSymbols* find_read(uint32_t number, uint64_t svma) const;
  bool reserve(uint64_t bytes, uint64_t most_bytes) const;
  std::unique_ptr<elf::UnitSymbolsReader> take_reader() const;
  void give_back(std::unique_ptr<elf::UnitSymbolsReader> reader) const;

  const uint64_t most_bytes_;
  std::vector<elf::CodeClaim> claims_;
  mutable std::vector<Slot> slots_;  // one per unit
  mutable std::atomic<size_t> units_read_{0};
  std::shared_ptr<const DebugSource> source_;
  mutable std::mutex mutex_;  // guards the following
  mutable uint64_t bytes_read_ = 0;
  mutable std::vector<std::unique_ptr<elf::UnitSymbolsReader>> readers_;  // idle ones
};

}  // namespace wick
