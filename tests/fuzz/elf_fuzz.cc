// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A whole ELF file: headers, notes, debug links, compressed sections, debug information, everything that `wick doctor` looks at.

#include <cstddef>
#include <cstdint>

#include "elf/decompress.h"
#include "elf/image.h"
#include "elf/inspect.h"
#include "elf/linkage.h"
#include "module/debug_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wick;
  Result<elf::Image> image = elf::Image::parse({data, size});
  if (!image.ok()) { return 0; }
  size_t looked = 0;
  for (const elf::Section& section : image->sections()) {
    if (++looked > 64) { break; }
    Result<elf::SectionContents> contents = elf::section_contents(*image, section, 1 << 16);
    if (contents.ok() && contents->bytes.size() > size + (1 << 16)) { __builtin_trap(); }
  }
  elf::Inspection facts = elf::inspect(*image);
  if (facts.unwind.covered_bytes > facts.unwind.code_bytes || facts.unwind.with_frame_pointer > facts.unwind.judged) {
    __builtin_trap();
  }
  read_debug_link(*image);
  elf::SymbolTable symbols(*image);
  elf::Linkage linkage(*image, symbols);
  for (const elf::PltStub& stub : elf::find_plt_stubs(*image)) { linkage.at_stub(stub.start); }
  for (size_t row = 0; row < symbols.size(); ++row) {
    uint64_t start = symbols.at(row).start;
    if (linkage.whole_of(start) == start) { __builtin_trap(); }
  }
  return 0;
}
