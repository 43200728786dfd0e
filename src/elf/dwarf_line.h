// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Line tables (.debug_line, versions 2 to 5): which source line the code at an address comes from.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "elf/dwarf.h"

namespace wick::elf {

struct LineRow {
  uint64_t address = 0;
  uint32_t file = 0, line = 0, column = 0;  // file: as the unit counts them
};

// A run of rows with growing addresses; `end` is the first address behind it.
struct LineSequence {
  uint64_t begin = 0, end = 0;
  size_t first = 0, count = 0;  // of LineTable::rows
};

struct LineTable {
  struct File {
    std::string_view name;
    uint64_t directory = 0;
  };
  uint16_t version = 0;
  std::string_view comp_dir;
  std::vector<std::string_view> directories;
  std::vector<File> files;
  std::vector<LineRow> rows;
  std::vector<LineSequence> sequences;  // by begin

  void clear();
  // The path of a file as a unit numbers it; empty when there is none.
  std::string path(uint64_t file) const;
};

// Reads the table of a unit; of a split unit, that of its skeleton. What is damaged ends it, what was read before stays.
// Sequences that do not begin in the code are left out. `table` is replaced, but keeps its memory.
void read_line_table(const DwarfUnit& unit, const CodeRanges& code, LineTable& table);

}  // namespace wick::elf
