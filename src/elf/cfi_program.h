// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Interprets call frame instructions. A template over the row type: the table compiler keeps three rules and processes millions
// of entries, the walker's slow path keeps a rule for every register and processes one entry.

#include <cstdint>
#include <vector>

#include "elf/cfi.h"
#include "elf/cfi_entry.h"

namespace wick::elf {

// `Row` has `CfaRule cfa` and `RegisterRule* rule(uint64_t reg)`, which is null for untracked registers.
template <typename Row>
class CfiProgram {
 public:
  CfiProgram(const CfiSection& section, const Cie& cie, Arch arch) : section_(section), cie_(cie), arch_(arch) {}

  // Runs the CIE's instructions; the resulting row is the initial row of each of its FDEs.
  bool run_initial(Row& initial) {
    uint64_t place = 0;
    initial_ = nullptr;
    remembered_.clear();
    return run(cie_.program_begin, cie_.program_end, initial, place, [](uint64_t, uint64_t) { return true; });
  }

  // Calls `on_row(from, to)` each time the address advances, with `row` valid for [from, to), until it returns false. Returns
  // false if the instructions are malformed; rows reported before that are valid.
  template <typename OnRow>
  bool run_function(const Fde& fde, const Row& initial, Row& row, OnRow&& on_row) {
    initial_ = &initial;
    remembered_.clear();
    row = initial;
    uint64_t place = fde.begin;
    bool going = true;
    bool good = run(fde.program_begin, fde.program_end, row, place, [&](uint64_t from, uint64_t to) {
      going = on_row(from, to < fde.end ? to : fde.end) && to < fde.end;
      return going;
    });
    if (good && going && place < fde.end) { on_row(place, fde.end); }
    return good;
  }

 private:
  static constexpr size_t kMaxRemembered = 32;

  static void set(RegisterRule* rule, RegisterRule::Kind kind, int64_t offset) {
    if (rule != nullptr) {
      rule->kind = kind;
      rule->size = 0;
      rule->offset = offset;
    }
  }
  void set_block(RegisterRule* rule, RegisterRule::Kind kind, ByteReader& reader) {
    Bytes block = reader.bytes(reader.uleb());
    if (rule != nullptr && reader.ok()) {
      rule->kind = kind;
      rule->size = static_cast<uint32_t>(block.size());
      rule->bytes = block.data();
    }
  }
  // The product of two numbers of the file may wrap; that only gives a wrong address.
  int64_t scaled(uint64_t n) const { return static_cast<int64_t>(n * static_cast<uint64_t>(cie_.data_align)); }
  void restore(Row& row, uint64_t reg) const {
    RegisterRule* rule = row.rule(reg);
    if (rule == nullptr) { return; }
    *rule = initial_ != nullptr ? *const_cast<Row*>(initial_)->rule(reg) : RegisterRule{};
  }

  template <typename OnRow>
  bool run(size_t begin, size_t end, Row& row, uint64_t& place, OnRow&& on_row) {
    using Kind = RegisterRule::Kind;
    ByteReader reader(section_.bytes.first(end), begin);
    auto advance = [&](uint64_t distance) {
      uint64_t to = place + distance * cie_.code_align;
      if (to < place) {
        reader.fail();
        return true;
      }
      if (to == place) { return true; }
      bool more = on_row(place, to);
      place = to;
      return more;
    };
    while (!reader.at_end()) {
      uint8_t op = reader.u8();
      uint8_t low = op & 0x3f;
      bool more = true;
      switch (op & 0xc0) {
        case 0x40: more = advance(low); break;
        case 0x80: set(row.rule(low), Kind::kAtCfa, scaled(reader.uleb())); break;
        case 0xc0: restore(row, low); break;
        default: more = run_extended(op, reader, row, place, advance, on_row); break;
      }
      if (!reader.ok()) { return false; }
      if (!more) { return true; }
    }
    return true;
  }

