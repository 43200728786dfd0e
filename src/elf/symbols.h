// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The function symbols of an ELF file as a flat sorted array of disjoint ranges: .symtab, .dynsym, the table inside
// .gnu_debugdata, and the stubs of the procedure linkage table ("memcpy@plt"). Names stay where they are in the file until
// they are asked for.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "elf/image.h"

namespace wick::elf {

// A function, or the part of one that no inner symbol covers.
struct SymbolRange {
  uint64_t start = 0, end = 0;
  std::string_view name;
};

class SymbolTable {
 public:
  // Keeps views into the image's bytes. Never fails: what is damaged is left out.
  explicit SymbolTable(const Image& image);
  // Adds the symbols of a separate debug file of the same build (its addresses are the same); `debug` must outlive this too.
  SymbolTable(const Image& image, const Image& debug);

  // A symbol covers its own size and nothing beyond; one without a size goes to the next symbol or to the end of its section.
  std::optional<SymbolRange> find(uint64_t svma) const;
  static constexpr uint32_t kNothing = UINT32_MAX;
  uint32_t find_row(uint64_t svma) const;  // kNothing: there is none
  SymbolRange at(size_t row) const;        // in order of address
  // What that symbol was compiled from, where the table says (local symbols): a name without folders.
  std::string_view file_at(size_t row) const;
  size_t size() const { return ranges_.size(); }

  // What there was to read; counts of function symbols.
  size_t symtab_count() const { return symtab_count_; }
  size_t dynsym_count() const { return dynsym_count_; }
  size_t minidebug_count() const { return minidebug_count_; }

 private:
  friend class SymbolCollector;
  struct Range {
    uint64_t start = 0;
    uint32_t length = 0, name = 0, file = 0;  // file 0: not known
    uint8_t strings = 0;
  };

  void build(const Image& image, const Image* debug);
  std::string_view text_at(uint8_t strings, uint32_t offset) const;

  std::vector<Range> ranges_;
  std::vector<Bytes> strings_;         // string tables that `name` points into
  std::unique_ptr<std::string> made_;  // names of our own: PLT stubs
  std::vector<uint8_t> minidebug_;     // what .gnu_debugdata holds
  size_t symtab_count_ = 0, dynsym_count_ = 0, minidebug_count_ = 0;
};

// The value of a symbol of .symtab, whatever kind it is; a look at all of them.
std::optional<uint64_t> find_symbol(const Image& image, std::string_view name);

// Whether the name may be that of a function a person would look for: not a mapping symbol ($x, $d) or a local label (.L1).
bool is_function_name(std::string_view name);

// Stubs of the procedure linkage table, by decoding them, for both CPUs. In order of address within each section.
struct PltStub {
  uint64_t start = 0;
  uint32_t length = 0;
  std::string_view function;
};
std::vector<PltStub> find_plt_stubs(const Image& image);

}  // namespace wick::elf
