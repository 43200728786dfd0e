// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Call frame information (CFI): how to find the caller's registers at every address of a program. Read from `.eh_frame` and, for
// code that it does not cover, `.debug_frame`.
//
// The sorted table in `.eh_frame_hdr` locates entries, so the first lookup in a file of hundreds of megabytes costs microseconds.
// If it is missing (static programs), the first use builds a sorted list.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/cpu.h"
#include "base/fd.h"
#include "elf/cfi_entry.h"
#include "elf/image.h"

namespace wick::elf {

// How to recover the caller's value of one register. Expressions are views into the section's bytes.
struct RegisterRule {
  enum class Kind : uint8_t {
    kUnspecified,  // the ABI decides: callee-saved registers are unchanged, others lost
    kUndefined,
    kSame,
    kAtCfa,         // in memory at CFA + offset
    kCfaPlus,       // the value is CFA + offset
    kRegister,      // the value is in the register `offset`
    kAtExpression,  // in memory at the address that the expression computes
    kExpression,    // the value of the expression
  };
  Kind kind = Kind::kUnspecified;
  uint32_t size = 0;
  union {
    int64_t offset = 0;
    const uint8_t* bytes;
  };

  Bytes expression() const { return {bytes, size}; }
};

// The canonical frame address: the stack pointer in the caller right before the call.
struct CfaRule {
  enum class Kind : uint8_t { kNone, kRegister, kExpression };
  Kind kind = Kind::kNone;
  uint32_t reg_or_size = 0;
  union {
    int64_t offset = 0;
    const uint8_t* bytes;
  };

  uint32_t reg() const { return reg_or_size; }
  Bytes expression() const { return {bytes, reg_or_size}; }
  void set_register(uint64_t reg, int64_t off) {
    kind = Kind::kRegister;
    reg_or_size = reg > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(reg);
    offset = off;
  }
  void set_expression(Bytes block) {
    kind = Kind::kExpression;
    reg_or_size = static_cast<uint32_t>(block.size());
    bytes = block.data();
  }
};

// The rules for the addresses [begin, end).
struct FrameRow {
  uint64_t begin = 0, end = 0;
  CfaRule cfa;
  std::array<RegisterRule, Registers::kCount> registers;
  unsigned return_register = 0;
  bool signal_frame = false;  // the caller was interrupted and made no call

  RegisterRule* rule(uint64_t reg) { return reg < registers.size() ? &registers[reg] : nullptr; }
};

class Cfi {
 public:
  explicit Cfi(const Image& image);
  // From separate sections; `hdr` may be empty.
  Cfi(Arch arch, CfiSection eh_frame, LoadedBytes hdr, CfiSection debug_frame);
  ~Cfi();

  Arch arch() const { return arch_; }
  bool empty() const { return sections_[0].bytes.empty() && sections_[1].bytes.empty(); }
  size_t size_bytes() const { return sections_[0].bytes.size() + sections_[1].bytes.size(); }
  bool find_row(uint64_t svma, FrameRow& row) const;
  // Finds the start of the function that covers `svma`.
  bool find_function(uint64_t svma, uint64_t& begin) const;
  // Finds the last function of .eh_frame that starts at or before `svma`, even if it does not cover it.
  bool find_function_before(uint64_t svma, uint64_t& begin, uint64_t& end) const;

  // For the table compiler: all functions by address; for the same start, those of .eh_frame before those of .debug_frame.
  struct Entry {
    uint64_t begin = 0;
    uint32_t offset = 0;
    uint8_t section = 0;
  };
  std::vector<Entry> list_entries() const;
  // Visits all rows of one function in order while `visit` returns true. Returns false if the entry is malformed.
  bool visit_rows(const Entry& entry, const std::function<bool(const FrameRow&)>& visit) const;
  const CfiSection& section(unsigned index) const { return sections_[index]; }

 private:
  struct Lists;
  bool find_entry(unsigned section, uint64_t svma, size_t& offset) const;
  bool search_header(uint64_t svma, size_t& offset) const;
  void read_header(const LoadedBytes& hdr);
  void append_entries(unsigned section, std::vector<Entry>& out) const;
  bool read_entry(unsigned section, size_t offset, uint64_t svma, Cie& cie, Fde& fde) const;
  bool row_in_entry(unsigned section, size_t offset, uint64_t svma, FrameRow& row) const;
  template <typename Visit>
  bool run_entry(unsigned section, size_t offset, uint64_t svma, FrameRow& row, Visit&& visit) const;

  Arch arch_ = Arch::kUnknown;
  std::array<CfiSection, 2> sections_;  // .eh_frame, .debug_frame
  std::vector<uint8_t> decompressed_;   // owns .debug_frame if the file has it compressed
  LoadedBytes header_;                  // .eh_frame_hdr
  Bytes search_table_;                  // sorted pairs of 32-bit offsets inside header_; empty if not searchable
  std::unique_ptr<Lists> lists_;
};

}  // namespace wick::elf
