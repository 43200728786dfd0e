// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "capture/columns.h"

#include <algorithm>

#include "base/result.h"

namespace wick::capture {
namespace {

enum Coding : uint8_t { kConstant = 0, kVarint = 1, kText = 2 };

// ByteReader's uleb, without checking every byte while ten are left: reading a file spends most time here.
bool read_varints(std::span<const uint8_t> bytes, std::vector<uint64_t>& values) {
  const uint8_t* p = bytes.data();
  const uint8_t* end = p + bytes.size();
  size_t i = 0;
  for (; i < values.size() && end - p >= 10; ++i) {
    uint64_t value = *p & 0x7f;
    unsigned shift = 7;
    while (*p++ >= 0x80) {
      if (shift >= 70) { return false; }
      if (shift < 64) { value |= uint64_t{*p & 0x7fu} << shift; }
      shift += 7;
    }
    values[i] = value;
  }
  ByteReader rest({p, static_cast<size_t>(end - p)});
  for (; i < values.size(); ++i) { values[i] = rest.uleb(); }
  return rest.ok() && rest.at_end();
}

}  // namespace

void TableWriter::numbers(uint8_t column, std::span<const uint64_t> values) {
  WICK_ASSERT(values.size() == rows_, "a column has one value per row");
  ByteWriter bytes;
  bool constant = std::all_of(values.begin(), values.end(), [&](uint64_t v) { return v == values.front(); });
  if (constant) {
    uint64_t value = values.empty() ? 0 : values.front();
    if (value == 0) { return; }  // missing columns read as zeros
    bytes.uleb(value);
    add_column(column, kConstant, bytes);
    return;
  }
  for (uint64_t value : values) { bytes.uleb(value); }
  add_column(column, kVarint, bytes);
}

void TableWriter::texts(uint8_t column, std::span<const std::string_view> values) {
  WICK_ASSERT(values.size() == rows_, "a column has one value per row");
  ByteWriter bytes;
  for (std::string_view value : values) { bytes.uleb(std::min(value.size(), kMaxTextBytes)); }
  for (std::string_view value : values) {
    value = value.substr(0, kMaxTextBytes);
    bytes.bytes({reinterpret_cast<const uint8_t*>(value.data()), value.size()});
  }
  add_column(column, kText, bytes);
}

void TableWriter::add_column(uint8_t column, uint8_t coding, const ByteWriter& bytes) {
  ++column_count_;
  columns_.u8(column);
  columns_.u8(coding);
  columns_.uleb(bytes.size());
  columns_.bytes(bytes.data());
}

void TableWriter::append_to(ByteWriter& payload) const {
  ByteWriter head;
  head.uleb(first_row_);
  head.uleb(rows_);
  head.uleb(column_count_);
  payload.u8(static_cast<uint8_t>(id_));
  payload.uleb(head.size() + columns_.size());
  payload.bytes(head.data());
  payload.bytes(columns_.data());
}

bool TableReader::next(ByteReader& payload) {
  columns_.clear();
  if (payload.at_end()) { return false; }
  id_ = static_cast<TableId>(payload.u8());
  ByteReader body(payload.bytes(payload.uleb()));
  first_row_ = body.uleb();
  uint64_t rows = body.uleb();
  uint64_t column_count = body.uleb();
  // Columns of an unknown table may be anything, but its head has a fixed layout and is checked.
  if (rows > kMaxTableRows || column_count > 255) { body.fail(); }
  for (uint64_t i = 0; i < column_count && body.ok(); ++i) {
    uint8_t id = body.u8();
    uint8_t coding = body.u8();
    columns_.push_back({id, coding, body.bytes(body.uleb())});
  }
  if (!payload.ok() || !body.ok() || !body.at_end()) {
    payload.fail();
    return false;
  }
  rows_ = static_cast<uint32_t>(rows);
  return true;
}

const TableReader::Column* TableReader::find(uint8_t column) const {
  auto found = std::find_if(columns_.begin(), columns_.end(), [&](const Column& c) { return c.id == column; });
  return found == columns_.end() ? nullptr : &*found;
}

bool TableReader::numbers(uint8_t column, std::vector<uint64_t>& values) const {
  const Column* found = find(column);
  if (found == nullptr) {
    values.assign(rows_, 0);
    return true;
  }
  if (found->coding == kConstant) {
    ByteReader reader(found->bytes);
    values.assign(rows_, reader.uleb());
    return reader.ok() && reader.at_end();
  }
  if (found->coding != kVarint || found->bytes.size() < rows_) { return false; }
  values.resize(rows_);
  return read_varints(found->bytes, values);
}

bool TableReader::texts(uint8_t column, std::vector<std::string_view>& values) const {
  values.assign(rows_, {});
  const Column* found = find(column);
  if (found == nullptr) { return true; }
  if (found->coding != kText || found->bytes.size() < rows_) { return false; }
  ByteReader reader(found->bytes);
  std::vector<uint64_t> lengths(rows_);
  for (uint64_t& length : lengths) { length = reader.uleb(); }
  for (uint32_t i = 0; i < rows_; ++i) {
    if (lengths[i] > kMaxTextBytes) { return false; }
    std::span<const uint8_t> bytes = reader.bytes(lengths[i]);
    values[i] = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  return reader.ok() && reader.at_end();
}

}  // namespace wick::capture
