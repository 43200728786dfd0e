// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Messages on standard error.

#include <string>

#include "base/result.h"

namespace wick {

// Prints "wick: message" and "hint: …".
void print_error(const Error& error);
// A line, once per run however many files it is true of.
void print_once(const std::string& line);
inline int fail(const Error& error, int code = 1) {
  print_error(error);
  return code;
}

}  // namespace wick
