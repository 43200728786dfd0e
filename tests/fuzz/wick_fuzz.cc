// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The `.wick` reader and what builds a profile from what it read. A checksum would turn nearly every changed input away before
// the decoder sees it, so most inputs are read with all checksums made right, and a few as they are.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "base/byte_reader.h"
#include "base/hash.h"
#include "capture/replace_symbols.h"
#include "capture/wick_format.h"
#include "capture/wick_reader.h"
#include "pipeline/load.h"

namespace {

// Every id leads to a row, and no interval ends before it begins.
void check_timeline(const wick::capture::Capture& capture) {
  for (const wick::capture::Marker& marker : capture.markers) {
    bool known = !marker.thread.valid() || marker.thread.value < capture.threads.size();
    if (!known || marker.start_ns > marker.end_ns) { __builtin_trap(); }
  }
  for (const wick::capture::Track& track : capture.tracks) {
    if (track.thread.valid() && track.thread.value >= capture.threads.size()) { __builtin_trap(); }
  }
  for (const wick::capture::TrackValue& value : capture.values) {
    if (value.track.value >= capture.tracks.size()) { __builtin_trap(); }
  }
}

void read(std::span<const uint8_t> bytes) {
  wick::Result<wick::capture::Capture> capture = wick::capture::read_wick(bytes);
  if (!capture.ok()) { return; }
  // Files that it names are not looked for: what is on this machine must not matter.
  for (wick::capture::Module& module : capture->modules) { module.kind = wick::capture::ModuleKind::kAnonymous; }
  wick::Profile profile = wick::build_profile(*capture);
  // Each thread may have time without samples.
  size_t least = capture->samples.size(), most = least + capture->threads.size();
  if (profile.samples().size() < least || profile.samples().size() > most) { __builtin_trap(); }
  wick::Result<std::vector<uint8_t>> again = wick::capture::replace_symbols(bytes, *capture, capture->symbols);
  if (!again.ok()) { return; }
  wick::Result<wick::capture::Capture> same = wick::capture::read_wick(*again);
  if (!same.ok() || same->samples != capture->samples || same->stacks != capture->stacks || !same->damage.empty()) {
    __builtin_trap();
  }
  if (same->markers != capture->markers || same->tracks != capture->tracks || same->values != capture->values ||
      same->code != capture->code || same->sources != capture->sources) {
    __builtin_trap();
  }
  check_timeline(*same);
}

void make_checksums_right(std::vector<uint8_t>& file) {
  using namespace wick::capture;
  if (file.size() < kFileHeaderSize) { return; }
  std::copy(kWickMagic.begin(), kWickMagic.end(), file.begin());
  std::memset(file.data() + 8, 0, 4);
  file[8] = kFormatMajor;
  uint32_t check = static_cast<uint32_t>(wick::hash_bytes(std::span(file).first(12)));
  std::memcpy(file.data() + 12, &check, sizeof check);
  for (size_t at = kFileHeaderSize; file.size() - at >= kBlockHeaderSize;) {
    wick::ByteReader header(file, at + 12);
    size_t size = std::min<size_t>(header.u32(), file.size() - at - kBlockHeaderSize);
    uint64_t checksum = wick::hash_bytes(std::span(file).subspan(at + 8, kBlockHeaderSize - 8 + size));
    std::memcpy(file.data() + at, &checksum, sizeof checksum);
    at += kBlockHeaderSize + size;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size % 8 == 0) {
    read({data, size});
    return 0;
  }
  std::vector<uint8_t> file(data, data + size);
  make_checksums_right(file);
  // Of the exact size, so that a read past the end is seen.
  std::unique_ptr<uint8_t[]> exact(new uint8_t[file.size()]);
  std::copy(file.begin(), file.end(), exact.get());
  read({exact.get(), file.size()});
  return 0;
}
