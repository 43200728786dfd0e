// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One ring buffer shared with the kernel. Records are read where they stand; the space is given back afterwards, all at once.

#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace wick {

size_t page_size();

class PerfRing {
 public:
  // `pages` must be a power of two; halved (down to `least_pages`) while the kernel refuses so much locked memory.
  static Result<PerfRing> map(int event_fd, size_t pages, size_t least_pages);
  PerfRing(PerfRing&& other) noexcept
      : base_(std::exchange(other.base_, nullptr)),
        size_(other.size_),
        fd_(other.fd_),
        read_(other.read_),
        end_(other.end_),
        wrapped_(std::move(other.wrapped_)) {}
  PerfRing& operator=(PerfRing&&) = delete;
  ~PerfRing();

  int fd() const { return fd_; }

  // Fixes how far reading goes; returns the number of bytes up to there.
  size_t snapshot();
  // The next whole record up to the snapshot, or empty. A record that goes round the end is copied; all stay valid until
  // release().
  std::span<const uint8_t> next();
  // Gives everything read back to the kernel.
  void release();

 private:
  PerfRing() = default;
  void* base_ = nullptr;  // the control page, then the data
  size_t size_ = 0;       // of the data
  int fd_ = -1;
  uint64_t read_ = 0, end_ = 0;
  std::deque<std::vector<uint8_t>> wrapped_;
};

}  // namespace wick
