// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Unwind information compiled for a sampling profiler: how to get from a frame's pc, stack pointer and frame pointer to the
// caller's. 99.97 % of the rows in a distribution are "CFA = sp or fp + n, return address and frame pointer at CFA + n", and a
// file has a few hundred distinct ones. So a row takes 4 bytes: 16 bits of address within a 64 KiB page and a rule number.
//
// The bytes contain no pointers, so they can be cached on disk, mapped back, and passed to another walker (in the kernel).
// Layout, little-endian: Header, rules (CompactRule), index (u32: the first row of each 2 KiB of addresses, plus one at the end),
// rows (u32). A row is valid until the next one, however far; rule 0 means unknown. Rows that no rule can express are marked
// kAsk. The index is finer than the pages, so a lookup searches about 30 rows, which fit in two cache lines.

#include <cstdint>
#include <span>
#include <vector>

#include "base/cpu.h"
#include "base/fd.h"
#include "base/result.h"
#include "elf/cfi.h"

namespace wick::elf {

struct CompactRule {
  enum class Kind : uint8_t {
    kNone = 0,       // no information
    kAsk = 1,        // no compact rule fits: use the CFI entries
    kOutermost = 2,  // the return address is undefined: this is the root
    kSp = 3,         // CFA = sp + cfa_offset
    kFp = 4,         // CFA = fp + cfa_offset
    kDerefSp = 5,    // CFA = *(sp + cfa_offset) + extra * 8
    kDerefFp = 6,    // CFA = *(fp + cfa_offset) + extra * 8
    kPlt = 7,        // CFA = sp + cfa_offset + 8 once (pc & 15) >= extra: x86_64's stubs push one word there
    // Never in a table; walkers cache their own findings as these kinds.
    kSignalReturn = 8,  // the sigreturn instructions
    kUnmapped = 9,      // no known mapping at that address
    kSwitched = 10,     // an instruction unknown to the entries switched stacks; `extra`: 8 bytes were pushed since
  };
  enum class Return : uint8_t { kAtCfa = 0, kInLr = 1 };
  enum class FramePointer : uint8_t { kSame = 0, kAtCfa = 1, kAtFp = 2 /* at fp + fp_offset */, kLost = 3 };

  Kind kind = Kind::kNone;
  Return ra = Return::kAtCfa;
  FramePointer fp = FramePointer::kSame;
  uint8_t extra = 0;
  int32_t cfa_offset = 0, ra_offset = 0, fp_offset = 0;

  friend bool operator==(const CompactRule&, const CompactRule&) = default;
};
static_assert(sizeof(CompactRule) == 16);

// Only functions that can return to an exception handler save the registers that carry the exception. While they prepare that
// return, they overwrite their saved registers, including the return address.
inline constexpr unsigned kExceptionRegister = 0;  // rax, x0
inline bool is_saved(const RegisterRule& rule) {
  return rule.kind != RegisterRule::Kind::kUnspecified && rule.kind != RegisterRule::Kind::kSame &&
         rule.kind != RegisterRule::Kind::kUndefined;
}

// The rule for a full row; kAsk if none fits or if `odd`: a signal frame, or a function that returns to exception handlers.
CompactRule compact_rule(Arch arch, const CfaRule& cfa, const RegisterRule& ra, const RegisterRule& fp, bool odd);
CompactRule compact_rule(Arch arch, const FrameRow& row);

class UnwindTable {
 public:
  static constexpr uint32_t kVersion = 5;  // increment with every change of layout or meaning: caches hold old files
  static constexpr unsigned kBucketBits = 11;

  // Empty if there is nothing to compile or the addresses are too far apart for an index.
  static std::vector<uint8_t> compile(const Cfi& cfi);
  // Keeps views into `blob`, which must outlive it and be aligned to 16 bytes. Validates everything that lookups rely on.
  static Result<UnwindTable> open(Bytes blob);

  // Never fails: addresses outside the table give kNone.
  const CompactRule& find(uint64_t svma) const {
    uint64_t distance = svma - base_;
    uint64_t bucket = distance >> kBucketBits;
    if (bucket >= bucket_count_) { return rules_[0]; }
    uint32_t first = index_[bucket], count = index_[bucket + 1] - first;
    // Finds the last row at or before the address; if this bucket has none, the last row before the bucket applies.
    const uint32_t* at = rows_ + first;
    uint32_t key = static_cast<uint32_t>(distance << 16) | 0xffff;
    // Branch-free: the direction of each step is random, and a misprediction costs more than the step.
    while (count > 1) {
      uint32_t half = count / 2;
      at += half & (0u - static_cast<uint32_t>(at[half - 1] <= key));
      count -= half;
    }
    if (count == 1) { at += static_cast<uint32_t>(*at <= key); }
    return at == rows_ ? rules_[0] : rules_[at[-1] & 0xffff];
  }

  Arch arch() const { return arch_; }
  size_t row_count() const { return row_count_; }
  size_t rule_count() const { return rule_count_; }

 private:
  Arch arch_ = Arch::kUnknown;
  uint64_t base_ = 0;
  uint32_t bucket_count_ = 0, row_count_ = 0, rule_count_ = 0;
  const CompactRule* rules_ = nullptr;
  const uint32_t* index_ = nullptr;
  const uint32_t* rows_ = nullptr;
};

}  // namespace wick::elf
