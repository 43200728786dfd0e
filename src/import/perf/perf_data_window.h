// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sorts records by time. perf record reads one CPU's ring after another and marks the end of each round; a record is never older
// than the youngest of the round before the last. So older records can be passed on at each mark, and about two rounds are kept.
// The limits below bound files without marks or with huge rings: then the older half is passed on.
//
// Records of a mapped file are kept by position; decompressed, byte-swapped and piped ones are copied into blocks that are reused
// once all their records are passed on.

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/fd.h"

namespace wick {

class PerfDataWindow {
 public:
  struct Entry {
    uint64_t time_ns = 0;
    const uint8_t* record = nullptr;  // 8-byte aligned; its header has the length
    uint32_t piece = 0;               // block of the copy; kNoPiece: not copied
    uint32_t event = 0;
  };
  static constexpr uint32_t kNoPiece = UINT32_MAX;
  using Give = std::function<void(const Entry&)>;

  explicit PerfDataWindow(Give give) : give_(std::move(give)) {}

  // Space for a copy, 8-byte aligned, valid until passed on; the next add() refers to it.
  std::span<uint8_t> make_room(size_t size);
  void add(uint64_t time_ns, const uint8_t* record, size_t size, uint32_t event, bool copied);

  void end_round();
  // Passes on everything up to this time, for callers that know what is still to come.
  void give_until(uint64_t time_ns);
  void end();
  uint64_t waiting_bytes() const { return bytes_; }

 private:
  static constexpr size_t kMostEntries = 4 << 20;              // 96 MB
  static constexpr uint64_t kMostBytes = uint64_t{512} << 20;  // of all records
  static constexpr size_t kPieceBytes = 256 << 10;

  struct Piece {
    std::unique_ptr<uint64_t[]> words;
    size_t used = 0, waiting = 0;  // bytes; records not passed on yet
  };

  Give give_;
  std::vector<Entry> entries_;
  uint64_t bytes_ = 0, youngest_ns_ = 0, round_ns_ = 0;
  bool sorted_ = true;
  std::deque<Piece> pieces_;
  uint32_t first_piece_ = 0;  // number of pieces_[0]
  std::vector<std::unique_ptr<uint64_t[]>> spare_;
};

}  // namespace wick
