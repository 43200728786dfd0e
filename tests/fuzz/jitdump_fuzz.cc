// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

#include "symbolize/jitdump.h"

#include <cstddef>
#include <cstdint>

namespace {

std::vector<wick::CodeAddress> wanted() { return {{0, 1}, {0x1000, 15}, {0x1008, 150}, {0x9008, 1000}, {UINT64_MAX, 1}}; }

void read(wick::Bytes bytes, size_t piece, wick::CodeNames& names) {
  wick::JitDumpReader reader(names);
  auto feed = [&] {
    for (size_t at = 0; at < bytes.size(); at += piece) { reader.feed(bytes.subspan(at, std::min(piece, bytes.size() - at))); }
  };
  feed();
  if (reader.begin_again()) { feed(); }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  wick::CodeNames whole(wanted()), pieces(wanted());
  read({data, size}, size + 1, whole);
  read({data, size}, 7, pieces);
  for (size_t i = 0; i < wanted().size(); ++i) {
    wick::CodeNames::Name a = whole.names()[i], b = pieces.names()[i];
    if (a.function != b.function || a.file != b.file || a.line != b.line) { __builtin_trap(); }
    uint64_t code_a = a.code != nullptr ? a.code->code_offset : 0, code_b = b.code != nullptr ? b.code->code_offset : 0;
    if (code_a != code_b || code_a > size) { __builtin_trap(); }
  }
  return 0;
}
