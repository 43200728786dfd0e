// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/fd.h"
#include "symbolize/code_names.h"

namespace wick {

// /tmp/perf-PID.map, in which a program lists its generated code: "START SIZE name with blanks" per line, numbers in hexadecimal.
// Of two lines for one address, the later one wins. Skips malformed lines.
class PerfMapReader {
 public:
  explicit PerfMapReader(CodeNames& names) : names_(names) {}

  // Feeds the file piece by piece: it may have hundreds of megabytes.
  void feed(Bytes piece);
  void finish();  // handles a last line without a newline

 private:
  void take(std::string_view line);
  static constexpr size_t kMaxLineBytes = CodeNames::kMaxNameBytes + 64;

  CodeNames& names_;
  std::string begun_;  // start of a line that continues in the next piece; limited to the longest name
};

}  // namespace wick
