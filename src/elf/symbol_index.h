// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// All of a file's code in a few flat, sorted arrays: the function at each address, its inline chain, and its source line. Built
// once from the debug info (symbol_index_build.h), written to a file as is, and mapped back.
//
// A segment is a range of code with one innermost function. A node is that function at one place in a tree of inlined calls; its
// parent is the function it was inlined into. A lookup goes through a page table and a short search: about 100 ns regardless of
// file size.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace wick::elf {

struct IndexSegment {
  uint32_t begin = 0;  // from SymbolIndex::base(); ends where the next one begins
  uint32_t node = 0;   // kNothing: unknown
};
struct IndexNode {
  uint32_t function = 0, parent = 0;  // parent kNothing: not inlined
  uint32_t call_file = 0, call_line = 0, call_column = 0;
};
struct IndexLine {
  uint32_t begin = 0;
  uint32_t file = 0;  // kNothing: unknown
  uint32_t line = 0, column = 0;
};

struct IndexText {
  uint32_t offset = 0, size = 0;  // in SymbolIndexTables::strings
};

// One function at an address. `function` or `file` may be empty.
struct NamedFrame {
  std::string_view function, file;
  uint32_t line = 0, column = 0;
};

// The arrays and their storage.
struct SymbolIndexTables {
  static constexpr uint32_t kNothing = UINT32_MAX;

  uint64_t base = 0;
  std::vector<IndexSegment> segments;
  std::vector<IndexNode> nodes;
  std::vector<IndexLine> lines;
  std::vector<IndexText> functions, files;
  std::string strings;
};

class SymbolIndex {
 public:
  static constexpr uint32_t kNothing = SymbolIndexTables::kNothing;
  static constexpr unsigned kMaxDepth = 512;  // of inlined calls

  using Frame = NamedFrame;

  SymbolIndex() = default;
  // Keeps views into the tables, which must outlive it.
  explicit SymbolIndex(const SymbolIndexTables& tables);
  // Keeps views into `bytes`, the concatenation of parts(). Checks enough that no lookup can read out of bounds.
  static Result<SymbolIndex> parse(Bytes bytes);
  // The parts to write to a file: the header, which is built in `header`, and the tables as they are.
  std::vector<Bytes> parts(std::string& header) const;

  // Replaces `chain` with the frames, innermost first. Empty if the address is unknown; one frame without a function if only the
  // line is known.
  void find(uint64_t svma, std::vector<Frame>& chain) const { read_chain(find_place(svma), chain); }
  // The same in two steps: many addresses share a place, and a place always gives the same chain.
  struct Place {
    uint32_t node = kNothing, line = kNothing;  // row numbers
    friend bool operator==(const Place&, const Place&) = default;
  };
  Place find_place(uint64_t svma) const;
  void read_chain(const Place& place, std::vector<Frame>& chain) const;
  // File and line of the innermost frame; the other frames depend on the node alone.
  Frame read_line(const Place& place) const;

  bool empty() const { return segments_.empty() && lines_.empty(); }
  uint64_t base() const { return base_; }
  size_t segment_count() const { return segments_.size(); }
  size_t node_count() const { return nodes_.size(); }
  size_t line_count() const { return lines_.size(); }
  size_t size_bytes() const;

 private:
  static constexpr unsigned kPageBits = 7;

  std::string_view text(std::span<const IndexText> table, uint32_t id) const {
    return id < table.size() ? strings_.substr(table[id].offset, table[id].size) : std::string_view();
  }
  void make_pages();

  uint64_t base_ = 0;
  std::span<const IndexSegment> segments_;
  std::span<const IndexNode> nodes_;
  std::span<const IndexLine> lines_;
  std::span<const IndexText> functions_, files_;
  std::string_view strings_;
  std::vector<uint32_t> segment_pages_, line_pages_;  // the last row that begins at or before each page
};

}  // namespace wick::elf
