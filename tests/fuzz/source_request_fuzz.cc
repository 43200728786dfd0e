// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "base/result.h"
#include "module/debuginfod.h"

// A name in debug info cannot request anything but a file below the server's directory of sources.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view name(reinterpret_cast<const char*>(data), size);
  std::string out = wick::requested_source(name);
  if (out.empty()) { return 0; }
  WICK_ASSERT(out[0] == '/' && out.size() <= name.size(), "an absolute name that is not longer");
  std::string framed = out + "/";
  for (const char* part : {"//", "/./", "/../"}) { WICK_ASSERT(framed.find(part) == framed.npos, "no other directory"); }
  for (char c : out) { WICK_ASSERT(c > ' ' && c < 0x7f && c != '%' && c != '?' && c != '#' && c != '\\', "no other document"); }
  WICK_ASSERT(wick::requested_source(out) == out, "the same again");
  return 0;
}
