// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Test helper: a small Go program with its table in each layout, and options that make it harder to read.
//   main.main  0x401000..0x401100  main.go:5
//   main.work  0x401100..0x401180  main.go:10; from 0x401110 to 0x401140 main.step (step.go:20), inlined in line 11; then line 12

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "base/byte_writer.h"
#include "elf/elf_builder.h"
#include "elf/go_pclntab.h"

namespace wick::elf {

struct GoProgram {
  GoTable::Version version = GoTable::Version::kGo120;
  bool named_section = true;   // else found by its magic
  bool text_in_header = true;  // else only in the module data
  bool module_data = true;
  bool relocated = false;    // pointers are stored as relocations
  bool wrong_trees = false;  // the pointer to the inline trees is wrong
  uint16_t machine = EM_X86_64;

  static constexpr uint64_t kText = 0x401000, kTable = 0x500000, kData = 0x600000;

  std::vector<uint8_t> build() const;

 private:
  using Values = std::initializer_list<std::pair<int, unsigned>>;  // (value, length)

  unsigned quantum() const { return machine == EM_AARCH64 ? 4 : 1; }
  uint32_t add_values(ByteWriter& out, Values values) const {
    auto at = static_cast<uint32_t>(out.size());
    int last = -1;
    for (auto [value, length] : values) {
      int d = value - last;
      out.uleb(d < 0 ? (static_cast<uint64_t>(~int64_t{d}) << 1 | 1) : static_cast<uint64_t>(d) << 1);
      out.uleb(length / quantum());
      last = value;
    }
    out.u8(0);
    return at;
  }
};

inline std::vector<uint8_t> GoProgram::build() const {
  using Version = GoTable::Version;
  const bool old = version == Version::kGo12, counted = version >= Version::kGo118, newest = version == Version::kGo120;
  const unsigned word = counted ? 4 : 8;
  std::vector<std::pair<uint64_t, uint64_t>> pointers;  // (address, value)

  // Parts whose offsets in the table are known only after all are built.
  const std::string names = std::string("main.main\0main.work\0main.step\0", 30), files = std::string("main.go\0step.go\0", 16);
  ByteWriter values;
  values.u8(0);  // 0 means no list
  uint32_t main_file = add_values(values, {{0, 0x100}}), main_line = add_values(values, {{5, 0x100}});
  uint32_t work_file = add_values(values, {{0, 0x10}, {1, 0x30}, {0, 0x40}});
  uint32_t work_line = add_values(values, {{10, 8}, {11, 8}, {20, 0x30}, {12, 0x40}});
  uint32_t work_tree = add_values(values, {{-1, 0x10}, {0, 0x30}, {-1, 0x40}});

  ByteWriter header;
  header.u32(old ? 0xfffffffb : version == Version::kGo116 ? 0xfffffffa : counted && !newest ? 0xfffffff0 : 0xfffffff1);
  header.u16(0);
  header.u8(static_cast<uint8_t>(quantum()));
  header.u8(8);
  header.u64(2);
  size_t header_size = old ? 16 : counted ? 72 : 64;
  uint64_t at = header_size;
  auto place = [&](size_t size) { return std::exchange(at, (at + size + 7) & ~uint64_t{7}); };
  uint64_t functions_at = old ? 16 : 0;
  if (old) { at = 16 + 2 * 16 + 16; }
  uint64_t names_at = place(names.size()), units_at = place(12), files_at = place(files.size()), values_at = place(values.size());
  if (!old) { functions_at = place(0); }
  const uint64_t base = old ? 0 : functions_at;  // base of function offsets
  const uint64_t name_base = old ? names_at : 0, value_base = old ? values_at : 0;

  ByteWriter functions, rows;
  uint64_t rows_size = old ? 0 : 3 * 2 * word;
  uint64_t first_function = old ? at : functions_at + rows_size;
  auto add_row = [&](uint64_t start, uint64_t offset) {
    uint64_t row_at = functions_at + rows.size();
    if (counted) {
      rows.u32(static_cast<uint32_t>(start - kText));
      rows.u32(static_cast<uint32_t>(offset));
    } else {
      pointers.push_back({kTable + row_at, start});
      rows.u64(relocated ? 0 : start);
      rows.u64(offset);
    }
  };
  auto add_function = [&](uint64_t start, uint32_t name, uint32_t file, uint32_t line, uint32_t tree) {
    add_row(start, first_function + functions.size() - base);
    if (counted) {
      functions.u32(static_cast<uint32_t>(start - kText));
    } else {
      functions.u64(start);
    }
    functions.u32(name + static_cast<uint32_t>(name_base));
    functions.u32(0);
    functions.u32(0);
    functions.u32(0);
    functions.u32(file + static_cast<uint32_t>(value_base));
    functions.u32(line + static_cast<uint32_t>(value_base));
    functions.u32(tree != 0 ? 3 : 0);
    if (!old) { functions.u32(1); }  // the first file of its unit
    if (newest) { functions.u32(1); }
    functions.u8(0);
    functions.u8(0);
    functions.u8(0);
    functions.u8(tree != 0 ? 4 : 0);
    for (uint32_t value : {0u, 0u, tree}) { functions.u32(tree != 0 ? value : 0); }
    for (uint32_t value : {UINT32_MAX, UINT32_MAX, UINT32_MAX, 16u}) { functions.u32(value); }
  };
  add_function(kText, 0, main_file, main_line, 0);
  add_function(kText + 0x100, 10, work_file, work_line, newest ? work_tree : 0);
  add_row(kText + 0x180, 0);

  std::vector<uint8_t> table = header.take();
  auto put = [&](uint64_t offset, Bytes bytes) {
    if (table.size() < offset + bytes.size()) { table.resize(offset + bytes.size()); }
    std::copy(bytes.begin(), bytes.end(), table.begin() + static_cast<std::ptrdiff_t>(offset));
  };
  auto put_numbers = [&](uint64_t offset, std::initializer_list<uint64_t> numbers, unsigned size) {
    ByteWriter out;
    for (uint64_t n : numbers) { size == 4 ? out.u32(static_cast<uint32_t>(n)) : out.u64(n); }
    std::vector<uint8_t> bytes = out.take();
    put(offset, bytes);
  };
  std::vector<uint8_t> value_bytes = values.take(), function_bytes = functions.take(), row_bytes = rows.take();
  put(names_at, as_bytes(names));
  put(files_at, as_bytes(files));
  put(values_at, value_bytes);
  put(first_function, function_bytes);
  put(functions_at, row_bytes);
  if (old) {
    put_numbers(units_at, {files_at, files_at + 8}, 4);  // by number
    put_numbers(functions_at + 2 * 16 + 8, {units_at}, 4);
  } else {
    put_numbers(units_at, {UINT32_MAX, 0, 8}, 4);
    put_numbers(16, {2}, 8);
    if (counted) {
      pointers.push_back({kTable + 24, kText});
      put_numbers(24, {text_in_header && !relocated ? kText : 0}, 8);
    }
    put_numbers(counted ? 32 : 24, {names_at, units_at, files_at, values_at, functions_at}, 8);
  }
  if (!text_in_header && counted) { pointers.pop_back(); }

  // The module data, followed by the inline trees.
  std::vector<uint64_t> words(44);
  const uint64_t trees_at = kData + words.size() * 8;
  if (module_data && counted) {
    words[0] = kTable;
    words[1] = kTable + names_at;
    words[4] = kTable + units_at;
    words[7] = kTable + files_at;
    words[10] = kTable + values_at;
    words[13] = words[16] = kTable + functions_at;
    words[20] = words[22] = kText;
    words[21] = kText + 0x180;
    words[40] = wrong_trees ? kTable + 8 : trees_at;
  }
  ByteWriter data;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] != 0) { pointers.push_back({kData + i * 8, words[i]}); }
    data.u64(relocated ? 0 : words[i]);
  }
  for (uint32_t value : {0u, 0u, 0u, 0u}) { data.u32(value); }
  for (uint32_t value : {0u, 20u, 8u, 20u}) { data.u32(value); }  // main.step, called in line 11

  ElfBuilder elf;
  elf.machine = machine;
  uint32_t text = elf.add_text(kText, 0x200);
  uint32_t section =
      elf.add({named_section ? ".gopclntab" : ".hidden", SHT_PROGBITS, SHF_ALLOC, kTable, std::move(table), 0, 0, 0, 0});
  uint32_t data_section = elf.add({".noptrdata", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, kData, data.take(), 0, 0, 0, 0});
  if (!named_section) { elf.add({".go.buildinfo", SHT_PROGBITS, SHF_ALLOC, 0x700000, std::vector<uint8_t>(8), 0, 0, 0, 0}); }
  if (relocated) {
    ByteWriter rela;
    for (auto [address, value] : pointers) {
      rela.u64(address);
      rela.u64(machine == EM_AARCH64 ? R_AARCH64_RELATIVE : R_X86_64_RELATIVE);
      rela.u64(value);
    }
    elf.add({".rela", SHT_RELA, SHF_ALLOC, 0x800000, rela.take(), 0, 0, sizeof(Elf64_Rela), 0});
  }
  elf.add_load(text);
  elf.add_load(section, PF_R);
  elf.add_load(data_section, PF_R | PF_W);
  return elf.build();
}

}  // namespace wick::elf
