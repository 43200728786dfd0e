// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/base64.h"

#include <cstdint>

namespace wick {
namespace {

constexpr char kBase64Digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

void write_base64(const Sink& sink, const std::function<void(const Sink&)>& write) {
  PieceWriter out(sink);
  uint32_t bits = 0;
  unsigned held = 0;  // bytes in `bits`
  write([&](std::string_view piece) {
    for (char c : piece) {
      bits = bits << 8 | static_cast<uint8_t>(c);
      if (++held < 3) { continue; }
      for (int shift : {18, 12, 6, 0}) { out.text += kBase64Digits[bits >> shift & 63]; }
      bits = held = 0;
    }
    return out.step();
  });
  if (held > 0) {
    bits <<= 8 * (3 - held);
    for (unsigned i = 0; i < 4; ++i) { out.text += i <= held ? kBase64Digits[bits >> (18 - 6 * i) & 63] : '='; }
  }
  out.finish();
}

}  // namespace wick
