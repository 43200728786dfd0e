// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Line tables (.debug_line, versions 2 to 5): the source line for each code address.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "elf/dwarf.h"

namespace wick::elf {

struct LineRow {
  uint64_t address = 0;
  uint32_t file = 0, line = 0, column = 0;  // file: the unit's file number
};

// A run of rows with ascending addresses that ends before `end`.
struct LineSequence {
  uint64_t begin = 0, end = 0;
  size_t first = 0, count = 0;  // indexes into LineTable::rows
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
  // The path for a file number of the unit; empty if there is none.
  std::string path(uint64_t file) const;
};

// Reads the line table of a unit; for a split unit, that of its skeleton. Damage ends the table but keeps the rows read before.
// Skips sequences that do not start in the code and, if `wanted` is set, those without a wanted address. Replaces `table` but
// reuses its memory.
void read_line_table(const DwarfUnit& unit, const CodeRanges& code, const WantedAddresses* wanted, LineTable& table);

// Whether the unit has a line table without a single line, as compilers emit for units without code.
bool has_empty_line_table(const DwarfUnit& unit);

}  // namespace wick::elf
