// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "elf/dwarf.h"

namespace wick::elf {

// A .dwp file: the split debug info of many units, indexed by DWO id.
class DwarfPackage {
 public:
  DwarfPackage() = default;
  // Keeps views into the image's bytes.
  explicit DwarfPackage(const Image& image);
  bool empty() const { return slots_ == 0; }
  // The sections of one unit, as views into this package; nullopt if it has none for `id`.
  std::optional<DwarfSections> find(uint64_t id) const;

 private:
  Bytes part(Bytes section, uint32_t row, unsigned kind) const;

  DwarfSections sections_;
  SectionContents index_;
  uint32_t version_ = 0, columns_ = 0, units_ = 0, slots_ = 0;
  size_t hashes_ = 0, rows_ = 0, kinds_ = 0, offsets_ = 0, sizes_ = 0;  // offsets in the index
};

}  // namespace wick::elf
