// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A compiled unwind table from a cache written by someone else: unchanged, and with a corrected checksum, since a wrong one ends
// reading before anything else is examined.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "base/result.h"
#include "elf/unwind_table.h"
#include "elf/unwind_table_format.h"

namespace {

void use(wick::Bytes blob) {
  wick::Result<wick::elf::UnwindTable> table = wick::elf::UnwindTable::open(blob);
  if (!table.ok()) { return; }
  uint64_t base = 0;
  std::memcpy(&base, blob.data() + offsetof(wick::elf::UnwindTableHeader, base), 8);
  for (uint64_t distance = 0; distance < 0x40000; distance += 97) {
    WICK_ASSERT(table->find(base + distance).kind <= wick::elf::CompactRule::Kind::kPlt, "only kinds that a table can have");
  }
  (void)table->find(base - 1);
  (void)table->find(UINT64_MAX);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // The reader requires alignment, and padding would hide an overrun: 16-byte aligned storage of the exact size.
  std::unique_ptr<uint8_t[]> exact(new uint8_t[size]);
  std::memcpy(exact.get(), data, size);
  use({exact.get(), size});
  if (size >= sizeof(wick::elf::UnwindTableHeader)) {
    uint64_t sum = wick::elf::unwind_table_checksum({exact.get(), size});
    std::memcpy(exact.get() + offsetof(wick::elf::UnwindTableHeader, checksum), &sum, 8);
    use({exact.get(), size});
  }
  return 0;
}
