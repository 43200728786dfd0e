// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Builds a symbol index from debug info in two steps: reads each unit in one pass over its entries (on any number of threads),
// then merges all units.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "elf/code_ranges.h"
#include "elf/dwarf.h"
#include "elf/symbol_index.h"

namespace wick::elf {

// The symbols of one unit, with unit-local numbering.
struct UnitSymbols {
  struct Segment {
    uint64_t begin = 0, end = 0;
    uint32_t node = 0;
  };
  struct Line {
    uint64_t begin = 0;
    uint32_t file = 0, line = 0, column = 0;  // file kNothing: a gap
  };
  std::vector<AddressRange> ranges;  // of the unit, sorted and disjoint
  std::vector<Segment> segments;     // by address, disjoint
  std::vector<IndexNode> nodes;
  std::vector<Line> lines;                               // by address
  std::vector<std::string_view> functions;               // views into the sections or `made`
  std::vector<std::string> files;                        // paths
  std::vector<std::shared_ptr<const std::string>> made;  // names not stored in the file

  // Like SymbolIndex::find(), for an address in the unit's ranges.
  void find(uint64_t svma, std::vector<NamedFrame>& chain) const;
  void clear();
};

// One per thread; reuses its memory for the next unit.
class UnitSymbolsReader {
 public:
  // Calls `pause`, if set, from time to time.
  explicit UnitSymbolsReader(std::function<void()> pause = {});
  ~UnitSymbolsReader();
  // `unit` is a compile unit of the program itself, `split` its split unit or null. If `wanted` is set, the result is only valid
  // for these addresses, and its `ranges` are not set if they are not those of the unit's first entry.
  UnitSymbols read(const DwarfUnit& unit, const DwarfUnit* split, const CodeRanges& code,
                   const WantedAddresses* wanted = nullptr);
  // Only the `ranges`; reads all entries only if the unit's first entry has no ranges.
  std::vector<AddressRange> read_ranges(const DwarfUnit& unit, const DwarfUnit* split, const CodeRanges& code);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

// Assigns a range of code to a unit.
struct CodeClaim {
  uint64_t begin = 0, end = 0;
  uint32_t unit = 0;
};
// Returns disjoint claims by address, from the ranges of each unit in file order. If several units claim the same code, the one
// that owns the preceding code keeps it, else the first.
std::vector<CodeClaim> settle_claims(std::span<const std::vector<AddressRange>> ranges_of_units);

// Runs both functions, possibly at the same time.
using RunTogether = std::function<void(const std::function<void()>&, const std::function<void()>&)>;

// Merges all units of a file in file order and consumes them. Keeps at most `most_text` bytes of names and paths: strings may
// overlap in the file, so names with a common suffix could expand to far more than the file's size.
SymbolIndexTables merge_symbols(std::span<UnitSymbols> units, uint64_t most_text = UINT32_MAX, const RunTogether& together = {});

}  // namespace wick::elf
