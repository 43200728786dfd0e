// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

namespace wick {

// Reads little-endian values from untrusted bytes. A read past the end returns zero and puts the reader into a permanent failed
// state, so a parser can read a complete record and check ok() once. No read is ever out of bounds.
class ByteReader {
 public:
  explicit ByteReader(std::span<const uint8_t> bytes, size_t offset = 0) : bytes_(bytes), pos_(offset) {
    if (offset > bytes.size()) { fail(); }
  }

  bool ok() const { return ok_; }
  bool at_end() const { return pos_ >= bytes_.size(); }
  size_t pos() const { return pos_; }
  size_t left() const { return bytes_.size() - pos_; }
  void seek(uint64_t pos) {
    if (pos > bytes_.size()) {
      fail();
    } else {
      pos_ = static_cast<size_t>(pos);
    }
  }
  void skip(uint64_t n) {
    if (n > left()) {
      fail();
    } else {
      pos_ += static_cast<size_t>(n);
    }
  }
  void fail() {
    ok_ = false;
    pos_ = bytes_.size();
  }

  uint8_t u8() { return fixed<uint8_t>(); }
  uint16_t u16() { return fixed<uint16_t>(); }
  uint32_t u32() { return fixed<uint32_t>(); }
  uint64_t u64() { return fixed<uint64_t>(); }
  int8_t i8() { return fixed<int8_t>(); }
  int16_t i16() { return fixed<int16_t>(); }
  int32_t i32() { return fixed<int32_t>(); }
  int64_t i64() { return fixed<int64_t>(); }

  // LEB128. Drops bits beyond 64; more than 10 bytes is an error.
  uint64_t uleb() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      uint8_t byte = u8();
      if (!ok_) { return 0; }
      if (shift < 64) { value |= uint64_t{byte & 0x7fu} << shift; }
      if (byte < 0x80) { return value; }
    }
    fail();
    return 0;
  }
  int64_t sleb() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70;) {
      uint8_t byte = u8();
      if (!ok_) { return 0; }
      if (shift < 64) { value |= uint64_t{byte & 0x7fu} << shift; }
      shift += 7;
      if (byte < 0x80) {
        if (shift < 64 && (byte & 0x40)) { value |= ~uint64_t{0} << shift; }
        return static_cast<int64_t>(value);
      }
    }
    fail();
    return 0;
  }

  std::span<const uint8_t> bytes(uint64_t n) {
    if (n > left()) {
      fail();
      return {};
    }
    std::span<const uint8_t> out = bytes_.subspan(pos_, static_cast<size_t>(n));
    pos_ += static_cast<size_t>(n);
    return out;
  }
  // Zero-terminated; consumes the terminator but does not return it.
  std::string_view cstring() {
    const void* end = left() ? std::memchr(bytes_.data() + pos_, 0, left()) : nullptr;
    if (end == nullptr) {
      fail();
      return {};
    }
    std::string_view out(reinterpret_cast<const char*>(bytes_.data()) + pos_,
                         static_cast<size_t>(static_cast<const uint8_t*>(end) - bytes_.data()) - pos_);
    pos_ += out.size() + 1;
    return out;
  }
  // Length (uleb), then bytes.
  std::string_view text() {
    std::span<const uint8_t> b = bytes(uleb());
    return {reinterpret_cast<const char*>(b.data()), b.size()};
  }

 private:
  template <typename T>
  T fixed() {
    T value{};
    if (sizeof(T) > left()) {
      fail();
      return value;
    }
    std::memcpy(&value, bytes_.data() + pos_, sizeof(T));
    pos_ += sizeof(T);
    return value;
  }

  std::span<const uint8_t> bytes_;
  size_t pos_ = 0;
  bool ok_ = true;
};

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "wick reads and writes little-endian files on little-endian CPUs");

}  // namespace wick
