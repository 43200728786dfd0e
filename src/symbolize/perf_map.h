// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/fd.h"
#include "symbolize/code_names.h"

namespace wick {

// /tmp/perf-PID.map, in which a program tells of the code it makes: "START SIZE name with blanks" a line, numbers in hexadecimal.
// Of two lines for one address the later counts. Lines that make no sense are passed over.
class PerfMapReader {
 public:
  explicit PerfMapReader(CodeNames& names) : names_(names) {}

  // The file, piece by piece: it may have hundreds of megabytes.
  void feed(Bytes piece);
  void finish();  // there may be a last line without an end

 private:
  void take(std::string_view line);
  static constexpr size_t kMaxLineBytes = CodeNames::kMaxNameBytes + 64;

  CodeNames& names_;
  std::string begun_;  // of a line that goes on in the next piece; what is beyond the longest name is left out
};

}  // namespace wick
