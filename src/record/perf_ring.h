// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A ring buffer shared with the kernel. Data is copied out and the space freed at once, since unwinding it sometimes takes longer
// than a ring lasts. A RingKeeper does the same on another thread while the reader is busy.

#include <cstdint>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace wick {

size_t page_size();

class PerfRing {
 public:
  // `pages` must be a power of two; halved (down to `least_pages`) while the kernel denies that much locked memory.
  static Result<PerfRing> map(int event_fd, size_t pages, size_t least_pages);
  // For tests: a control page and `data_size` bytes that the caller owns and fills like the kernel.
  static PerfRing over(void* base, size_t data_size);
  PerfRing(PerfRing&& other) noexcept;  // only before it is shared
  PerfRing& operator=(PerfRing&&) = delete;
  ~PerfRing();

  int fd() const { return fd_; }
  size_t pages() const { return size_ / page_size(); }  // without the control page

  // Takes all available data; returns the number of bytes that next() has not read.
  size_t take();
  // The next taken record, or empty. Records are valid until release() or the next take().
  std::span<const uint8_t> next();
  void release();

  // Called on another thread: takes the data for the next take() if the ring is filling up.
  void spill();

 private:
  PerfRing() = default;
  void move_to(std::vector<uint8_t>& buffer);

  void* base_ = nullptr;  // the control page, then the data
  size_t size_ = 0;       // of the data
  int fd_ = -1;
  bool is_mapped_ = false;
  std::vector<uint8_t> taken_;
  size_t read_ = 0;  // position in taken_

  std::mutex mutex_;
  uint64_t tail_ = 0;
  std::vector<uint8_t> spilled_;
};

// Spills rings from its own thread: at intervals, and those with records of mappings also when the kernel reports that they are half
// full, which can be a few milliseconds after they were empty.
class RingKeeper {
 public:
  RingKeeper();
  RingKeeper(const RingKeeper&) = delete;
  RingKeeper& operator=(const RingKeeper&) = delete;
  ~RingKeeper();
  void add(PerfRing* ring, bool fills_fast);  // must outlive the keeper

 private:
  void run();

  struct Kept {
    PerfRing* ring;
    int fd;  // to wait for; -1: none
  };

  Fd stop_;  // readable when the thread shall end
  std::mutex mutex_;
  std::vector<Kept> rings_;
  std::thread thread_;
};

}  // namespace wick
