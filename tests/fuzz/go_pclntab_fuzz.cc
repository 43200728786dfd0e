// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The table of a Go program: every function found has a name, and chains of inlined calls stay within their limit.

#include "elf/go_pclntab.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wick;
  Result<elf::Image> image = elf::Image::parse({data, size});
  if (!image.ok()) { return 0; }
  std::optional<elf::GoTable> table = elf::GoTable::find(*image);
  if (!table) { return 0; }
  std::vector<elf::NamedFrame> chain;
  for (uint64_t svma :
       {uint64_t{0}, uint64_t{0x401000}, uint64_t{0x401107}, uint64_t{0x401110}, uint64_t{0x40117f}, UINT64_MAX}) {
    table->find(svma, chain);
    if (chain.size() > 129) { __builtin_trap(); }
    for (const elf::NamedFrame& frame : chain) {
      if (frame.function.empty()) { __builtin_trap(); }
    }
  }
  return 0;
}
