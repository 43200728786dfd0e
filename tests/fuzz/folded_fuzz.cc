// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// What is read, written and read again is the same. Every other input is only read.

#include "import/text/folded.h"

#include <cstddef>
#include <cstdint>
#include <memory>

#include "export/folded.h"
#include "import/common/testing.h"
#include "import/import.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wick;
  Bytes bytes(data, size);
  (void)is_folded(head_of(bytes));
  Input pieces(std::make_unique<testing_import::PiecesOf>(bytes, 7));
  Result<Profile> first = read_folded(pieces, {.merge = true});
  if (!first.ok() || first->is_difference() || size % 2 != 0) { return 0; }
  auto write = [](const Profile& p) {
    std::string text;
    Result<Selection> all = select_samples(p);
    if (all.ok()) {
      write_folded(p, *all, {.weights = true}, [&](std::string_view piece) {
        text += piece;
        return true;
      });
    }
    return text;
  };
  std::string text = write(*first);
  Input again(make_memory_pieces(as_bytes(text)));
  Result<Profile> second = read_folded(again, {});
  if (text.empty() || !second.ok()) { return 0; }
  // A name that ends in a number may now stand in every line, and a name that begins with "#" at the beginning of one.
  if (second->is_difference() || text.find('#') != text.npos) { return 0; }
  if (write(*second) != text) { __builtin_trap(); }
  return 0;
}
