// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Symbol tables and linkage stubs of an ELF file: ranges are disjoint and in order, and each is found where it is.

#include <elf.h>

#include <cstddef>
#include <cstdint>

#include "elf/code_row.h"
#include "elf/image.h"
#include "elf/plt_row.h"
#include "elf/symbols.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wick;
  for (const std::optional<elf::CodeRow>& row : elf::find_code_rows({data, size}, size / 2)) {
    if (row && row->distance < 8 && !row->by_fp) { __builtin_trap(); }
  }
  Result<elf::Image> image = elf::Image::parse({data, size});
  if (!image.ok()) { return 0; }
  elf::SymbolTable table(*image);
  uint64_t last = 0;
  for (size_t i = 0; i < table.size(); ++i) {
    elf::SymbolRange range = table.at(i);
    if (range.start < last || range.end <= range.start) { __builtin_trap(); }
    last = range.end;
    std::optional<elf::SymbolRange> found = table.find(range.end - 1);
    if (!found || found->start != range.start || found->name.data() != range.name.data()) { __builtin_trap(); }
  }
  (void)elf::find_symbol(*image, "_stext");
  (void)elf::find_symbol(*image, "");
  (void)elf::find_build_id({data, size});
  elf::FrameRow row;
  for (size_t i = 0; i < image->sections().size() && i < 64; ++i) {
    const elf::Section& section = image->sections()[i];
    if ((section.flags & SHF_EXECINSTR) == 0) { continue; }  // no stubs there
    for (uint64_t at = 0; at < section.size && at < 64; ++at) { (void)elf::find_plt_row(*image, section.vaddr + at, row); }
  }
  table.find(0);
  table.find(UINT64_MAX);
  return 0;
}
