// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compressed parts of ELF files: SHF_COMPRESSED sections (zlib, zstd), the older .zdebug_*, and .gnu_debugdata (xz).

#include <cstdint>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "elf/image.h"

namespace wick::elf {

enum class Compression : uint8_t { kNone, kZlib, kZstd, kUnknown };
Compression compression_of(const Image& image, const Section& section);

// The contents of a section: a view into the file, or decompressed and owned. Decompression stops after `limit` bytes and sets
// `cut`, so a file cannot exhaust memory, and reading only the beginning is cheap.
struct SectionContents {
  Bytes bytes;
  bool cut = false;
  std::vector<uint8_t> owned;

  SectionContents() = default;
  SectionContents(SectionContents&&) = default;  // moving a vector keeps its bytes in place
  SectionContents& operator=(SectionContents&&) = default;
};
constexpr uint64_t kMaxSectionBytes = uint64_t{4} << 30;
Result<SectionContents> section_contents(const Image& image, const Section& section, uint64_t limit = kMaxSectionBytes);

// Decompresses a complete xz stream; fails if it exceeds `limit` bytes.
Result<std::vector<uint8_t>> decompress_xz(Bytes bytes, uint64_t limit);

// The checksum stored in .gnu_debuglink.
uint32_t debuglink_crc(Bytes bytes);

}  // namespace wick::elf
