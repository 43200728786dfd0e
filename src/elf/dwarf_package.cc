// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/dwarf_package.h"

#include <algorithm>
#include <bit>

namespace wick::elf {
namespace {

// Column numbers that both index versions share; 8 means something else in the older one.
enum Column : unsigned { kInfo = 1, kAbbrev = 3, kLine = 4, kStrOffsets = 6, kRnglists = 8 };

constexpr uint32_t kMaxTries = 1024;  // one slot in three is free, so valid tables need few tries

}  // namespace

DwarfPackage::DwarfPackage(const Image& image) : sections_(image, {.dwo = true}) {
  const Section* section = image.find_section(".debug_cu_index");
  if (section == nullptr) { return; }
  Result<SectionContents> contents = section_contents(image, *section);
  if (!contents.ok()) { return; }
  index_ = *std::move(contents);
  ByteReader r(index_.bytes);
  version_ = r.u32();  // version 5 has 16 bits, followed by 16 bits of padding
  columns_ = r.u32();
  units_ = r.u32();
  uint32_t slots = r.u32();
  bool good = r.ok() && (version_ == 2 || version_ == 5) && columns_ > 0 && columns_ <= 8 && std::has_single_bit(slots) &&
              units_ <= slots;
  if (!good) { return; }
  uint64_t table = uint64_t{units_} * columns_ * 4;
  hashes_ = r.pos();
  r.skip(uint64_t{slots} * 8);
  rows_ = r.pos();
  r.skip(uint64_t{slots} * 4);
  kinds_ = r.pos();
  r.skip(uint64_t{columns_} * 4);
  offsets_ = r.pos();
  r.skip(table);
  sizes_ = r.pos();
  r.skip(table);
  if (r.ok()) { slots_ = slots; }
}

Bytes DwarfPackage::part(Bytes section, uint32_t row, unsigned kind) const {
  for (uint32_t column = 0; column < columns_; ++column) {
    if (ByteReader(index_.bytes, kinds_ + size_t{column} * 4).u32() != kind) { continue; }
    size_t cell = (size_t{row} * columns_ + column) * 4;
    uint64_t offset = ByteReader(index_.bytes, offsets_ + cell).u32(), size = ByteReader(index_.bytes, sizes_ + cell).u32();
    if (offset > section.size() || size > section.size() - offset) { return {}; }
    return section.subspan(static_cast<size_t>(offset), static_cast<size_t>(size));
  }
  return {};
}

std::optional<DwarfSections> DwarfPackage::find(uint64_t id) const {
  if (slots_ == 0) { return std::nullopt; }
  uint32_t mask = slots_ - 1, at = static_cast<uint32_t>(id) & mask, step = (static_cast<uint32_t>(id >> 32) & mask) | 1;
  for (uint32_t tries = 0; tries < std::min(slots_, kMaxTries); ++tries, at = (at + step) & mask) {
    uint32_t row = ByteReader(index_.bytes, rows_ + size_t{at} * 4).u32();
    if (row == 0) { return std::nullopt; }
    if (ByteReader(index_.bytes, hashes_ + size_t{at} * 8).u64() != id) { continue; }
    if (row > units_) { return std::nullopt; }
    DwarfSections out;
    out.info = part(sections_.info, row - 1, kInfo);
    out.abbrev = part(sections_.abbrev, row - 1, kAbbrev);
    out.line = part(sections_.line, row - 1, kLine);
    out.str_offsets = part(sections_.str_offsets, row - 1, kStrOffsets);
    if (version_ == 5) { out.rnglists = part(sections_.rnglists, row - 1, kRnglists); }
    out.str = sections_.str;
    return out;
  }
  return std::nullopt;
}

}  // namespace wick::elf
