// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a reader reads: bytes that come in pieces, from a mapped file, a pipe or out of a compressed file. A reader that can work
// piece by piece does (text of many gigabytes); one that needs all at once says how much it would take (read_whole).

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace wick {

// Where the bytes come from.
class Pieces {
 public:
  virtual ~Pieces() = default;
  // Stays whole until the next call; empty at the end, and ever after.
  virtual Result<Bytes> next() = 0;
  // Whether all there is comes as one piece that stays as long as this object: a mapped file.
  virtual bool is_memory() const { return false; }
  // These bytes of that piece will not be looked at soon: a hint, from any thread.
  virtual void release(Bytes) {}
  // Once the end was given: why it came early, in words; empty where it is the true end.
  virtual std::string problem() const { return {}; }
};

// Bytes that are there already and stay: one piece.
std::unique_ptr<Pieces> make_memory_pieces(Bytes bytes);

class Input {
 public:
  explicit Input(std::unique_ptr<Pieces> pieces) : pieces_(std::move(pieces)) {}

  // The first `bytes` of what next() will give, fewer only when there are no more. For a look before reading begins.
  Result<Bytes> peek(size_t bytes);
  Result<Bytes> next();
  // Takes away the first `bytes`, which a peek() has given.
  void skip(size_t bytes);
  bool is_memory() const { return pieces_->is_memory(); }
  std::string problem() const { return pieces_->problem(); }
  void release(Bytes bytes) { pieces_->release(bytes); }

 private:
  std::unique_ptr<Pieces> pieces_;
  Bytes ready_;                  // the piece that peek() took and next() has not given yet
  std::vector<uint8_t> joined_;  // holds it where it was more than one
};

// What gzip and zstd made of a file is taken out of it, also twice; text in UTF-16 becomes UTF-8, and the mark that text may
// begin with goes; other input stays as it is. Where the packed bytes are damaged or cut off, what could be unpacked before is
// all there is, and problem() says so. Reading fails where they unpack to absurdly much.
Result<Input> unpack(Input input);

// All that is left, in one piece; more than `limit` bytes are refused.
struct WholeInput {
  Bytes bytes;
  std::vector<uint8_t> owned;

  WholeInput() = default;
  WholeInput(WholeInput&&) = default;  // a vector keeps its bytes where they are when it is moved
  WholeInput& operator=(WholeInput&&) = default;
};
constexpr size_t kMostWhole = size_t{8} << 30;
Result<WholeInput> read_whole(Input& input, size_t limit = kMostWhole);

// Lines without their end ("\n" or "\r\n"), one at a time. A line longer than `longest` is cut there: cut() counts such.
class LineReader {
 public:
  explicit LineReader(Input& input, size_t longest = size_t{1} << 20) : input_(input), longest_(longest) {}

  // False at the end. The line stays whole until the next call.
  Result<bool> next(std::string_view& line);
  uint64_t number() const { return number_; }  // of the line that was given last, from 1
  uint64_t cut() const { return cut_; }
  uint64_t first_cut() const { return first_cut_; }  // the number of that line
  size_t longest() const { return longest_; }

 private:
  Input& input_;
  size_t longest_;
  Bytes piece_;
  std::string part_;  // of a line that goes over pieces
  bool at_end_ = false;
  uint64_t number_ = 0, cut_ = 0, first_cut_ = 0;
};

}  // namespace wick
