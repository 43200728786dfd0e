// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Call frame information: for every address of a program, how to find the caller's registers. Read from `.eh_frame` and, for what
// that does not cover, `.debug_frame`.
//
// Entries are found through the sorted table in `.eh_frame_hdr` where there is one, so that the first question about a file of
// hundreds of megabytes costs microseconds. Without it (a static program) a sorted list is made on first use.

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

// How to find the caller's value of one register. Expressions view the section's bytes.
struct RegisterRule {
  enum class Kind : uint8_t {
    kUnspecified,  // the ABI decides: callee-saved registers are unchanged, others lost
    kUndefined,
    kSame,
    kAtCfa,         // in memory at CFA + offset
    kCfaPlus,       // is CFA + offset
    kRegister,      // is in the register `offset`
    kAtExpression,  // in memory where the expression says
    kExpression,    // is the value of the expression
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

// What holds for the addresses [begin, end).
struct FrameRow {
  uint64_t begin = 0, end = 0;
  CfaRule cfa;
  std::array<RegisterRule, Registers::kCount> registers;
  unsigned return_register = 0;
  bool signal_frame = false;  // the caller was interrupted, it did not call

  RegisterRule* rule(uint64_t reg) { return reg < registers.size() ? &registers[reg] : nullptr; }
};

class Cfi {
 public:
  explicit Cfi(const Image& image);
  // From loose sections; `hdr` may be empty.
  Cfi(Arch arch, CfiSection eh_frame, LoadedBytes hdr, CfiSection debug_frame);
  ~Cfi();

  Arch arch() const { return arch_; }
  bool empty() const { return sections_[0].bytes.empty() && sections_[1].bytes.empty(); }
  size_t size_bytes() const { return sections_[0].bytes.size() + sections_[1].bytes.size(); }
  bool find_row(uint64_t svma, FrameRow& row) const;
  // Where the function that covers `svma` begins.
  bool find_function(uint64_t svma, uint64_t& begin) const;

  // For the table compiler: all functions by address, .eh_frame's before .debug_frame's where they begin alike.
  struct Entry {
    uint64_t begin = 0;
    uint32_t offset = 0;
    uint8_t section = 0;
  };
  std::vector<Entry> list_entries() const;
  // All rows of one function, in order; `visit` says whether to go on. False when the entry could not be understood to its end.
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
  std::vector<uint8_t> decompressed_;   // holds .debug_frame where the file has it compressed
  LoadedBytes header_;                  // .eh_frame_hdr
  Bytes search_table_;                  // in it: pairs of 32-bit offsets, sorted; empty when it cannot be searched
  std::unique_ptr<Lists> lists_;
};

}  // namespace wick::elf
