// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

#include "symbolize/perf_map.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wick;
  std::vector<CodeAddress> wanted = {{0, 1}, {0x1000, 1}, {0x1010, 1}, {0x7f769dfc5b90, 1}, {UINT64_MAX, 1}};
  CodeNames whole(wanted), pieces(wanted);
  PerfMapReader at_once(whole), bit_by_bit(pieces);
  at_once.feed({data, size});
  at_once.finish();
  for (size_t i = 0; i < size; i += 5) { bit_by_bit.feed(Bytes(data, size).subspan(i, std::min<size_t>(5, size - i))); }
  bit_by_bit.finish();
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (whole.names()[i].function != pieces.names()[i].function) { __builtin_trap(); }
  }
  return 0;
}
