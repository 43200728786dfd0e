// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The stack of one sample: the bytes copied with it and, if the thread stays stopped until its stack is walked, its memory beyond
// them. Both are from the moment of the sample, so every word belongs to the sample's own frames.
//
// Rejected: reading the memory of a running process. Its stack changes within microseconds, and words of returned functions stay
// in place, so no comparison proves that a word read later belongs to the sample.

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "capture/raw.h"
#include "unwind/stack_memory.h"

namespace wick {

class SampleMemory final : public StackMemory {
 public:
  // Reuses the buffers of earlier samples.
  void begin(uint64_t base, std::span<const uint8_t> copied, ThreadMemory* rest);

  bool used_rest() const { return used_rest_; }

 private:
  static constexpr size_t kChunkCount = 4;
  static constexpr size_t kFirstChunk = 4096, kLargestChunk = 65536;

  struct Chunk {
    uint64_t base = 0;
    size_t size = 0;
    std::unique_ptr<uint8_t[]> bytes;
  };

  bool read_outside(uint64_t address, uint64_t& value) override;
  bool find(uint64_t base, std::span<const uint8_t> bytes, uint64_t address, uint64_t& value);
  Chunk& plan_chunk(uint64_t address);

  uint64_t base_ = 0;
  std::span<const uint8_t> copied_;
  ThreadMemory* rest_ = nullptr;
  bool used_rest_ = false;
  std::array<Chunk, kChunkCount> chunks_;
  size_t newest_ = 0, next_size_ = kFirstChunk;
};

}  // namespace wick
