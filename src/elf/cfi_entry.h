// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parses the entries of `.eh_frame` and `.debug_frame`: common information entries (CIE) and frame description entries (FDE).
// cfi_program.h interprets their instructions.

#include <cstdint>
#include <vector>

#include "base/byte_reader.h"
#include "base/fd.h"

namespace wick::elf {

// A part of the file as mapped, for resolving indirect pointers.
struct LoadedBytes {
  uint64_t svma = 0;
  Bytes bytes;
};

struct CfiSection {
  Bytes bytes;
  uint64_t svma = 0;
  bool eh = true;                         // .eh_frame; else .debug_frame
  bool sized = true;                      // the size is a section's, not "to the end of the segment": zeros inside do not end it
  uint64_t text_svma = 0, data_svma = 0;  // bases of DW_EH_PE_textrel and DW_EH_PE_datarel
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

// An FDE, or a CIE (then only the first three are set).
struct CfiEntryHead {
  size_t offset = 0, next = 0;  // of this entry and the next one
  bool is_cie = false;
  uint64_t cie_offset = 0;
  size_t body = 0;  // offset of pc_begin
};

struct Fde {
  uint64_t begin = 0, end = 0;  // svma; begin < end
  size_t program_begin = 0, program_end = 0;
};

enum class HeadKind : uint8_t { kEntry, kZero, kBad };
HeadKind read_head(const CfiSection& section, size_t offset, CfiEntryHead& head);
bool read_cie(const CfiSection& section, uint64_t offset, Cie& cie);
bool read_fde(const CfiSection& section, const CfiEntryHead& head, const Cie& cie, Fde& fde);
// Reads a pointer in a DW_EH_PE_ encoding at the reader's position; the reader must start at the start of the section.
bool read_pointer(const CfiSection& section, ByteReader& reader, uint8_t encoding, uint64_t function_svma, uint64_t& value);

}  // namespace wick::elf
