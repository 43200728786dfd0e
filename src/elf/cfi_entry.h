// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The entries of `.eh_frame` and `.debug_frame` as bytes: common information entries (CIE) and frame description entries (FDE).
// What their instructions mean is in cfi_program.h.

#include <cstdint>
#include <vector>

#include "base/byte_reader.h"
#include "base/fd.h"

namespace wick::elf {

// A stretch of the file as it is mapped, for pointers that are stored indirectly.
struct LoadedBytes {
  uint64_t svma = 0;
  Bytes bytes;
};

struct CfiSection {
  Bytes bytes;
  uint64_t svma = 0;
  bool eh = true;     // .eh_frame; else .debug_frame
  bool sized = true;  // the size is that of a section, not "to the end of the segment": zeros inside do not end it
  uint64_t text_svma = 0, data_svma = 0;  // what DW_EH_PE_textrel and DW_EH_PE_datarel count from
  std::vector<LoadedBytes> loaded;
};

struct Cie {
  uint64_t code_align = 1;
  int64_t data_align = 1;
  uint64_t return_register = 0;
  uint8_t pointer_encoding = 0;  // DW_EH_PE_…
  bool has_augmentation_data = false;
  bool signal_frame = false;
  size_t program_begin = 0, program_end = 0;  // offsets in the section
};

// One FDE, or a CIE (then only the first three are set).
struct CfiEntryHead {
  size_t offset = 0, next = 0;  // of the entry and of the one after it
  bool is_cie = false;
  uint64_t cie_offset = 0;
  size_t body = 0;  // where pc_begin stands
};

struct Fde {
  uint64_t begin = 0, end = 0;  // svma; begin < end
  size_t program_begin = 0, program_end = 0;
};

enum class HeadKind : uint8_t { kEntry, kZero, kBad };
HeadKind read_head(const CfiSection& section, size_t offset, CfiEntryHead& head);
bool read_cie(const CfiSection& section, uint64_t offset, Cie& cie);
bool read_fde(const CfiSection& section, const CfiEntryHead& head, const Cie& cie, Fde& fde);
// A pointer in one of the DW_EH_PE_ encodings at the reader's place; the reader reads the section from its beginning.
bool read_pointer(const CfiSection& section, ByteReader& reader, uint8_t encoding, uint64_t function_svma, uint64_t& value);

}  // namespace wick::elf
