// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>

#include "import/text/folded.h"
#include "model/profile_builder.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wick;
  int64_t whole = -1;
  for (double least : {0.0, 0.1, 0.9}) {
    ImportOptions options;
    options.merge = true;
    options.least_share = least;
    Input input(make_memory_pieces(Bytes(data, size)));
    Result<Profile> profile = read_folded(input, options);
    if (!profile.ok()) { return 0; }
    check_profile(*profile);
    int64_t sum = 0;
    for (const Sample& s : profile->samples()) { sum += s.weight; }
    if (whole >= 0 && sum != whole) { __builtin_trap(); }
    whole = sum;
  }
  return 0;
}
