// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/index_inputs.h"

#include <sys/stat.h>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/hash.h"

namespace wick {
namespace {

constexpr uint64_t kMagic = 0x31756e69'6b636977;  // "wickinu1"
constexpr size_t kHeaderSize = 24;                // magic, hash, size of the rest

}  // namespace

IndexInputs::State IndexInputs::state_of(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) { return {}; }
  return {static_cast<uint64_t>(info.st_size),
          static_cast<uint64_t>(info.st_mtim.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(info.st_mtim.tv_nsec)};
}

void IndexInputs::note(const std::string& path) { files_.push_back({path, state_of(path)}); }

std::string IndexInputs::encode() const {
  ByteWriter body, head;
  body.text(debug_path_);
  body.uleb(files_.size());
  for (const File& file : files_) {
    body.text(file.path);
    body.u64(file.state.size);
    body.u64(file.state.time_ns);
  }
  while (body.size() % 8 != 0) { body.u8(0); }
  head.u64(kMagic);
  head.u64(hash_bytes(body.data()));
  head.u64(body.size());
  head.bytes(body.data());
  return {reinterpret_cast<const char*>(head.data().data()), head.size()};
}

std::optional<Bytes> IndexInputs::skip_if_current(Bytes bytes, const std::string& debug_path) {
  ByteReader r(bytes);
  uint64_t magic = r.u64(), hash = r.u64(), size = r.u64();
  Bytes body = r.bytes(size);
  if (!r.ok() || magic != kMagic || size % 8 != 0 || hash_bytes(body) != hash) { return std::nullopt; }
  ByteReader files(body);
  auto text = [&] {
    Bytes found = files.bytes(files.uleb());
    return std::string(reinterpret_cast<const char*>(found.data()), found.size());
  };
  std::string made_at = text();
  if (!made_at.empty() && made_at != debug_path) { return std::nullopt; }
  for (uint64_t left = files.uleb(); left > 0 && files.ok(); --left) {
    std::string path = text();
    State was{files.u64(), files.u64()};
    if (!files.ok() || state_of(path) != was) { return std::nullopt; }
  }
  if (!files.ok()) { return std::nullopt; }
  return bytes.subspan(kHeaderSize + static_cast<size_t>(size));
}

}  // namespace wick
