// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which module is where in a process. Immutable once shared: a change makes a copy, so that workers can use one without locks
// while the recorder goes on (mappings change seldom, samples come often).

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "module/module.h"

namespace wick {

struct Mapping {
  uint64_t start = 0, end = 0, file_offset = 0;
  const LoadedModule* module = nullptr;
};

// A place in a module: the address as linked, or as mapped for modules without an image. An address in the mapping of an ELF file
// that is in none of its segments is no place.
struct Place {
  const LoadedModule* module = nullptr;  // null: nothing known there
  uint64_t svma = 0;
};

class AddressSpace {
 public:
  // A copy with the mapping added; what it covers of older ones is gone, their rest stays.
  std::shared_ptr<const AddressSpace> with(const Mapping& mapping) const;
  std::shared_ptr<const AddressSpace> with(std::span<const Mapping> mappings) const;  // one copy for all; later ones win
  std::shared_ptr<const AddressSpace> without(uint64_t start, uint64_t end) const;

  const Mapping* find(uint64_t avma) const;
  Place place(uint64_t avma) const;
  const std::vector<Mapping>& mappings() const { return mappings_; }
  uint64_t serial() const { return serial_; }  // differs between any two address spaces of a run; 0 is the empty one

 private:
  static std::shared_ptr<AddressSpace> copy_of(const AddressSpace& space);
  void carve(uint64_t start, uint64_t end);
  void insert(const Mapping& mapping);

  std::vector<Mapping> mappings_;  // by start, disjoint
  uint64_t serial_ = 0;
};

}  // namespace wick