  template <typename Advance, typename OnRow>
  bool run_extended(uint8_t op, ByteReader& reader, Row& row, uint64_t& place, Advance&& advance, OnRow&& on_row) {
    using Kind = RegisterRule::Kind;
    switch (op) {
      case 0x00: break;  // nop
      case 0x01: {       // set_loc
        uint64_t to = 0;
        if (!read_pointer(section_, reader, cie_.pointer_encoding, place, to) || to < place) {
          reader.fail();
          break;
        }
        bool more = to == place || on_row(place, to);
        place = to;
        return more;
      }
      case 0x02: return advance(reader.u8());
      case 0x03: return advance(reader.u16());
      case 0x04: return advance(reader.u32());
      case 0x1d: return advance(reader.u64());  // MIPS only, but unambiguous
      case 0x05: {
        uint64_t reg = reader.uleb();
        set(row.rule(reg), Kind::kAtCfa, scaled(reader.uleb()));
        break;
      }
      case 0x06: restore(row, reader.uleb()); break;
      case 0x07: set(row.rule(reader.uleb()), Kind::kUndefined, 0); break;
      case 0x08: set(row.rule(reader.uleb()), Kind::kSame, 0); break;
      case 0x09: {
        uint64_t reg = reader.uleb();
        set(row.rule(reg), Kind::kRegister, static_cast<int64_t>(reader.uleb()));
        break;
      }
      case 0x0a:  // remember_state
        if (remembered_.size() >= kMaxRemembered) {
          reader.fail();
          break;
        }
        remembered_.push_back(row);
        break;
      case 0x0b:  // restore_state
        if (remembered_.empty()) {
          reader.fail();
          break;
        }
        row = remembered_.back();
        remembered_.pop_back();
        break;
      case 0x0c: {
        uint64_t reg = reader.uleb();
        row.cfa.set_register(reg, static_cast<int64_t>(reader.uleb()));
        break;
      }
      case 0x0d:
        if (row.cfa.kind != CfaRule::Kind::kRegister) {
          reader.fail();
          break;
        }
        row.cfa.set_register(reader.uleb(), row.cfa.offset);
        break;
      case 0x0e:
        if (row.cfa.kind != CfaRule::Kind::kRegister) {
          reader.fail();
          break;
        }
        row.cfa.offset = static_cast<int64_t>(reader.uleb());
        break;
      case 0x0f: {  // def_cfa_expression
        Bytes block = reader.bytes(reader.uleb());
        row.cfa.set_expression(block);
        break;
      }
      case 0x10: set_block(row.rule(reader.uleb()), Kind::kAtExpression, reader); break;
      case 0x16: set_block(row.rule(reader.uleb()), Kind::kExpression, reader); break;
      case 0x11: {
        uint64_t reg = reader.uleb();
        set(row.rule(reg), Kind::kAtCfa, scaled(static_cast<uint64_t>(reader.sleb())));
        break;
      }
      case 0x12: {
        uint64_t reg = reader.uleb();
        row.cfa.set_register(reg, scaled(static_cast<uint64_t>(reader.sleb())));
        break;
      }
      case 0x13:
        if (row.cfa.kind != CfaRule::Kind::kRegister) {
          reader.fail();
          break;
        }
        row.cfa.offset = scaled(static_cast<uint64_t>(reader.sleb()));
        break;
      case 0x14: {
        uint64_t reg = reader.uleb();
        set(row.rule(reg), Kind::kCfaPlus, scaled(reader.uleb()));
        break;
      }
      case 0x15: {
        uint64_t reg = reader.uleb();
        set(row.rule(reg), Kind::kCfaPlus, scaled(static_cast<uint64_t>(reader.sleb())));
        break;
      }
      case 0x2c:  // AARCH64_negate_ra_state_with_pc
      case 0x2d:  // AARCH64_negate_ra_state; on other CPUs GNU_window_save, which has no operand either and is unused on x86_64
        if (arch_ != Arch::kAarch64) { reader.fail(); }
        break;                          // signed or not: return addresses are always stripped
      case 0x2e: reader.uleb(); break;  // GNU_args_size: only matters for exception landing pads
      case 0x2f: {
        uint64_t reg = reader.uleb();
        set(row.rule(reg), Kind::kAtCfa, scaled(0 - reader.uleb()));
        break;
      }
      default: reader.fail(); break;
    }
    return true;
  }

  const CfiSection& section_;
  const Cie& cie_;
  Arch arch_;
  const Row* initial_ = nullptr;
  std::vector<Row> remembered_;
};

}  // namespace wick::elf
