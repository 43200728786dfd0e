// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The input of a reader: bytes in pieces, from a mapped file, a pipe or a compressed file. Readers that can work piece by piece
// do so (text may be many gigabytes); others set a limit (read_whole).

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace wick {

// The source of the bytes.
class Pieces {
 public:
  virtual ~Pieces() = default;
  // Valid until the next call; empty at the end and afterwards.
  virtual Result<Bytes> next() = 0;
  // Whether everything comes as one piece that lives as long as this object: a mapped file.
  virtual bool is_memory() const { return false; }
  // A hint, from any thread: these bytes are not needed soon.
  virtual void release(Bytes) {}
  // After the end: why it came early, as a sentence; empty if it is the real end.
  virtual std::string problem() const { return {}; }
};

// Bytes in memory that outlive this: one piece.
std::unique_ptr<Pieces> make_memory_pieces(Bytes bytes);

class Input {
 public:
  explicit Input(std::unique_ptr<Pieces> pieces) : pieces_(std::move(pieces)) {}

  // The first `bytes` that next() will return, fewer only at the end. Call before reading begins.
  Result<Bytes> peek(size_t bytes);
  Result<Bytes> next();
  // Skips the first `bytes` returned by peek().
  void skip(size_t bytes);
  bool is_memory() const { return pieces_->is_memory(); }
  std::string problem() const { return pieces_->problem(); }
  void release(Bytes bytes) { pieces_->release(bytes); }

 private:
  std::unique_ptr<Pieces> pieces_;
  Bytes ready_;                  // taken by peek(), not yet returned by next()
  std::vector<uint8_t> joined_;  // owns it if it was several pieces
};

// Decompresses gzip and zstd, even nested; converts UTF-16 to UTF-8 and drops a byte order mark; other input is unchanged. If
// compressed data is damaged or truncated, the input ends there and problem() says so. Reading fails if it expands too much.
Result<Input> unpack(Input input);

// Everything left, in one piece; fails for more than `limit` bytes.
struct WholeInput {
  Bytes bytes;
  std::vector<uint8_t> owned;

  WholeInput() = default;
  WholeInput(WholeInput&&) = default;  // moving a vector does not move its bytes
  WholeInput& operator=(WholeInput&&) = default;
};
constexpr size_t kMostWhole = size_t{8} << 30;
Result<WholeInput> read_whole(Input& input, size_t limit = kMostWhole);

// Lines without their end ("\n" or "\r\n"), one at a time. Lines longer than `longest` are truncated and counted by cut().
class LineReader {
 public:
  explicit LineReader(Input& input, size_t longest = size_t{1} << 20) : input_(input), longest_(longest) {}

  // False at the end. The line is valid until the next call.
  Result<bool> next(std::string_view& line);
  uint64_t number() const { return number_; }  // of the last line returned, from 1
  uint64_t cut() const { return cut_; }
  uint64_t first_cut() const { return first_cut_; }  // the number of that line
  size_t longest() const { return longest_; }

 private:
  Input& input_;
  size_t longest_;
  Bytes piece_;
  std::string part_;  // of a line split between pieces
  bool at_end_ = false;
  uint64_t number_ = 0, cut_ = 0, first_cut_ = 0;
};

}  // namespace wick
