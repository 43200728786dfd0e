// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Whole and in chunks of a few bytes: the same profile, or the same error.

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
  Input memory(make_memory_pieces(bytes));
  Result<Profile> whole = read_perf_script(memory, {.threads = 1});
  unsigned threads = size % 16 == 0 ? 2 : 1;  // starting one takes longer than all else
  Input pieces(std::make_unique<testing_import::PiecesOf>(bytes, 13));
  Result<Profile> merged = read_perf_script(pieces, {.merge = true, .threads = threads}, 40);
  if (whole.ok() != merged.ok()) { __builtin_trap(); }
  if (!whole.ok()) { return 0; }
  auto count = [](const Profile& p) {
    uint64_t sum = 0;
    for (const Sample& s : p.samples()) { sum += s.count; }
    return sum;
  };
  if (count(*whole) != count(*merged) || whole->stacks().size() != merged->stacks().size() || whole->warnings() != merged->warnings()) {
    __builtin_trap();
  }
  return 0;
}
