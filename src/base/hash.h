// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace wick {

inline uint64_t hash_bytes(std::span<const uint8_t> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }
inline uint64_t hash_text(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }
// For keys of two integers; open addressing needs all bits mixed.
inline uint64_t hash_pair(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9E3779B97F4A7C15u ^ (b + 0x7F4A7C159E3779B9u);
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93u;
  x ^= x >> 32;
  return x;
}
// For maps by number. The library's hash is the number itself: keys that differ only in high bits (a thread above, a frame below)
// would all collide, and the map would grow without end.
struct NumberHash {
  size_t operator()(uint64_t number) const { return hash_pair(number, 0); }
};

}  // namespace wick
