// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/image.h"

#include <elf.h>

#include <algorithm>

#include "base/byte_reader.h"
#include "base/text.h"

namespace wick::elf {
namespace {

Bytes slice(Bytes bytes, uint64_t offset, uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) { return {}; }
  return bytes.subspan(static_cast<size_t>(offset), static_cast<size_t>(size));
}

// Above anything in real files; a malicious file could otherwise make every header scan all of its bytes.
constexpr size_t kMaxNameBytes = 4096, kMaxNoteBytes = size_t{1} << 20;
constexpr uint16_t kMaxSegments = 4096;
constexpr unsigned kMaxNotes = 32;
constexpr uint64_t kMaxSections = uint64_t{1} << 20;

std::string_view name_at(Bytes table, uint32_t offset) {
  if (offset >= table.size()) { return {}; }
  ByteReader reader(table.subspan(offset, std::min(table.size() - offset, kMaxNameBytes)));
  std::string_view name = reader.cstring();
  return reader.ok() ? name : std::string_view();
}

}  // namespace

std::string find_build_id(Bytes notes, uint64_t align) {
  ByteReader reader(notes.subspan(0, std::min(notes.size(), kMaxNoteBytes)));
  uint64_t mask = align == 8 ? 7 : 3;
  while (reader.left() >= 12) {
    uint32_t name_size = reader.u32(), desc_size = reader.u32(), type = reader.u32();
    Bytes name = reader.bytes(name_size);
    reader.skip((0 - reader.pos()) & mask);
    Bytes desc = reader.bytes(desc_size);
    if (!reader.ok()) { return {}; }
    bool gnu = name.size() == 4 && std::memcmp(name.data(), "GNU", 4) == 0;
    if (gnu && type == NT_GNU_BUILD_ID && !desc.empty() && desc.size() <= 64) { return to_hex(desc.data(), desc.size()); }
    reader.skip(std::min<uint64_t>((0 - reader.pos()) & mask, reader.left()));
  }
  return {};
}

Result<Image> Image::parse(Bytes bytes) {
  if (bytes.size() < 16 || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) {
    return Error("not an ELF file").with_code(Errc::kBadInput);
  }
  if (bytes[EI_CLASS] != ELFCLASS64 || bytes[EI_DATA] != ELFDATA2LSB) {
    return Error("not a 64-bit little-endian ELF file").with_code(Errc::kBadInput);
  }
  ByteReader header(bytes, EI_NIDENT);
  Image image;
  image.bytes_ = bytes;
  image.type_ = header.u16();
  uint16_t machine = header.u16();
  image.arch_ = machine == EM_X86_64 ? Arch::kX86_64 : machine == EM_AARCH64 ? Arch::kAarch64 : Arch::kUnknown;
  header.u32();
  image.entry_ = header.u64();
  uint64_t program_offset = header.u64(), section_offset = header.u64();
  header.u32();
  header.u16();
  uint16_t program_size = header.u16(), program_count = header.u16();
  uint16_t section_size = header.u16();
  uint64_t section_count = header.u16();
  uint32_t names_index = header.u16();
  if (!header.ok()) { return Error("truncated ELF header").with_code(Errc::kBadInput); }

  unsigned notes = 0;
  for (uint32_t i = 0; i < std::min(program_count, kMaxSegments) && program_size >= sizeof(Elf64_Phdr); ++i) {
    ByteReader r(bytes, 0);
    r.seek(program_offset);
    r.skip(uint64_t{i} * program_size);
    Segment s;
    s.type = r.u32();
    s.flags = r.u32();
    s.offset = r.u64();
    s.vaddr = r.u64();
    r.u64();
    s.file_size = r.u64();
    s.mem_size = r.u64();
    uint64_t align = r.u64();
    if (!r.ok()) { break; }
    image.segments_.push_back(s);
    if (s.type == PT_NOTE && image.build_id_.empty() && ++notes <= kMaxNotes) {
      image.build_id_ = find_build_id(image.segment_bytes(s), align);
    }
  }

  if (section_offset != 0 && section_size >= sizeof(Elf64_Shdr)) {
    std::vector<uint32_t> name_offsets;
    for (uint64_t i = 0;; ++i) {
      // The first header holds counts that exceed 16 bits.
      if (i > 0 && i >= std::min(section_count, kMaxSections)) { break; }
      ByteReader r(bytes, 0);
      r.seek(section_offset);
      r.skip(i * section_size);
      uint32_t name = r.u32();
      Section s;
      s.type = r.u32();
      s.flags = r.u64();
      s.vaddr = r.u64();
      s.offset = r.u64();
      s.size = r.u64();
      s.link = r.u32();
      s.info = r.u32();
      r.u64();
      s.entry_size = r.u64();
      if (!r.ok()) { break; }
      if (i == 0 && section_count == 0) { section_count = s.size; }
      if (i == 0 && names_index == SHN_XINDEX) { names_index = s.link; }
      name_offsets.push_back(name);
      image.sections_.push_back(s);
    }
    if (names_index < image.sections_.size()) {
      Bytes names = image.section_bytes(image.sections_[names_index]);
      for (size_t i = 0; i < name_offsets.size(); ++i) { image.sections_[i].name = name_at(names, name_offsets[i]); }
    }
  }
  if (image.build_id_.empty()) {
    if (const Section* note = image.find_section(".note.gnu.build-id")) {
      image.build_id_ = find_build_id(image.section_bytes(*note), 4);
    }
  }
  return image;
}

const Section* Image::find_section(std::string_view name) const {
  for (const Section& section : sections_) {
    if (section.name == name) { return &section; }
  }
  return nullptr;
}

Bytes Image::section_bytes(const Section& section) const {
  return section.type == SHT_NOBITS ? Bytes() : slice(bytes_, section.offset, section.size);
}

Bytes Image::segment_bytes(const Segment& segment) const { return slice(bytes_, segment.offset, segment.file_size); }

std::optional<uint64_t> Image::svma_of_file_offset(uint64_t file_offset) const {
  // Segments may share a page of the file; prefer the executable one, since callers look up code.
  const Segment* found = nullptr;
  for (const Segment& s : segments_) {
    if (s.type != PT_LOAD || file_offset < s.offset || file_offset - s.offset >= s.file_size) { continue; }
    if (found == nullptr || ((s.flags & PF_X) && !(found->flags & PF_X))) { found = &s; }
  }
  if (found == nullptr) { return std::nullopt; }
  return file_offset - found->offset + found->vaddr;
}

Bytes Image::bytes_at_svma(uint64_t svma) const {
  for (const Segment& s : segments_) {
    if (s.type != PT_LOAD || svma < s.vaddr || svma - s.vaddr >= s.file_size) { continue; }
    Bytes all = segment_bytes(s);
    return all.empty() ? all : all.subspan(static_cast<size_t>(svma - s.vaddr));
  }
  return {};
}

bool Image::has_contents(uint64_t svma) const {
  return std::none_of(sections_.begin(), sections_.end(),
                      [&](const Section& s) { return s.type == SHT_NOBITS && svma >= s.vaddr && svma - s.vaddr < s.size; });
}

}  // namespace wick::elf
