// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests of readers only.

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "import/common/input.h"
#include "model/profile.h"

namespace wick::testing_import {

// Bytes in pieces of a given size, each in a buffer that the next call frees.
class PiecesOf : public Pieces {
 public:
  PiecesOf(Bytes bytes, size_t size) : rest_(bytes), size_(size) {}
  Result<Bytes> next() override {
    Bytes piece = rest_.first(std::min(size_, rest_.size()));
    rest_ = rest_.subspan(piece.size());
    buffer_ = std::vector<uint8_t>(piece.begin(), piece.end());
    return Bytes(buffer_);
  }

 private:
  Bytes rest_;
  size_t size_;
  std::vector<uint8_t> buffer_;
};

inline std::string gzip(const std::string& text) {
  z_stream z{};
  EXPECT_EQ(::deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(::deflateBound(&z, text.size()) + 64, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  z.avail_in = static_cast<uInt>(text.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(::deflate(&z, Z_FINISH), Z_STREAM_END);
  out.resize(z.total_out);
  ::deflateEnd(&z);
  return out;
}

inline std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

// Every stack ("root;…;leaf") with its total weight, over all events and threads.
inline std::map<std::string, int64_t> stacks_of(const Profile& p) {
  std::map<std::string, int64_t> out;
  for (const Sample& s : p.samples()) {
    std::string text;
    for (StackId at = s.stack; at.valid(); at = p[at].caller) {
      text = std::string(p.text(p[p[p[at].frame].function].name)) + (text.empty() ? "" : ";" + text);
    }
    out[text] += s.weight;
  }
  return out;
}

}  // namespace wick::testing_import
