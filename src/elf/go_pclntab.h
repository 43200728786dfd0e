// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The table that Go's runtime uses to print stacks: functions, files and lines of all Go code. Stripping does not remove it. Its
// layout changed with Go 1.2, 1.16, 1.18 and 1.20; each version has its own magic.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "elf/image.h"
#include "elf/symbol_index.h"

namespace wick::elf {

class GoTable {
 public:
  // Keeps views into the image, which must outlive it. Returns nullopt if the file is not a Go program or its table is damaged.
  static std::optional<GoTable> find(const Image& image);

  // Replaces `chain` with the frames at the address, innermost first; empty if it is in no Go function. Includes inlined
  // functions since Go 1.20.
  void find(uint64_t svma, std::vector<NamedFrame>& chain) const;

  enum class Version : uint8_t { kGo12, kGo116, kGo118, kGo120 };
  Version version() const { return version_; }
  size_t size() const { return function_count_; }
  bool has_inlines() const { return !inline_trees_.empty(); }

 private:
  struct Entry {
    uint64_t start = 0;   // of the function
    uint64_t offset = 0;  // of its record
  };
  struct Function {
    uint64_t start = 0, end = 0;
    std::string_view name;
    uint32_t file_table = 0, line_table = 0, unit_files = 0;
    uint32_t inline_index_table = 0;  // 0: nothing inlined
    Bytes inline_tree;
  };

  explicit GoTable(const Image& image) : image_(&image) {}
  bool read_header(uint64_t svma);
  void read_relocations();
  bool read_module_data();
  bool find_module_data(Bytes bytes, uint64_t svma);
  bool read_module_data_at(uint64_t svma);
  std::optional<uint64_t> pointer_at(uint64_t svma) const;
  std::optional<Entry> entry(size_t row) const;
  std::optional<Function> function_at(uint64_t svma) const;
  std::optional<int32_t> value_at(uint32_t table, const Function& function, uint64_t svma) const;
  std::string_view name_at(uint32_t offset) const;
  NamedFrame place_at(const Function& function, uint64_t svma) const;
  std::string_view file_at(const Function& function, int32_t number) const;

  const Image* image_;
  Version version_ = Version::kGo12;
  uint8_t quantum_ = 1;     // instructions start at multiples of it
  uint64_t svma_ = 0;       // of the table
  uint64_t text_svma_ = 0;  // base of function addresses; 0 before Go 1.18
  size_t function_count_ = 0;
  // Parts of the table; with Go 1.2 each is the complete table.
  Bytes table_, names_, units_, files_, values_, functions_;
  Bytes inline_trees_;                                      // empty if not located
  std::vector<std::pair<uint64_t, uint64_t>> relocations_;  // (address, value), by address: pointers not stored in the file
};

}  // namespace wick::elf
