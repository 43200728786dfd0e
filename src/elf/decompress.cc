// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/decompress.h"

#include <elf.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/byte_reader.h"

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

namespace wick::elf {
namespace {

constexpr size_t kStep = size_t{1} << 20;
constexpr uint64_t kAnyway = uint64_t{64} << 20, kMostGrowth = 1000;

struct Packed {
  Compression kind = Compression::kNone;
  uint64_t size = 0;
  Bytes bytes;
};

Packed read_header(const Image& image, const Section& section) {
  Bytes raw = image.section_bytes(section);
  if (section.flags & SHF_COMPRESSED) {
    ByteReader r(raw);
    uint32_t type = r.u32();
    r.u32();
    uint64_t size = r.u64();
    r.u64();
    if (!r.ok()) { return {Compression::kUnknown, 0, {}}; }
    Compression kind = type == ELFCOMPRESS_ZLIB   ? Compression::kZlib
                       : type == ELFCOMPRESS_ZSTD ? Compression::kZstd
                                                  : Compression::kUnknown;
    return {kind, size, raw.subspan(r.pos())};
  }
  bool old_style = section.name.substr(0, 7) == ".zdebug" && raw.size() >= 12 && std::memcmp(raw.data(), "ZLIB", 4) == 0;
  if (!old_style) { return {Compression::kNone, raw.size(), raw}; }
  uint64_t size = 0;  // big-endian
  for (size_t i = 4; i < 12; ++i) { size = size << 8 | raw[i]; }
  return {Compression::kZlib, size, raw.subspan(12)};
}

// Grows the output as data arrives, not by the size that the header claims.
bool inflate_zlib(Bytes in, uint64_t size, std::vector<uint8_t>& out) {
  z_stream z{};
  if (inflateInit(&z) != Z_OK) { return false; }
  std::unique_ptr<z_stream, void (*)(z_stream*)> end(&z, [](z_stream* s) { inflateEnd(s); });
  int status = Z_OK;
  while (out.size() < size && status == Z_OK) {
    if (z.avail_in == 0 && !in.empty()) {
      size_t n = std::min<size_t>(in.size(), size_t{1} << 30);
      z.next_in = const_cast<Bytef*>(in.data());
      z.avail_in = static_cast<uInt>(n);
      in = in.subspan(n);
    }
    size_t at = out.size(), room = static_cast<size_t>(std::min<uint64_t>(size - at, std::max(kStep, at)));
    room = std::min<size_t>(room, size_t{1} << 30);
    out.resize(at + room);
    z.next_out = out.data() + at;
    z.avail_out = static_cast<uInt>(room);
    status = inflate(&z, Z_NO_FLUSH);
    out.resize(at + room - z.avail_out);
    if (status == Z_OK && z.avail_out == room) { return false; }  // no progress: the input is truncated
  }
  return out.size() == size;
}

bool inflate_zstd(Bytes in, uint64_t size, std::vector<uint8_t>& out) {
  std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> z(ZSTD_createDStream(), ZSTD_freeDStream);
  if (z == nullptr || ZSTD_isError(ZSTD_DCtx_setParameter(z.get(), ZSTD_d_windowLogMax, 27))) { return false; }
  ZSTD_inBuffer input{in.data(), in.size(), 0};
  while (out.size() < size) {
    size_t at = out.size(), room = static_cast<size_t>(std::min<uint64_t>(size - at, std::max(kStep, at)));
    out.resize(at + room);
    ZSTD_outBuffer output{out.data() + at, room, 0};
    size_t before = input.pos, status = ZSTD_decompressStream(z.get(), &output, &input);
    out.resize(at + output.pos);
    if (ZSTD_isError(status)) { return false; }
    if (output.pos == 0 && input.pos == before) { return false; }
  }
  return out.size() == size;
}

}  // namespace

Compression compression_of(const Image& image, const Section& section) { return read_header(image, section).kind; }

Result<SectionContents> section_contents(const Image& image, const Section& section, uint64_t limit) {
  Packed packed = read_header(image, section);
  SectionContents out;
  if (packed.kind == Compression::kNone) {
    out.bytes = packed.bytes;
    return out;
  }
  // Debug info shrinks to a fifth, rarely to a fiftieth; higher ratios indicate a decompression bomb.
  limit = std::min(limit, kAnyway + kMostGrowth * packed.bytes.size());
  uint64_t size = std::min(packed.size, limit);
  out.cut = size < packed.size;
  bool good = false;
  if (packed.kind == Compression::kZlib) { good = inflate_zlib(packed.bytes, size, out.owned); }
  if (packed.kind == Compression::kZstd) { good = inflate_zstd(packed.bytes, size, out.owned); }
  if (!good) {
    return Error("cannot decompress section %.*s", static_cast<int>(section.name.size()), section.name.data())
        .with_code(Errc::kBadInput);
  }
  out.bytes = out.owned;
  return out;
}

Result<std::vector<uint8_t>> decompress_xz(Bytes bytes, uint64_t limit) {
  lzma_stream z = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&z, uint64_t{256} << 20, 0) != LZMA_OK) { return Error("cannot start the xz decoder"); }
  std::unique_ptr<lzma_stream, void (*)(lzma_stream*)> end(&z, [](lzma_stream* s) { lzma_end(s); });
  z.next_in = bytes.data();
  z.avail_in = bytes.size();
  std::vector<uint8_t> out;
  for (;;) {
    size_t at = out.size();
    out.resize(at + std::max(kStep, at));
    z.next_out = out.data() + at;
    z.avail_out = out.size() - at;
    lzma_ret status = lzma_code(&z, LZMA_FINISH);
    out.resize(out.size() - z.avail_out);
    if (out.size() > limit) {
      return Error("xz data of more than %llu bytes", static_cast<unsigned long long>(limit)).with_code(Errc::kBadInput);
    }
    if (status == LZMA_STREAM_END) { return out; }
    if (status != LZMA_OK || out.size() == at) { return Error("damaged xz data").with_code(Errc::kBadInput); }
  }
}

uint32_t debuglink_crc(Bytes bytes) {
  uLong crc = ::crc32(0, nullptr, 0);
  while (!bytes.empty()) {
    size_t n = std::min<size_t>(bytes.size(), size_t{1} << 30);
    crc = ::crc32(crc, bytes.data(), static_cast<uInt>(n));
    bytes = bytes.subspan(n);
  }
  return static_cast<uint32_t>(crc);
}

}  // namespace wick::elf
