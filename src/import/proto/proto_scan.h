// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The fields of a protobuf message that may be truncated anywhere, for detection. protozero reads complete messages.

#include <cstdint>
#include <optional>
#include <protozero/types.hpp>
#include <string_view>

#include "base/result.h"

namespace wick {

// Short names for protobuf's wire types.
namespace wire {
constexpr auto kVarint = protozero::pbf_wire_type::varint;
constexpr auto kFixed64 = protozero::pbf_wire_type::fixed64;
constexpr auto kBytes = protozero::pbf_wire_type::length_delimited;
constexpr auto kFixed32 = protozero::pbf_wire_type::fixed32;
}  // namespace wire

class ProtoScan {
 public:
  explicit ProtoScan(std::string_view bytes) : bytes_(bytes) {}

  struct Field {
    uint32_t number = 0;
    protozero::pbf_wire_type wire_type = wire::kVarint;
    std::string_view bytes{};  // of wire type kBytes
    bool whole = true;         // false: truncated
  };
  // Nullopt at the end or if invalid: see broken().
  std::optional<Field> next() {
    if (at_ >= bytes_.size() || broken_) { return std::nullopt; }
    std::optional<uint64_t> key = varint();
    if (!key) { return std::nullopt; }
    Field field{static_cast<uint32_t>(*key >> 3), static_cast<protozero::pbf_wire_type>(*key & 7)};
    if (*key >> 35 != 0 || field.number == 0) { return fail(); }
    if (field.wire_type == wire::kVarint) {
      if (!varint()) { return std::nullopt; }
    } else if (field.wire_type == wire::kFixed64 || field.wire_type == wire::kFixed32) {
      at_ += field.wire_type == wire::kFixed64 ? 8 : 4;
    } else if (field.wire_type == wire::kBytes) {
      std::optional<uint64_t> size = varint();
      if (!size) { return std::nullopt; }
      if (*size > uint64_t{1} << 40) { return fail(); }
      field.whole = *size <= bytes_.size() - at_;
      field.bytes = bytes_.substr(at_, static_cast<size_t>(*size));
      at_ = field.whole ? at_ + static_cast<size_t>(*size) : bytes_.size();
    } else {
      return fail();
    }
    return field;
  }
  bool broken() const { return broken_; }

 private:
  std::optional<Field> fail() {
    broken_ = true;
    return std::nullopt;
  }
  std::optional<uint64_t> varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      if (at_ >= bytes_.size()) { return std::nullopt; }
      uint8_t byte = static_cast<uint8_t>(bytes_[at_++]);
      if (shift < 64) { value |= uint64_t{byte & 0x7fu} << shift; }
      if (byte < 0x80) { return value; }
    }
    broken_ = true;
    return std::nullopt;
  }

  std::string_view bytes_;
  size_t at_ = 0;
  bool broken_ = false;
};

// The error for an exception of protozero in the field at `offset`.
inline Error proto_error(size_t offset, const char* message_type, const char* why) {
  return Error("byte %zu: damaged or truncated: expected a complete field of %s (%s)", offset, message_type, why)
      .with_code(Errc::kBadInput);
}

}  // namespace wick
