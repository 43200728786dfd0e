// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A ring buffer shared with the kernel. Data is copied out and the space freed at once, since unwinding it sometimes takes longer
// than a ring lasts. A RingKeeper does the same on another thread while the reader is busy.

#include <sys/types.h>

#include <cstdint>
#include <future>
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

// Spills rings from its own thread: at intervals, and when the kernel reports that one is half full, which can be a few milliseconds
// after it was empty. The report is a signal to this thread. Rejected: poll(). Whoever polls an event is also woken whenever an
// inherited copy of it ends, twice for each short thread of the target, which slowed 4,000 of them by another 5%.
class RingKeeper {
 public:
  RingKeeper();
  RingKeeper(const RingKeeper&) = delete;
  RingKeeper& operator=(const RingKeeper&) = delete;
  ~RingKeeper();
  bool is_running() const { return thread_.joinable(); }

  void add(PerfRing* ring);  // must outlive the keeper
  // The event, which takes no samples, writes to one of the rings.
  void heed(int event_fd) const;

 private:
  void run(std::promise<pid_t>& started);

  Fd stop_;        // readable when the thread shall end
  pid_t tid_ = 0;  // of the thread
  std::mutex mutex_;
  std::vector<PerfRing*> rings_;
  std::thread thread_;
};

}  // namespace wick
