// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The payload of a block: tables of numbered columns. A newer version can add tables and columns, and an older one skips them.
// Writers store small numbers (differences from expected values); constant columns take no space.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "capture/wick_format.h"

namespace wick::capture {

class TableWriter {
 public:
  // `first_row`: number of rows of this table in earlier blocks.
  TableWriter(TableId id, uint64_t first_row, uint64_t rows) : id_(id), first_row_(first_row), rows_(rows) {}
  void numbers(uint8_t column, std::span<const uint64_t> values);
  void texts(uint8_t column, std::span<const std::string_view> values);
  void append_to(ByteWriter& payload) const;

 private:
  void add_column(uint8_t column, uint8_t coding, const ByteWriter& bytes);

  TableId id_;
  uint64_t first_row_, rows_;
  uint64_t column_count_ = 0;
  ByteWriter columns_;
};

// A table in a payload: views into it, not decoded yet.
class TableReader {
 public:
  // False at the end of the payload, or if there is no valid table (then the reader has failed).
  bool next(ByteReader& payload);

  TableId id() const { return id_; }
  uint64_t first_row() const { return first_row_; }
  uint32_t rows() const { return rows_; }
  // Fills `values` with one value per row; zeros or empty texts if the column is missing. False if it is malformed.
  [[nodiscard]] bool numbers(uint8_t column, std::vector<uint64_t>& values) const;
  [[nodiscard]] bool texts(uint8_t column, std::vector<std::string_view>& values) const;

 private:
  struct Column {
    uint8_t id, coding;
    std::span<const uint8_t> bytes;
  };
  const Column* find(uint8_t column) const;

  TableId id_{};
  uint64_t first_row_ = 0;
  uint32_t rows_ = 0;
  std::vector<Column> columns_;
};

inline uint64_t zigzag(uint64_t difference) { return (difference << 1) ^ (0 - (difference >> 63)); }
inline uint64_t unzigzag_u64(uint64_t v) { return (v >> 1) ^ (0 - (v & 1)); }

}  // namespace wick::capture
