// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace wick {

// The counterpart of ByteReader: appends little-endian values.
class ByteWriter {
 public:
  void u8(uint8_t v) { out_.push_back(v); }
  void u16(uint16_t v) { fixed(v); }
  void u32(uint32_t v) { fixed(v); }
  void u64(uint64_t v) { fixed(v); }
  void uleb(uint64_t v) {
    while (v >= 0x80) {
      out_.push_back(static_cast<uint8_t>(v | 0x80));
      v >>= 7;
    }
    out_.push_back(static_cast<uint8_t>(v));
  }
  void bytes(std::span<const uint8_t> b) { out_.insert(out_.end(), b.begin(), b.end()); }
  void text(std::string_view s) {
    uleb(s.size());
    out_.insert(out_.end(), s.begin(), s.end());
  }

  size_t size() const { return out_.size(); }
  bool empty() const { return out_.empty(); }
  void clear() { out_.clear(); }
  std::span<const uint8_t> data() const { return out_; }
  std::vector<uint8_t> take() { return std::move(out_); }

 private:
  template <typename T>
  void fixed(T v) {
    size_t at = out_.size();
    out_.resize(at + sizeof v);
    std::memcpy(out_.data() + at, &v, sizeof v);
  }
  std::vector<uint8_t> out_;
};

}  // namespace wick
