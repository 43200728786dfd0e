// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "base/text.h"

namespace wick {
namespace {

struct Range {
  char32_t first, last;
};

// Deliberately coarse (complete blocks): function and thread names are nearly always ASCII, and a column too many in a rare
// script does less harm than maintaining a full table.
constexpr Range kZeroWidth[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x0610, 0x061a}, {0x064b, 0x065f},   {0x06d6, 0x06dc},
    {0x0900, 0x0902}, {0x093c, 0x093c}, {0x0941, 0x0948}, {0x094d, 0x094d}, {0x0e31, 0x0e31},   {0x0e34, 0x0e3a},
    {0x0e47, 0x0e4e}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x202a, 0x202e},   {0x2060, 0x2064},
    {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xe0100, 0xe01ef},
};
constexpr Range kWide[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x23e9, 0x23ec},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x26a1, 0x26a1},
    {0x2705, 0x2705},   {0x274c, 0x274c},   {0x2753, 0x2755},   {0x2795, 0x2797},   {0x2b50, 0x2b50},   {0x2e80, 0x303e},
    {0x3041, 0x33ff},   {0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0xa000, 0xa4cf},   {0xa960, 0xa97f},   {0xac00, 0xd7a3},
    {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x16fe0, 0x18aff}, {0x1b000, 0x1b2ff},
    {0x1f200, 0x1f2ff}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd},
};

template <size_t N>
bool contains(const Range (&ranges)[N], char32_t value) {
  auto it = std::upper_bound(std::begin(ranges), std::end(ranges), value, [](char32_t v, const Range& r) { return v < r.first; });
  return it != std::begin(ranges) && value <= std::prev(it)->last;
}

bool must_be_escaped(char32_t v) {
  return v < 0x20 || (v >= 0x7f && v < 0xa0) || v == 0x2028 || v == 0x2029 || (v >= 0x202a && v <= 0x202e) ||
         (v >= 0x2066 && v <= 0x2069) || (v & 0xfffe) == 0xfffe;
}

}  // namespace

CodePoint decode_utf8(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  constexpr CodePoint kBad{0xfffd, 1, false};
  uint8_t lead = byte(0);
  if (lead < 0x80) { return {lead, 1, true}; }
  size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < size) { return kBad; }
  char32_t value = lead & (0x7fu >> size);
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) { return kBad; }
    value = value << 6 | (byte(i) & 0x3fu);
  }
  bool overlong = (size == 3 && value < 0x800) || (size == 4 && value < 0x10000);
  bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (overlong || surrogate || value > 0x10ffff) { return kBad; }
  return {value, size, true};
}

void append_utf8(std::string& out, char32_t v) {
  auto put = [&](char32_t byte) { out += static_cast<char>(byte); };
  if (v < 0x80) {
    put(v);
  } else if (v < 0x800) {
    put(0xc0 | v >> 6), put(0x80 | (v & 0x3f));
  } else if (v < 0x10000) {
    put(0xe0 | v >> 12), put(0x80 | (v >> 6 & 0x3f)), put(0x80 | (v & 0x3f));
  } else {
    put(0xf0 | v >> 18), put(0x80 | (v >> 12 & 0x3f)), put(0x80 | (v >> 6 & 0x3f)), put(0x80 | (v & 0x3f));
  }
}

int display_width(char32_t v) {
  if (v < 0x300) { return v < 0x20 || (v >= 0x7f && v < 0xa0) ? 0 : 1; }
  return contains(kZeroWidth, v) ? 0 : contains(kWide, v) ? 2 : 1;
}

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    CodePoint c = decode_utf8(text);
    width += display_width(c.value);
    text.remove_prefix(c.size);
  }
  return width;
}

std::string printable(std::string_view text) {
  bool plain = std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
  if (plain) { return std::string(text); }
  std::string out;
  out.reserve(text.size() + 16);
  while (!text.empty()) {
    CodePoint c = decode_utf8(text);
    if (c.value == '\n') {
      out += "\\n";
    } else if (c.value == '\t') {
      out += "\\t";
    } else if (c.value == '\r') {
      out += "\\r";
    } else if (must_be_escaped(c.value)) {
      out += strf(c.value < 0x100 ? "\\x%02x" : c.value < 0x10000 ? "\\u%04x" : "\\U%08x", static_cast<unsigned>(c.value));
    } else {
      append_utf8(out, c.value);
    }
    text.remove_prefix(c.size);
  }
  return out;
}

}  // namespace wick
