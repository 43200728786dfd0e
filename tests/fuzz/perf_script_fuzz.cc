// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Whole or in chunks of a few bytes; for some inputs both, which must give the same profile or the same error.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "import/common/testing.h"
#include "import/import.h"
#include "import/perf/perf_script.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wick;
  Bytes bytes(data, size);
  (void)is_perf_script(head_of(bytes));
  size_t choice = size + (size > 0 ? data[size - 1] : 0);
  auto read_memory = [&] {
    Input memory(make_memory_pieces(bytes));
    return read_perf_script(memory, {.threads = 1});
  };
  auto read_pieces = [&] {
    unsigned threads = choice % 64 == 0 ? 2 : 1;  // starting one takes longer than all else
    Input pieces(std::make_unique<testing_import::PiecesOf>(bytes, 13));
    return read_perf_script(pieces, {.merge = true, .threads = threads}, 40);
  };
  if (choice % 4 != 0) {
    (void)(choice % 4 == 1 ? read_pieces() : read_memory());
    return 0;
  }
  Result<Profile> whole = read_memory(), merged = read_pieces();
  if (whole.ok() != merged.ok()) { __builtin_trap(); }
  if (!whole.ok()) { return 0; }
  auto count = [](const Profile& p) {
    uint64_t sum = 0;
    for (const Sample& s : p.samples()) { sum += s.count; }
    return sum;
  };
  if (count(*whole) != count(*merged) || whole->stacks().size() != merged->stacks().size() ||
      whole->warnings() != merged->warnings()) {
    __builtin_trap();
  }
  return 0;
}
