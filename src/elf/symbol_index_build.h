// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// From debug information to a symbol index, in two steps: each unit by itself, in one pass over its entries (any number of
// threads may do that), and then all of them put together.

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

// What a unit says, in numbers of its own.
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
  std::vector<std::string_view> functions;               // into the sections, or `made`
  std::vector<std::string> files;                        // paths
  std::vector<std::shared_ptr<const std::string>> made;  // names that are nowhere in the file

  void clear();
};

// One for each thread: keeps memory from unit to unit.
class UnitSymbolsReader {
 public:
  // `pause` is called now and then, if there is one.
  explicit UnitSymbolsReader(std::function<void()> pause = {});
  ~UnitSymbolsReader();
  // `unit` is a compile unit of the program itself; `split` its other half, or null.
  UnitSymbols read(const DwarfUnit& unit, const DwarfUnit* split, const CodeRanges& code);
  // The `ranges` of the same; the unit's entries are read only where its first one does not say.
  std::vector<AddressRange> read_ranges(const DwarfUnit& unit, const DwarfUnit* split, const CodeRanges& code);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

// Which unit speaks for which code.
struct CodeClaim {
  uint64_t begin = 0, end = 0;
  uint32_t unit = 0;
};
// Disjoint, by address, from the ranges of each unit in the order of the file. Where two claim the same code, the one goes on
// that had it, else the first.
std::vector<CodeClaim> settle_claims(std::span<const std::vector<AddressRange>> ranges_of_units);

// All units of a file, in its order. They are used up. At most `most_text` bytes of names and paths are kept: strings may overlap
// in the file, and names that share one end could become far more than it has.
SymbolIndexTables merge_symbols(std::span<UnitSymbols> units, uint64_t most_text = UINT32_MAX);

}  // namespace wick::elf
