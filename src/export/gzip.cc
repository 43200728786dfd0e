// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/gzip.h"

#include <zlib.h>

#include <vector>

#include "base/result.h"

namespace wick {

void write_gzip(const Sink& sink, const std::function<void(const Sink&)>& write) {
  constexpr int kGzip = 16 + MAX_WBITS;
  // Level 6 takes three times as long for a profile's columns and makes them a tenth smaller.
  constexpr int kLevel = 3;
  z_stream z{};
  WICK_ASSERT(deflateInit2(&z, kLevel, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) == Z_OK, "memory for a compressor");
  std::vector<char> out(size_t{64} << 10);
  bool wanted = true;
  auto run = [&](std::string_view piece, int flush) {
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    z.avail_in = static_cast<uInt>(piece.size());
    do {
      z.next_out = reinterpret_cast<Bytef*>(out.data());
      z.avail_out = static_cast<uInt>(out.size());
      deflate(&z, flush);
      size_t made = out.size() - z.avail_out;
      if (wanted && made > 0) { wanted = sink({out.data(), made}); }
    } while (wanted && z.avail_out == 0);
  };
  constexpr size_t kMost = size_t{1} << 30;  // zlib uses 32-bit counts
  write([&](std::string_view text) {
    for (; wanted && !text.empty(); text.remove_prefix(std::min(kMost, text.size()))) { run(text.substr(0, kMost), Z_NO_FLUSH); }
    return wanted;
  });
  if (wanted) { run({}, Z_FINISH); }
  deflateEnd(&z);
}

}  // namespace wick
