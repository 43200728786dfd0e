// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Resolves calls that reach a function indirectly: through a PLT stub, through a pointer set by the dynamic linker, or to a part
// that the compiler split off the function.

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "elf/image.h"
#include "elf/symbols.h"

namespace wick::elf {

// Whether the symbol is a split-off part of a function ("f.cold"), which is jumped to, not called.
bool is_cold_part(std::string_view name);

class Linkage {
 public:
  // Reads all symbols, so create it only when needed. Keeps views into both arguments.
  Linkage(const Image& image, const SymbolTable& symbols);

  // The function symbol that a stub or pointer of this file resolves to; empty: none.
  std::string_view at_stub(uint64_t svma) const;
  std::string_view at_slot(uint64_t svma) const;
  // The target in this file of a pointer that is set before the program runs and read-only afterwards.
  std::optional<uint64_t> pointer_at(uint64_t svma) const;
  // Whether this file exports the function at `svma` under that name.
  bool exports(std::string_view name, uint64_t svma) const;
  // The start of the function whose rarely executed part ("f.cold") starts at `cold`.
  std::optional<uint64_t> whole_of(uint64_t cold) const;

 private:
  struct Cold {
    uint64_t begin = 0, whole = 0;
  };
  void find_cold(const SymbolTable& symbols);
  void find_pointers();

  const Image& image_;
  std::vector<PltStub> stubs_;
  std::vector<LinkedSlot> slots_;
  std::vector<std::pair<uint64_t, std::string_view>> exports_;
  std::vector<Cold> cold_;
  std::vector<std::pair<uint64_t, uint64_t>> pointers_;  // (address, target) by address; only pointers with their own relocation
};

}  // namespace wick::elf
