// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/btf.h"

#include "base/byte_reader.h"

namespace wick {
namespace {

constexpr uint16_t kMagic = 0xeb9f;

// Bytes after the 12 that every type has; nullopt for an unknown kind.
std::optional<uint64_t> extra_bytes(uint32_t kind, uint32_t count) {
  switch (kind) {
    case 2:   // pointer
    case 7:   // forward
    case 8:   // typedef
    case 9:   // volatile
    case 10:  // const
    case 11:  // restrict
    case 12:  // function
    case 16:  // float
    case 18:  // type tag
      return 0;
    case 1:   // integer
    case 14:  // variable
    case 17:  // declaration tag
      return 4;
    case 3: return 12;           // array
    case 4:                      // struct
    case 5:                      // union
    case 15:                     // section
    case 19: return 12 * count;  // 64-bit enumeration
    case 6:                      // enumeration
    case 13: return 8 * count;   // prototype
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<uint32_t> find_btf_member(Bytes btf, std::string_view structure, std::string_view member) {
  ByteReader header(btf);
  if (header.u16() != kMagic) { return std::nullopt; }
  header.skip(2);
  uint64_t header_size = header.u32(), types = header.u32(), types_size = header.u32(), strings = header.u32(),
           strings_size = header.u32();
  types += header_size;
  strings += header_size;
  bool fits = header.ok() && types <= btf.size() && types_size <= btf.size() - types && strings <= btf.size() &&
              strings_size <= btf.size() - strings;
  if (!fits) { return std::nullopt; }
  Bytes texts = btf.subspan(strings, strings_size);
  auto is = [&](uint64_t at, std::string_view name) {
    return at < texts.size() && texts.size() - at > name.size() && texts[at + name.size()] == 0 &&
           std::string_view(reinterpret_cast<const char*>(texts.data()) + at, name.size()) == name;
  };
  ByteReader r(btf.subspan(types, types_size));
  while (r.ok() && r.left() > 0) {
    uint32_t name = r.u32(), info = r.u32();
    r.skip(4);
    uint32_t kind = info >> 24 & 31, count = info & 0xffff;
    bool has_bit_fields = info >> 31 != 0;
    std::optional<uint64_t> extra = extra_bytes(kind, count);
    if (!extra) { return std::nullopt; }
    if (kind != 4 || !is(name, structure)) {
      r.skip(*extra);
      continue;
    }
    for (uint32_t i = 0; i < count && r.ok(); ++i) {
      uint32_t member_name = r.u32();
      r.skip(4);
      uint32_t bits = r.u32();
      if (!is(member_name, member)) { continue; }
      bool is_bit_field = (has_bit_fields && bits >> 24 != 0) || bits % 8 != 0;
      if (!r.ok() || is_bit_field) { return std::nullopt; }
      return (has_bit_fields ? bits & 0xffffff : bits) / 8;
    }
  }
  return std::nullopt;
}

}  // namespace wick
