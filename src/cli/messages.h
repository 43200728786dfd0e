// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Messages on standard error.

#include <string>

#include "base/result.h"

namespace wick {

// Prints "wick: message" and "hint: …".
void print_error(const Error& error);
// Prints a line at most once per run, however many files it applies to.
void print_once(const std::string& line);
inline int fail(const Error& error, int code = 1) {
  print_error(error);
  return code;
}

}  // namespace wick
