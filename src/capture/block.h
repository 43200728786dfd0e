// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The outer layer of a `.wick` file: a header, then checksummed blocks, each compressed separately.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/byte_writer.h"
#include "base/result.h"
#include "capture/wick_format.h"

namespace wick::capture {

void append_file_header(std::vector<uint8_t>& file);

class BlockWriter {
 public:
  BlockWriter();
  ~BlockWriter();
  BlockWriter(BlockWriter&&) noexcept;
  BlockWriter& operator=(BlockWriter&&) noexcept;

  void append(std::vector<uint8_t>& file, BlockKind kind, std::span<const uint8_t> payload);

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

// Iterates over the blocks of a file. Damage ends the iteration; see damage().
class BlockReader {
 public:
  // Fails if this is not a `.wick` file that this version can read.
  static Result<BlockReader> open(std::span<const uint8_t> file);
  ~BlockReader();
  BlockReader(BlockReader&&) noexcept;
  BlockReader& operator=(BlockReader&&) noexcept;

  // False at the end of the file, or at the first incomplete block.
  bool next();
  uint16_t kind() const { return kind_; }
  std::span<const uint8_t> payload() const { return payload_; }                            // valid until next()
  std::span<const uint8_t> bytes() const { return file_.subspan(start_, pos_ - start_); }  // the block as stored
  // "the block at byte 4711", for errors inside the payload.
  std::string place() const;
  const std::string& damage() const { return damage_; }

 private:
  struct Context;
  explicit BlockReader(std::span<const uint8_t> file);
  bool unpack(std::span<const uint8_t> stored, uint16_t flags, uint32_t raw_size);
  bool stop(const std::string& what);

  std::span<const uint8_t> file_;
  size_t pos_ = 0, start_ = 0;
  uint16_t kind_ = 0;
  std::span<const uint8_t> payload_;
  std::vector<uint8_t> raw_;
  std::string damage_;
  std::unique_ptr<Context> context_;
};

}  // namespace wick::capture
