// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// turns_regex LENGTH SECONDS: the two families of turns.cc in real code: std::regex and std::wregex called in turn.
// Their matchers are templates that recurse for each character, with the same frames except for the character type:
//   main > take_turns > match<char> or match<wchar_t> > … regex_traits<char> or regex_traits<wchar_t>, never both

#include <regex>
#include <string>

#include "work.h"

template <class Char>
KEEP void match(const std::basic_string<Char>& text, const std::basic_regex<Char>& pattern) {
  sink = sink + static_cast<uint64_t>(std::regex_match(text, pattern));
}

KEEP void take_turns(size_t length, double seconds) {
  // No c at the end: the matcher descends to the last character, fails, and backtracks.
  std::string narrow;
  for (size_t i = 0; i < length; ++i) { narrow += "ab"[i % 3 == 0]; }
  std::wstring wide(narrow.begin(), narrow.end());
  std::regex narrow_pattern("(a|b)*c");
  std::wregex wide_pattern(L"(a|b)*c");
  for (double end = thread_seconds() + seconds; thread_seconds() < end;) {
    match(narrow, narrow_pattern);
    match(wide, wide_pattern);
  }
  sink = sink + 1;
}

int main(int argc, char** argv) {
  take_turns(static_cast<size_t>(number(argc, argv, 1, 100)), number(argc, argv, 2, 1));
  return 0;
}
