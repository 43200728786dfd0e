// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Instructions and source code that a recording contains, for views where the files are gone or have changed.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/cpu.h"

namespace wick {

struct RecordedCode {
  // The code of a function, or a part of it.
  struct Body {
    std::string module;    // a file's build ID; the path of the kernel and of generated code
    uint64_t address = 0;  // as in frames
    std::string bytes;

    bool covers(uint64_t at) const { return at >= address && at - address < bytes.size(); }
  };

  Arch arch = Arch::kUnknown;
  std::vector<Body> bodies;                                 // by module and address; those of a module do not overlap
  std::map<std::string, std::string, std::less<>> sources;  // by name in the debug info

  // The body that covers the address; null if there is none.
  const Body* find(std::string_view module, uint64_t address) const;
};

}  // namespace wick
