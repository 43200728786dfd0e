// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The bytes the kernel copied when the sample was taken, and beyond them the stack of the process as it is now. A running process
// changes its stack, so what is read now belongs to the sample only if the copied words next to it are still the same: see
// begin() and still_same().

#include <sys/uio.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "unwind/stack_memory.h"

namespace wick {

class LiveMemory final : public StackMemory {
 public:
  enum class Access : uint8_t { kSame, kChanged, kGone, kRefused };

  // Reads, in one call, the bytes at `wanted` and the words at `checks`, and compares the latter with the copy.
  Access begin(uint32_t pid, uint32_t tid, uint64_t base, std::span<const uint8_t> copied, uint64_t wanted,
               std::span<const uint64_t> checks);
  // Once more at the end: what was read in between belongs together only if nothing has changed. Free where one call had read
  // all.
  bool still_same();
  // Single words of the process as it is now; false when one cannot be read.
  bool read_words(std::span<const uint64_t> addresses, std::span<uint64_t> values);

  unsigned calls() const { return calls_; }

 private:
  static constexpr size_t kChunkCount = 4, kMaxChecks = 8, kCheckBytes = 8;
  static constexpr size_t kFirstChunk = 4096, kLargestChunk = 65536;

  struct Chunk {
    uint64_t base = 0;
    size_t size = 0;
    std::unique_ptr<uint8_t[]> bytes;
  };

  bool read_outside(uint64_t address, uint64_t& value) override;
  ssize_t read_vector(std::span<const iovec> local, std::span<const iovec> remote);
  Chunk& plan_chunk(uint64_t address);
  bool matches_copy(const uint8_t* bytes) const;

  uint32_t pid_ = 0, tid_ = 0;
  uint64_t base_ = 0;
  std::span<const uint8_t> copied_;
  std::array<uint64_t, kMaxChecks> checks_{};
  size_t check_count_ = 0;
  std::array<Chunk, kChunkCount> chunks_;
  size_t newest_ = 0;
  size_t next_size_ = kFirstChunk;
  unsigned calls_ = 0;
};

}  // namespace wick
