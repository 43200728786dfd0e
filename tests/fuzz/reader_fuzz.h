// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every reader of a foreign format must stand: any bytes give a profile that keeps its promises, or a message.

#include <cstddef>
#include <cstdint>

#include "import/import.h"
#include "model/profile_builder.h"

namespace wick {

inline int fuzz_reader(const Reader& reader, const uint8_t* data, size_t size) {
  (void)detect_reader(head_of({data, size}));
  for (bool merge : {false, true}) {
    Input input(make_memory_pieces({data, size}));
    ImportOptions options;
    options.merge = merge;
    Result<Profile> profile = import_profile(input, reader, options);
    if (profile.ok()) {
      check_profile(*profile);
    } else if (profile.error().message().empty()) {
      __builtin_trap();
    }
  }
  return 0;
}

}  // namespace wick
