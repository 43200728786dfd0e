// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// One name per line. The result has a bounded size and is computed in bounded time.

#include <cstddef>
#include <cstdint>

#include "base/text.h"
#include "model/function_name.h"
#include "symbolize/demangle.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wick;
  for (std::string_view name : split({reinterpret_cast<const char*>(data), size}, '\n')) {
    std::string out = demangle(name);
    if (out.size() > 65536 + name.size()) { __builtin_trap(); }
    std::string brief = short_name(out);
    if (brief.size() > out.size() || (brief.empty() && !out.empty())) { __builtin_trap(); }
    (void)short_name(name);
    for (std::string_view rest = brief; !rest.empty();) { rest = without_outer_scope(rest); }
  }
  return 0;
}
