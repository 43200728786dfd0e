// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "elf/image.h"

namespace wick::elf {

struct AddressRange {
  uint64_t begin = 0, end = 0;
  friend bool operator==(const AddressRange&, const AddressRange&) = default;
};

// Sorts the ranges and makes them disjoint.
void join_ranges(std::vector<AddressRange>& ranges);

// Addresses to look up, sorted.
class WantedAddresses {
 public:
  explicit WantedAddresses(std::span<const uint64_t> sorted) : sorted_(sorted) {}
  bool any_in(uint64_t begin, uint64_t end) const {
    auto first = std::lower_bound(sorted_.begin(), sorted_.end(), begin);
    return first != sorted_.end() && *first < end;
  }
  std::span<const uint64_t> sorted() const { return sorted_; }

 private:
  std::span<const uint64_t> sorted_;
};

// Limits how much may be read or produced for one file by all threads together. A malicious file can refer to the same bytes over
// and over; legitimate files stay far below the limit.
class ReadBudget {
 public:
  explicit ReadBudget(uint64_t amount) : left_(static_cast<int64_t>(amount < INT64_MAX ? amount : INT64_MAX)) {}
  uint64_t left() const {
    int64_t left = left_.load(std::memory_order_relaxed);
    return left > 0 ? static_cast<uint64_t>(left) : 0;
  }
  void take(uint64_t amount) const {
    if (left() > 0) { left_.fetch_sub(static_cast<int64_t>(amount), std::memory_order_relaxed); }
  }

 private:
  mutable std::atomic<int64_t> left_;
};

// The code ranges of a file. Linkers keep the debug info of discarded functions at address 0 or beyond all code, so ranges that
// start outside are ignored.
class CodeRanges {
 public:
  explicit CodeRanges(const Image& image);
  bool contains(uint64_t svma) const;

  // Limits that follow from the amount of code: lines, functions with their inlined calls, and ranges of those.
  const ReadBudget& rows() const { return rows_; }
  const ReadBudget& nodes() const { return nodes_; }
  const ReadBudget& pieces() const { return pieces_; }

 private:
  CodeRanges(std::vector<AddressRange> ranges, const Image& image);
  CodeRanges(std::vector<AddressRange> ranges, uint64_t size);

  std::vector<AddressRange> ranges_;  // sorted, disjoint
  ReadBudget rows_, nodes_, pieces_;
};

}  // namespace wick::elf
