// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/perf/perf_data_window.h"

#include <algorithm>

namespace wick {

std::span<uint8_t> PerfDataWindow::make_room(size_t size) {
  size_t padded = (size + 7) & ~size_t{7};  // a record is at most 64 kB
  if (pieces_.empty() || pieces_.back().used + padded > kPieceBytes) {
    Piece piece;
    if (spare_.empty()) {
      piece.words = std::make_unique_for_overwrite<uint64_t[]>(kPieceBytes / 8);
    } else {
      piece.words = std::move(spare_.back());
      spare_.pop_back();
    }
    pieces_.push_back(std::move(piece));
  }
  Piece& piece = pieces_.back();
  uint8_t* at = reinterpret_cast<uint8_t*>(piece.words.get()) + piece.used;
  piece.used += padded;
  return {at, size};
}

void PerfDataWindow::add(uint64_t time_ns, const uint8_t* record, size_t size, uint32_t event, bool copied) {
  sorted_ &= entries_.empty() || entries_.back().time_ns <= time_ns;
  uint32_t piece = kNoPiece;
  if (copied) {
    piece = first_piece_ + static_cast<uint32_t>(pieces_.size() - 1);
    ++pieces_.back().waiting;
  }
  entries_.push_back({time_ns, record, piece, event});
  bytes_ += size;
  youngest_ns_ = std::max(youngest_ns_, time_ns);
  if (entries_.size() < kMostEntries && bytes_ < kMostBytes) { return; }
  std::vector<uint64_t> times;
  times.reserve(entries_.size());
  for (const Entry& entry : entries_) { times.push_back(entry.time_ns); }
  auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  give_until(*middle);
}

void PerfDataWindow::end_round() {
  give_until(round_ns_);
  round_ns_ = youngest_ns_;
}

void PerfDataWindow::end() { give_until(UINT64_MAX); }

void PerfDataWindow::give_until(uint64_t time_ns) {
  if (!sorted_) {
    std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.time_ns < b.time_ns; });
    sorted_ = true;
  }
  auto end = std::upper_bound(entries_.begin(), entries_.end(), time_ns,
                              [](uint64_t time, const Entry& entry) { return time < entry.time_ns; });
  for (auto it = entries_.begin(); it != end; ++it) { give_(*it); }
  // Only now: the current batch may refer to records that were passed on.
  give_({});
  for (auto it = entries_.begin(); it != end; ++it) {
    uint16_t size = 0;
    std::copy_n(it->record + 6, 2, reinterpret_cast<uint8_t*>(&size));
    bytes_ -= size;
    if (it->piece != kNoPiece) { --pieces_[it->piece - first_piece_].waiting; }
  }
  entries_.erase(entries_.begin(), end);
  while (pieces_.size() > 1 && pieces_.front().waiting == 0) {
    if (spare_.size() < 16) { spare_.push_back(std::move(pieces_.front().words)); }
    pieces_.pop_front();
    ++first_piece_;
  }
  if (pieces_.size() == 1 && pieces_.front().waiting == 0) { pieces_.front().used = 0; }
}

}  // namespace wick
