// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Test helper: writes valid and malformed debug info byte by byte.

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "elf/dwarf_constants.h"
#include "elf/elf_builder.h"

namespace wick::elf {

class DwarfBuilder {
 public:
  struct Attribute {
    uint16_t name, form;
  };
  ByteWriter info, abbrev, str, line, ranges;
  uint64_t code_begin = 0x1000, code_size = 0x10000;
  uint16_t version = 4;

  void abbreviation(uint64_t code, uint16_t tag, bool children, std::initializer_list<Attribute> attributes) {
    abbrev.uleb(code);
    abbrev.uleb(tag);
    abbrev.u8(children);
    for (const Attribute& a : attributes) {
      abbrev.uleb(a.name);
      abbrev.uleb(a.form);
    }
    abbrev.u16(0);
  }
  // The compile unit's abbreviation: code 1, with children, an address range and a line table.
  void usual_root() {
    abbreviation(1, dw::kTagCompileUnit, true,
                 {{dw::kAtLowPc, dw::kFormAddr}, {dw::kAtHighPc, dw::kFormData4}, {dw::kAtStmtList, dw::kFormSecOffset}});
  }
  static void root_entry(ByteWriter& out, uint64_t low, uint32_t size, uint32_t lines = 0) {
    out.u8(1);
    out.u64(low);
    out.u32(size);
    out.u32(lines);
  }
  // Returns the offset of its first entry.
  uint32_t unit(std::span<const uint8_t> entries, uint32_t abbrev_offset = 0) {
    info.u32(static_cast<uint32_t>(entries.size()) + 7);
    info.u16(version);
    info.u32(abbrev_offset);
    info.u8(8);
    auto first = static_cast<uint32_t>(info.size());
    info.bytes(entries);
    return first;
  }
  // A line table with one file "f.c", followed by `program`.
  uint32_t lines(std::span<const uint8_t> program) {
    ByteWriter head;
    head.u8(1);     // minimum instruction length
    head.u8(1);     // maximum operations per instruction
    head.u8(1);     // default is_stmt
    head.u8(0xff);  // line base -1
    head.u8(4);     // line range
    head.u8(13);    // first special opcode
    for (uint8_t operands : {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1}) { head.u8(operands); }
    head.u8(0);  // no directories
    head.bytes(as_bytes(std::string_view("f.c\0\0\0\0", 7)));
    head.u8(0);  // no more files
    auto at = static_cast<uint32_t>(line.size());
    line.u32(static_cast<uint32_t>(2 + 4 + head.size() + program.size()));
    line.u16(4);
    line.u32(static_cast<uint32_t>(head.size()));
    line.bytes(head.data());
    line.bytes(program);
    return at;
  }

  std::vector<uint8_t> build(const std::vector<ElfBuilder::Part>& more = {}, const std::vector<uint8_t>& build_id = {}) const {
    ElfBuilder elf;
    elf.add_load(elf.add_text(code_begin, code_size));
    if (!build_id.empty()) { elf.add_build_id(build_id); }
    auto add = [&](const char* name, const ByteWriter& bytes) {
      std::span<const uint8_t> data = bytes.data();
      if (!data.empty()) { elf.add({name, SHT_PROGBITS, 0, 0, {data.begin(), data.end()}, 0, 0, 0, 0}); }
    };
    add(".debug_info", info);
    add(".debug_abbrev", abbrev);
    add(".debug_str", str);
    add(".debug_line", line);
    add(".debug_ranges", ranges);
    for (const ElfBuilder::Part& part : more) { elf.add(part); }
    return elf.build();
  }
};

}  // namespace wick::elf
