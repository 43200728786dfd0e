// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "capture/replace_symbols.h"

#include <algorithm>

#include "capture/block.h"
#include "capture/wick_reader.h"
#include "capture/wick_writer.h"

namespace wick::capture {
namespace {

bool is_same_but_for_names(const Capture& a, const Capture& b) {
  return a.info == b.info && a.modules == b.modules && a.frames == b.frames && a.stacks == b.stacks && a.threads == b.threads &&
         a.samples == b.samples && a.counters == b.counters && a.markers == b.markers && a.tracks == b.tracks &&
         a.values == b.values && a.code == b.code && a.sources == b.sources;
}

}  // namespace

Result<std::vector<uint8_t>> replace_symbols(std::span<const uint8_t> file, const Capture& read,
                                             std::span<const FrameSymbols> symbols) {
  std::span<const uint8_t> whole = file.first(std::min<size_t>(file.size(), read.whole_bytes));
  WICK_LET(BlockReader blocks, BlockReader::open(whole));
  std::vector<uint8_t> out(whole.begin(), whole.begin() + kFileHeaderSize);
  std::span<const uint8_t> end;  // the end mark counts only as the last block
  while (blocks.next()) {
    auto kind = static_cast<BlockKind>(blocks.kind());
    if (is_known_block(blocks.kind())) { end = kind == BlockKind::kEnd ? blocks.bytes() : std::span<const uint8_t>(); }
    if (kind == BlockKind::kEnd || kind == BlockKind::kSymbols) { continue; }
    out.insert(out.end(), blocks.bytes().begin(), blocks.bytes().end());
  }
  if (!blocks.damage().empty()) { return Error("the file changed while wick read it: %s", blocks.damage().c_str()); }
  BlockWriter writer;
  append_symbol_blocks(out, writer, symbols);
  out.insert(out.end(), end.begin(), end.end());
  // The result may replace the only copy, and blocks of another writer may contain unexpected data: so check that nothing is
  // lost.
  Result<Capture> again = read_wick(out);
  if (!again.ok() || !is_same_but_for_names(*again, read)) {
    return Error("cannot rewrite this recording without losing data").with_code(Errc::kBadInput);
  }
  return out;
}

}  // namespace wick::capture
