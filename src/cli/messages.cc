// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/messages.h"

#include <cstdio>
#include <set>

namespace wick {

void print_error(const Error& error) {
  std::fprintf(stderr, "wick: %s\n", error.message().c_str());
  if (!error.hint().empty()) { std::fprintf(stderr, "hint: %s\n", error.hint().c_str()); }
}

void print_once(const std::string& line) {
  static std::set<std::string> printed;
  if (printed.insert(line).second) { std::fprintf(stderr, "%s\n", line.c_str()); }
}

}  // namespace wick
