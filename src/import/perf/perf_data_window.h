// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Records in the order of time. perf record empties one CPU's ring after the other and marks the end of each round; a record is
// never older than the youngest of the round before the last. So what is that old can be given out at each mark, and about two
// rounds have to be kept. A file without marks, or with huge rings, is bounded by the limits below: then the older half goes out.
//
// Records of a mapped file are kept by their place alone; what was unpacked, turned round or came through a pipe is copied into
// pieces of memory that are used again once all their records are out.

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
    const uint8_t* record = nullptr;  // 8-byte aligned; its header says how long it is
    uint32_t piece = 0;               // of the copies; kNoPiece: not copied
    uint32_t event = 0;
  };
  static constexpr uint32_t kNoPiece = UINT32_MAX;
  using Give = std::function<void(const Entry&)>;

  explicit PerfDataWindow(Give give) : give_(std::move(give)) {}

  // Room for a copy that lasts until it was given out, 8-byte aligned; the next add() is for it.
  std::span<uint8_t> make_room(size_t size);
  void add(uint64_t time_ns, const uint8_t* record, size_t size, uint32_t event, bool copied);

  void end_round();
  // All that is not younger; for who knows what is still to come.
  void give_until(uint64_t time_ns);
  void end();
  uint64_t waiting_bytes() const { return bytes_; }

 private:
  static constexpr size_t kMostEntries = 4 << 20;              // 96 MB
  static constexpr uint64_t kMostBytes = uint64_t{512} << 20;  // of all records together
  static constexpr size_t kPieceBytes = 256 << 10;

  struct Piece {
    std::unique_ptr<uint64_t[]> words;
    size_t used = 0, waiting = 0;  // bytes; records that are not out yet
  };

  Give give_;
  std::vector<Entry> entries_;
  uint64_t bytes_ = 0, youngest_ns_ = 0, round_ns_ = 0;
  bool sorted_ = true;
  std::deque<Piece> pieces_;
  uint32_t first_piece_ = 0;  // the number of pieces_[0]
  std::vector<std::unique_ptr<uint64_t[]>> spare_;
};

}  // namespace wick
