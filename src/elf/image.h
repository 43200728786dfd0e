// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A view of a 64-bit little-endian ELF file: program headers, sections, notes. Every offset is checked.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cpu.h"
#include "base/fd.h"
#include "base/result.h"

namespace wick::elf {

struct Segment {
  uint32_t type = 0, flags = 0;
  uint64_t offset = 0, vaddr = 0, file_size = 0, mem_size = 0;
};
struct Section {
  std::string_view name;
  uint32_t type = 0;
  uint64_t flags = 0, vaddr = 0, offset = 0, size = 0, entry_size = 0;
  uint32_t link = 0, info = 0;
};

// Finds the build ID in ELF notes (of a file or the running kernel); hex, or empty.
std::string find_build_id(Bytes notes, uint64_t align = 4);

class Image {
 public:
  // Keeps views into `bytes`, which must outlive it.
  static Result<Image> parse(Bytes bytes);

  Arch arch() const { return arch_; }
  uint16_t type() const { return type_; }  // ET_EXEC, ET_DYN, …
  uint64_t entry() const { return entry_; }
  Bytes bytes() const { return bytes_; }
  const std::vector<Segment>& segments() const { return segments_; }
  const std::vector<Section>& sections() const { return sections_; }
  const Section* find_section(std::string_view name) const;
  // The section's bytes as stored in the file (possibly compressed); empty for SHT_NOBITS or an invalid range.
  Bytes section_bytes(const Section& section) const;
  Bytes segment_bytes(const Segment& segment) const;

  // Hex, or empty. From PT_NOTE, else from .note.gnu.build-id.
  const std::string& build_id() const { return build_id_; }

  // Converts a file offset to a linked address with the program headers, which handles lld's separate segments.
  std::optional<uint64_t> svma_of_file_offset(uint64_t file_offset) const;
  // The file's bytes from a linked address to the end of its segment; empty if no segment contains it.
  Bytes bytes_at_svma(uint64_t svma) const;
  // False in debug files that eu-strip made: they have the segments of the program without their contents.
  bool has_contents(uint64_t svma) const;

 private:
  Bytes bytes_;
  Arch arch_ = Arch::kUnknown;
  uint16_t type_ = 0;
  uint64_t entry_ = 0;
  std::vector<Segment> segments_;
  std::vector<Section> sections_;
  std::string build_id_;
};

}  // namespace wick::elf
