// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/unwind_table.h"

#include <cstring>

#include "base/hash.h"
#include "elf/unwind_table_format.h"

namespace wick::elf {
namespace {

constexpr uint8_t kBreg0 = 0x70, kDeref = 0x06, kPlusUconst = 0x23, kLit0 = 0x30, kAnd = 0x1a, kGe = 0x2a, kShl = 0x24,
                  kPlus = 0x22;

bool fits(int64_t value) { return value >= INT32_MIN && value <= INT32_MAX; }

// "load from sp or fp + n", optionally "+ k": functions that realign their stack, and some assembly.
bool match_deref(Bytes expression, RegisterNumbers regs, CompactRule& rule) {
  ByteReader reader(expression);
  unsigned reg = reader.u8() - kBreg0;
  int64_t offset = reader.sleb();
  uint8_t deref = reader.u8();
  if (!reader.ok() || deref != kDeref || (reg != regs.sp && reg != regs.fp) || !fits(offset)) { return false; }
  uint64_t add = 0;
  if (!reader.at_end()) {
    if (reader.u8() != kPlusUconst) { return false; }
    add = reader.uleb();
  }
  if (!reader.ok() || !reader.at_end() || add % 8 != 0 || add / 8 > UINT8_MAX) { return false; }
  rule.kind = reg == regs.sp ? CompactRule::Kind::kDerefSp : CompactRule::Kind::kDerefFp;
  rule.cfa_offset = static_cast<int32_t>(offset);
  rule.extra = static_cast<uint8_t>(add / 8);
  return true;
}

// The linkers' rule for x86_64's PLT: sp + n + (((pc & 15) >= k) << 3).
bool match_plt(Bytes expression, CompactRule& rule) {
  ByteReader reader(expression);
  bool sp = reader.u8() == kBreg0 + x86::kRsp;
  int64_t offset = reader.sleb();
  bool pc = reader.u8() == kBreg0 + x86::kPc && reader.sleb() == 0;
  bool low = reader.u8() == kLit0 + 15 && reader.u8() == kAnd;
  unsigned threshold = reader.u8() - unsigned{kLit0};
  bool end = reader.u8() == kGe && reader.u8() == kLit0 + 3 && reader.u8() == kShl && reader.u8() == kPlus;
  if (!sp || !pc || !low || !end || threshold > 15 || !fits(offset) || !reader.ok() || !reader.at_end()) { return false; }
  rule.kind = CompactRule::Kind::kPlt;
  rule.cfa_offset = static_cast<int32_t>(offset);
  rule.extra = static_cast<uint8_t>(threshold);
  return true;
}

bool match_cfa(Arch arch, const CfaRule& cfa, CompactRule& rule) {
  RegisterNumbers regs = register_numbers(arch);
  switch (cfa.kind) {
    case CfaRule::Kind::kNone: return false;
    case CfaRule::Kind::kRegister:
      if ((cfa.reg() != regs.sp && cfa.reg() != regs.fp) || !fits(cfa.offset)) { return false; }
      rule.kind = cfa.reg() == regs.sp ? CompactRule::Kind::kSp : CompactRule::Kind::kFp;
      rule.cfa_offset = static_cast<int32_t>(cfa.offset);
      return true;
    case CfaRule::Kind::kExpression:
      return match_deref(cfa.expression(), regs, rule) || (arch == Arch::kX86_64 && match_plt(cfa.expression(), rule));
  }
  return false;
}

bool match_fp(Arch arch, const RegisterRule& fp, CompactRule& rule) {
  using Kind = RegisterRule::Kind;
  switch (fp.kind) {
    case Kind::kUnspecified:
    case Kind::kSame: rule.fp = CompactRule::FramePointer::kSame; return true;
    case Kind::kUndefined: rule.fp = CompactRule::FramePointer::kLost; return true;
    case Kind::kAtCfa:
      if (!fits(fp.offset)) { return false; }
      rule.fp = CompactRule::FramePointer::kAtCfa;
      rule.fp_offset = static_cast<int32_t>(fp.offset);
      return true;
    case Kind::kAtExpression: {
      ByteReader reader(fp.expression());
      bool from_fp = reader.u8() == kBreg0 + register_numbers(arch).fp;
      int64_t offset = reader.sleb();
      if (!from_fp || !reader.ok() || !reader.at_end() || !fits(offset)) { return false; }
      rule.fp = CompactRule::FramePointer::kAtFp;
      rule.fp_offset = static_cast<int32_t>(offset);
      return true;
    }
    default: return false;
  }
}

bool match_return(Arch arch, const RegisterRule& ra, CompactRule& rule) {
  using Kind = RegisterRule::Kind;
  switch (ra.kind) {
    case Kind::kUndefined: rule = {.kind = CompactRule::Kind::kOutermost}; return true;
    case Kind::kAtCfa:
      if (!fits(ra.offset)) { return false; }
      rule.ra = CompactRule::Return::kAtCfa;
      rule.ra_offset = static_cast<int32_t>(ra.offset);
      return true;
    case Kind::kUnspecified:
    case Kind::kSame: rule.ra = CompactRule::Return::kInLr; return arch == Arch::kAarch64;
    default: return false;
  }
}

}  // namespace

CompactRule compact_rule(Arch arch, const CfaRule& cfa, const RegisterRule& ra, const RegisterRule& fp, bool odd) {
  CompactRule rule;
  // A row without a caller may lack a CFA.
  bool outermost = ra.kind == RegisterRule::Kind::kUndefined;
  if (odd || (!outermost && !match_cfa(arch, cfa, rule)) || !match_fp(arch, fp, rule) || !match_return(arch, ra, rule)) {
    return {.kind = CompactRule::Kind::kAsk};
  }
  // Compilers do not mark where an epilogue has popped a register: its slot is then below the stack pointer, where memory is
  // unreliable (and not copied), while the register has its old value again.
  if (rule.kind == CompactRule::Kind::kSp && rule.fp == CompactRule::FramePointer::kAtCfa &&
      int64_t{rule.cfa_offset} + rule.fp_offset < 0) {
    rule.fp = CompactRule::FramePointer::kSame;
    rule.fp_offset = 0;
  }
  return rule;
}

CompactRule compact_rule(Arch arch, const FrameRow& row) {
  if (row.return_register >= row.registers.size()) { return {.kind = CompactRule::Kind::kAsk}; }
  return compact_rule(arch, row.cfa, row.registers[row.return_register], row.registers[register_numbers(arch).fp],
                      row.signal_frame || is_saved(row.registers[kExceptionRegister]));
}

Result<UnwindTable> UnwindTable::open(Bytes blob) {
  auto bad = [](const char* what) { return Error("damaged unwind table: %s", what).with_code(Errc::kBadInput); };
  UnwindTableHeader header;
  if (blob.size() < sizeof header || (reinterpret_cast<uintptr_t>(blob.data()) & 15) != 0) { return bad("too short"); }
  std::memcpy(&header, blob.data(), sizeof header);
  if (std::memcmp(header.magic, kUnwindTableMagic, sizeof header.magic) != 0) { return bad("not one"); }
  if (header.version != kVersion) { return bad("another version"); }
  if (header.arch != static_cast<uint32_t>(Arch::kX86_64) && header.arch != static_cast<uint32_t>(Arch::kAarch64)) {
    return bad("unknown CPU");
  }
  uint64_t rules_size = uint64_t{header.rule_count} * sizeof(CompactRule), index_size = (uint64_t{header.bucket_count} + 1) * 4;
  if (sizeof header + rules_size + index_size + uint64_t{header.row_count} * 4 != blob.size()) { return bad("wrong size"); }
  if (header.checksum != unwind_table_checksum(blob)) { return bad("wrong checksum"); }
  if (header.rule_count < 2 || header.rule_count > 65536) { return bad("number of rules"); }

  UnwindTable table;
  table.arch_ = static_cast<Arch>(header.arch);
  table.base_ = header.base;
  table.bucket_count_ = header.bucket_count;
  table.row_count_ = header.row_count;
  table.rule_count_ = header.rule_count;
  const uint8_t* at = blob.data() + sizeof header;
  table.rules_ = reinterpret_cast<const CompactRule*>(at);
  table.index_ = reinterpret_cast<const uint32_t*>(at + rules_size);
  table.rows_ = reinterpret_cast<const uint32_t*>(at + rules_size + index_size);
  if (table.rules_[0].kind != CompactRule::Kind::kNone) { return bad("first rule"); }
  for (uint32_t i = 0; i < header.rule_count; ++i) {
    const CompactRule& rule = table.rules_[i];
    if (rule.kind > CompactRule::Kind::kPlt || rule.ra > CompactRule::Return::kInLr ||
        rule.fp > CompactRule::FramePointer::kLost) {
      return bad("unknown rule");
    }
  }
  if (table.index_[0] != 0 || table.index_[header.bucket_count] != header.row_count) { return bad("index"); }
  for (uint32_t i = 0; i < header.bucket_count; ++i) {
    if (table.index_[i] > table.index_[i + 1]) { return bad("index"); }
  }
  uint32_t highest = 0;
  for (uint32_t i = 0; i < header.row_count; ++i) { highest = std::max(highest, table.rows_[i] & 0xffff); }
  if (highest >= header.rule_count) { return bad("rule number"); }
  return table;
}

}  // namespace wick::elf
