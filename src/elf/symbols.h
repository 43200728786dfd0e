// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The function symbols of an ELF file as a flat sorted array of disjoint ranges, from .symtab, .dynsym, the table inside
// .gnu_debugdata, and the PLT stubs ("memcpy@plt"). Names stay in the file until needed.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "elf/image.h"

namespace wick::elf {

// A function, or a part of one that no inner symbol covers.
struct SymbolRange {
  uint64_t start = 0, end = 0;
  std::string_view name;
};

class SymbolTable {
 public:
  // Keeps views into the image's bytes. Never fails: skips damaged entries.
  explicit SymbolTable(const Image& image);
  // Adds the symbols of a separate debug file of the same build (with the same addresses); `debug` must outlive this, too.
  SymbolTable(const Image& image, const Image& debug);

  // A symbol covers exactly its size; one without a size extends to the next symbol or the end of its section.
  std::optional<SymbolRange> find(uint64_t svma) const;
  static constexpr uint32_t kNothing = UINT32_MAX;
  uint32_t find_row(uint64_t svma) const;  // kNothing: none
  SymbolRange at(size_t row) const;        // by address
  // The source file name (without directories) of a local symbol, if the table has it.
  std::string_view file_at(size_t row) const;
  size_t size() const { return ranges_.size(); }

  // Numbers of function symbols in each table.
  size_t symtab_count() const { return symtab_count_; }
  size_t dynsym_count() const { return dynsym_count_; }
  size_t minidebug_count() const { return minidebug_count_; }

 private:
  friend class SymbolCollector;
  struct Range {
    uint64_t start = 0;
    uint32_t length = 0, name = 0, file = 0;  // file 0: unknown
    uint8_t strings = 0;
  };

  void build(const Image& image, const Image* debug);
  std::string_view text_at(uint8_t strings, uint32_t offset) const;

  std::vector<Range> ranges_;
  std::vector<Bytes> strings_;         // string tables that `name` points into
  std::unique_ptr<std::string> made_;  // generated names: PLT stubs
  std::vector<uint8_t> minidebug_;     // decompressed .gnu_debugdata
  size_t symtab_count_ = 0, dynsym_count_ = 0, minidebug_count_ = 0;
};

// The value of any symbol of .symtab; a linear search.
std::optional<uint64_t> find_symbol(const Image& image, std::string_view name);

// Whether the name can be a function's: not a mapping symbol ($x, $d) or a local label (.L1).
bool is_function_name(std::string_view name);

// PLT stubs, found by decoding them, for both CPUs. By address within each section.
struct PltStub {
  uint64_t start = 0;
  uint32_t length = 0;
  std::string_view function;
};
std::vector<PltStub> find_plt_stubs(const Image& image);

// Longer names of imported functions are truncated.
constexpr size_t kMaxLinkedName = 1024;

// Pointers that the dynamic linker sets to imported functions, by address.
struct LinkedSlot {
  uint64_t address = 0;
  std::string_view function;
};
std::vector<LinkedSlot> find_linked_slots(const Image& image);

}  // namespace wick::elf
