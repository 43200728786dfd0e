// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>

#include "symbolize/kernel_symbols.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wick;
  Result<std::unique_ptr<KernelSymbols>> symbols = KernelSymbols::parse({reinterpret_cast<const char*>(data), size});
  if (!symbols.ok()) { return 0; }
  for (uint64_t address : {uint64_t{0}, uint64_t{0xffffffff81000005}, uint64_t{0xffffffffc0001005}, UINT64_MAX}) {
    for (const SymbolizedFrame& frame : (*symbols)->find(address)) {
      if (frame.function.empty() || frame.function.size() > size + 1) { __builtin_trap(); }
    }
  }
  return 0;
}
