// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Unwind information compiled to what a sampling profiler needs: how to get from a frame's pc, stack pointer and frame pointer to
// the caller's. 99.97 % of all rows in a distribution are "CFA = sp or fp + n, return address and frame pointer at CFA + n", and
// a file has some hundreds of different ones, so a row is 4 bytes: 16 bits of address in a page of 64 KiB and the number of a
// rule.
//
// The bytes hold no pointers: they are what is cached on disk and mapped back, and what another walker (in the kernel) can be
// given. Layout, little-endian: Header, rules (CompactRule), index (u32: the first row of each 2 KiB of addresses, one more at
// the end), rows (u32). A row holds until the next one, however far; rule 0 says that nothing is known. Rows too odd for a rule
// say so ("ask"). The index is finer than the pages so that a lookup searches some 30 rows, which lie in two cache lines.

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
    kAsk = 1,        // too odd for this table: the entries themselves know
    kOutermost = 2,  // the return address is undefined: nothing called this
    kSp = 3,         // CFA = sp + cfa_offset
    kFp = 4,         // CFA = fp + cfa_offset
    kDerefSp = 5,    // CFA = *(sp + cfa_offset) + extra * 8
    kDerefFp = 6,    // CFA = *(fp + cfa_offset) + extra * 8
    kPlt = 7,        // CFA = sp + cfa_offset + 8 once (pc & 15) >= extra: x86_64's stubs push one word at that place
    // Never in a table; what a walker finds out otherwise has its place in the same caches.
    kSignalReturn = 8,  // the instructions that end a signal handler
    kUnmapped = 9,      // no code is known at that address
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

// The rule for a full row; kAsk when none fits.
CompactRule compact_rule(Arch arch, const CfaRule& cfa, const RegisterRule& ra, const RegisterRule& fp, bool signal_frame);
CompactRule compact_rule(Arch arch, const FrameRow& row);

class UnwindTable {
 public:
  static constexpr uint32_t kVersion = 3;  // raise it with every change of layout or meaning: old files are in caches
  static constexpr unsigned kBucketBits = 11;

  // Empty when there is nothing to compile, or the addresses are too far apart for an index.
  static std::vector<uint8_t> compile(const Cfi& cfi);
  // Keeps views into `blob`, which must outlive it and be aligned to 16 bytes. Checks everything: what it accepts is safe to use.
  static Result<UnwindTable> open(Bytes blob);

  // Never fails: addresses outside give a rule of kind kNone.
  const CompactRule& find(uint64_t svma) const {
    uint64_t distance = svma - base_;
    uint64_t bucket = distance >> kBucketBits;
    if (bucket >= bucket_count_) { return rules_[0]; }
    uint32_t first = index_[bucket], count = index_[bucket + 1] - first;
    // Behind the last row at or before the address; when there is none in this bucket, the last one before it holds.
    const uint32_t* at = rows_ + first;
    uint32_t key = static_cast<uint32_t>(distance << 16) | 0xffff;
    // Without branches: which way the search goes is a coin toss, and a wrong guess of the CPU costs more than the whole step.
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
