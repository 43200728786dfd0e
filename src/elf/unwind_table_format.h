// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The header of a compiled unwind table, shared by its writer and its reader.

#include <cstddef>
#include <cstdint>

#include "base/fd.h"
#include "base/hash.h"

namespace wick::elf {

constexpr char kUnwindTableMagic[8] = {'w', 'i', 'c', 'k', 'u', 'n', 'w', '\n'};

struct UnwindTableHeader {
  char magic[8] = {};
  uint32_t version = 0, arch = 0;
  uint64_t base = 0;  // svma of the first 64 KiB page
  uint32_t bucket_count = 0, row_count = 0, rule_count = 0, reserved = 0;
  uint64_t checksum = 0;  // of everything before and after it
};
static_assert(sizeof(UnwindTableHeader) == 48);

inline uint64_t unwind_table_checksum(Bytes blob) {
  constexpr size_t kAt = offsetof(UnwindTableHeader, checksum);
  return hash_pair(hash_bytes(blob.first(kAt)), hash_bytes(blob.subspan(sizeof(UnwindTableHeader))));
}

}  // namespace wick::elf
