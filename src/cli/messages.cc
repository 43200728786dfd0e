// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/messages.h"

#include <cstdio>
#include <set>

#include "base/text.h"
#include "base/utf8.h"

namespace wick {

namespace {

// File names in it may contain anything; lines stay lines.
std::string safe(const std::string& text) {
  std::string out;
  for (std::string_view line : split(text, '\n')) { out += (out.empty() ? "" : "\n") + printable(line); }
  return out;
}

}  // namespace

void print_error(const Error& error) {
  std::fprintf(stderr, "wick: %s\n", safe(error.message()).c_str());
  if (!error.hint().empty()) { std::fprintf(stderr, "hint: %s\n", safe(error.hint()).c_str()); }
}

void print_once(const std::string& line) {
  static std::set<std::string> printed;
  if (printed.insert(line).second) { std::fprintf(stderr, "%s\n", line.c_str()); }
}

}  // namespace wick
