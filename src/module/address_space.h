// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The modules mapped in a process. Immutable while shared: a change then makes a copy, so workers use one without locks while the
// recorder continues. Mappings are stored in chunks, and a change copies only the chunks it touches. Adding a mapping to a
// process with 60,000 costs a microsecond, and slightly more if a sample came since the last change.

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

// A location in a module: the linked address, or the mapped address for modules without an image. An address in the mapping of an
// ELF file but in none of its segments has no place.
struct Place {
  const LoadedModule* module = nullptr;  // null: unknown
  uint64_t svma = 0;
};

class AddressSpace {
 public:
  // Returns the space for modification; replaces it with a copy first if others hold it.
  static AddressSpace& own(std::shared_ptr<AddressSpace>& space);
  // The mapping replaces the parts of older ones that it covers.
  void map(const Mapping& mapping);
  void unmap(uint64_t start, uint64_t end);

  // Changed copies.
  std::shared_ptr<const AddressSpace> with(const Mapping& mapping) const;
  std::shared_ptr<const AddressSpace> with(std::span<const Mapping> mappings) const;  // later ones win
  std::shared_ptr<const AddressSpace> without(uint64_t start, uint64_t end) const;

  const Mapping* find(uint64_t avma) const;
  Place place(uint64_t avma) const;
  std::vector<Mapping> mappings() const;  // all, by start
  uint64_t end() const { return chunks_.empty() ? 0 : chunks_.back()->back().end; }
  uint64_t serial() const { return serial_; }  // unique among all address spaces of a run; 0 is the empty one

 private:
  using Chunk = std::vector<Mapping>;  // never empty

  static std::shared_ptr<AddressSpace> copy_of(const AddressSpace& space);
  // Removes everything in the range and inserts the mapping, if given.
  void replace(uint64_t start, uint64_t end, const Mapping* mapping);

  std::vector<std::shared_ptr<Chunk>> chunks_;  // mappings by start, disjoint
  uint64_t serial_ = 0;
};

}  // namespace wick
