// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "unwind/live_memory.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace wick {

ssize_t LiveMemory::read_vector(std::span<const iovec> local, std::span<const iovec> remote) {
  ++calls_;
  // By the thread: a process whose first thread has ended has no memory under its own number.
  ssize_t n = ::process_vm_readv(static_cast<pid_t>(tid_), local.data(), local.size(), remote.data(), remote.size(), 0);
  if (n < 0 && errno == ESRCH && pid_ != tid_) {
    n = ::process_vm_readv(static_cast<pid_t>(pid_), local.data(), local.size(), remote.data(), remote.size(), 0);
  }
  return n;
}

// The place for a chunk that holds `address`. Walks go upwards, mostly: chunks grow while they follow each other.
LiveMemory::Chunk& LiveMemory::plan_chunk(uint64_t address) {
  const Chunk& last = chunks_[newest_];
  bool follows = last.size > 0 && address >= last.base && address - last.base < last.size + kLargestChunk;
  next_size_ = follows ? std::min(next_size_ * 4, kLargestChunk) : kFirstChunk;
  newest_ = (newest_ + 1) % kChunkCount;
  Chunk& chunk = chunks_[newest_];
  if (!chunk.bytes) { chunk.bytes = std::make_unique<uint8_t[]>(kLargestChunk); }
  // A little below too: the saved frame pointer lies under the return address. But the copy goes before what is there now.
  uint64_t from = address & ~uint64_t{7}, copy_end = base_ + copied_.size();
  uint64_t below = std::min<uint64_t>(from, 256);
  if (from >= copy_end) { below = std::min(below, from - copy_end); }
  chunk.base = from - (below & ~uint64_t{7});
  chunk.size = 0;
  return chunk;
}

LiveMemory::Access LiveMemory::begin(uint32_t pid, uint32_t tid, uint64_t base, std::span<const uint8_t> copied, uint64_t wanted,
                                     std::span<const uint64_t> checks) {
  pid_ = pid;
  tid_ = tid;
  base_ = base;
  copied_ = copied;
  calls_ = 0;
  check_count_ = 0;
  for (Chunk& chunk : chunks_) { chunk.size = 0; }
  set_window(base, copied);
  for (uint64_t address : checks) {
    bool inside = address >= base && address - base <= copied.size() && copied.size() - (address - base) >= kCheckBytes;
    if (inside && check_count_ < kMaxChecks) { checks_[check_count_++] = address; }
  }
  if (check_count_ == 0) { return Access::kChanged; }

  std::array<uint8_t, kMaxChecks * kCheckBytes> seen;
  std::array<iovec, kMaxChecks + 1> remote;
  for (size_t i = 0; i < check_count_; ++i) { remote[i] = {reinterpret_cast<void*>(checks_[i]), kCheckBytes}; }
  Chunk& chunk = plan_chunk(wanted);
  remote[check_count_] = {reinterpret_cast<void*>(chunk.base), next_size_};
  iovec local[2] = {{seen.data(), check_count_ * kCheckBytes}, {chunk.bytes.get(), next_size_}};
  ssize_t n = read_vector(local, {remote.data(), check_count_ + 1});
  if (n < 0) { return errno == EPERM ? Access::kRefused : Access::kGone; }
  if (static_cast<size_t>(n) < check_count_ * kCheckBytes) { return Access::kGone; }
  if (!matches_copy(seen.data())) { return Access::kChanged; }
  chunk.size = static_cast<size_t>(n) - check_count_ * kCheckBytes;
  return Access::kSame;
}

bool LiveMemory::matches_copy(const uint8_t* bytes) const {
  for (size_t i = 0; i < check_count_; ++i) {
    if (std::memcmp(bytes + i * kCheckBytes, copied_.data() + (checks_[i] - base_), kCheckBytes) != 0) { return false; }
  }
  return true;
}

bool LiveMemory::still_same() {
  if (calls_ <= 1) { return true; }
  std::array<uint8_t, kMaxChecks * kCheckBytes> seen;
  std::array<iovec, kMaxChecks> remote;
  for (size_t i = 0; i < check_count_; ++i) { remote[i] = {reinterpret_cast<void*>(checks_[i]), kCheckBytes}; }
  iovec local = {seen.data(), check_count_ * kCheckBytes};
  ssize_t n = read_vector({&local, 1}, {remote.data(), check_count_});
  return n == static_cast<ssize_t>(check_count_ * kCheckBytes) && matches_copy(seen.data());
}

bool LiveMemory::read_words(std::span<const uint64_t> addresses, std::span<uint64_t> values) {
  std::vector<iovec> remote(addresses.size());
  for (size_t i = 0; i < addresses.size(); ++i) { remote[i] = {reinterpret_cast<void*>(addresses[i]), 8}; }
  iovec local = {values.data(), addresses.size() * 8};
  return read_vector({&local, 1}, remote) == static_cast<ssize_t>(addresses.size() * 8);
}

bool LiveMemory::read_outside(uint64_t address, uint64_t& value) {
  auto read_from = [&](uint64_t base, std::span<const uint8_t> bytes) {
    if (address < base || address - base > bytes.size() || bytes.size() - (address - base) < 8) { return false; }
    set_window(base, bytes);
    std::memcpy(&value, bytes.data() + (address - base), 8);
    return true;
  };
  if (read_from(base_, copied_)) { return true; }
  for (const Chunk& chunk : chunks_) {
    if (chunk.size > 0 && read_from(chunk.base, {chunk.bytes.get(), chunk.size})) { return true; }
  }
  if (address > UINT64_MAX - kLargestChunk) { return false; }
  Chunk& chunk = plan_chunk(address);
  iovec local{chunk.bytes.get(), next_size_}, remote{reinterpret_cast<void*>(chunk.base), next_size_};
  ssize_t n = read_vector({&local, 1}, {&remote, 1});
  if (n <= 0 && chunk.base < address) {  // the page below may be a guard
    chunk.base = address;
    remote.iov_base = reinterpret_cast<void*>(chunk.base);
    n = read_vector({&local, 1}, {&remote, 1});
  }
  if (n <= 0) { return false; }
  chunk.size = static_cast<size_t>(n);
  return read_from(chunk.base, {chunk.bytes.get(), chunk.size});
}

}  // namespace wick
