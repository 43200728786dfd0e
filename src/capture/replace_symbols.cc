// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "capture/replace_symbols.h"

#include "capture/block.h"
#include "capture/wick_writer.h"

namespace wick::capture {

Result<std::vector<uint8_t>> replace_symbols(std::span<const uint8_t> file, const Capture& read,
                                             std::span<const FrameSymbols> symbols) {
  std::span<const uint8_t> whole = file.first(std::min<size_t>(file.size(), read.whole_bytes));
  WICK_LET(BlockReader blocks, BlockReader::open(whole));
  std::vector<uint8_t> out(whole.begin(), whole.begin() + kFileHeaderSize);
  std::span<const uint8_t> end;  // the end mark says something only as the last block
  while (blocks.next()) {
    auto kind = static_cast<BlockKind>(blocks.kind());
    bool known = kind >= BlockKind::kInfo && kind <= BlockKind::kEnd;
    if (known) { end = kind == BlockKind::kEnd ? blocks.bytes() : std::span<const uint8_t>(); }
    if (kind == BlockKind::kEnd || kind == BlockKind::kSymbols) { continue; }
    out.insert(out.end(), blocks.bytes().begin(), blocks.bytes().end());
  }
  if (!blocks.damage().empty()) { return Error("the file has changed while it was read: %s", blocks.damage().c_str()); }
  BlockWriter writer;
  append_symbol_blocks(out, writer, symbols);
  out.insert(out.end(), end.begin(), end.end());
  return out;
}

}  // namespace wick::capture
