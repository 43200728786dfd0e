// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "unwind/sample_memory.h"

#include <algorithm>
#include <cstring>

namespace wick {

void SampleMemory::begin(uint64_t base, std::span<const uint8_t> copied, ThreadMemory* rest) {
  base_ = base;
  copied_ = copied;
  rest_ = rest;
  used_rest_ = false;
  for (Chunk& chunk : chunks_) { chunk.size = 0; }
  next_size_ = kFirstChunk;
  set_window(base, copied);
}

// Walks mostly go upwards: chunks that follow each other grow.
SampleMemory::Chunk& SampleMemory::plan_chunk(uint64_t address) {
  const Chunk& last = chunks_[newest_];
  bool follows = last.size > 0 && address >= last.base && address - last.base < last.size + kLargestChunk;
  next_size_ = follows ? std::min(next_size_ * 4, kLargestChunk) : kFirstChunk;
  newest_ = (newest_ + 1) % kChunkCount;
  Chunk& chunk = chunks_[newest_];
  if (!chunk.bytes) { chunk.bytes = std::make_unique<uint8_t[]>(kLargestChunk); }
  // Starts a little below the address, since the saved frame pointer lies below the return address.
  uint64_t from = address & ~uint64_t{7};
  chunk.base = from - (std::min<uint64_t>(from, 256) & ~uint64_t{7});
  chunk.size = 0;
  return chunk;
}

bool SampleMemory::find(uint64_t base, std::span<const uint8_t> bytes, uint64_t address, uint64_t& value) {
  if (address < base || address - base > bytes.size() || bytes.size() - (address - base) < 8) { return false; }
  set_window(base, bytes);
  std::memcpy(&value, bytes.data() + (address - base), 8);
  return true;
}

bool SampleMemory::read_outside(uint64_t address, uint64_t& value) {
  if (find(base_, copied_, address, value)) { return true; }
  if (rest_ == nullptr) { return false; }
  used_rest_ = true;
  for (const Chunk& chunk : chunks_) {
    if (chunk.size > 0 && find(chunk.base, {chunk.bytes.get(), chunk.size}, address, value)) { return true; }
  }
  if (address > UINT64_MAX - kLargestChunk) { return false; }
  Chunk& chunk = plan_chunk(address);
  chunk.size = rest_->read(chunk.base, {chunk.bytes.get(), next_size_});
  bool guard_below = chunk.size == 0 && chunk.base < address;
  if (guard_below) {
    chunk.base = address;
    chunk.size = rest_->read(chunk.base, {chunk.bytes.get(), next_size_});
  }
  return find(chunk.base, {chunk.bytes.get(), chunk.size}, address, value);
}

}  // namespace wick
