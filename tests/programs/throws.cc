// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// throws [SECONDS]: exceptions through twelve frames with destructors; caught, rethrown, caught again:
//   main > catcher > middle_catcher > fall × 12 > __cxa_throw and the unwinder …
// Most of the time is in the unwinder, in libstdc++ and libgcc (in the program itself if linked statically).

#include <stdexcept>
#include <string>

#include "work.h"

KEEP void fall(int n) {
  std::string owned(40, 'x');
  if (n > 1) { fall(n - 1); } else { throw std::runtime_error("down"); }
  sink = sink + owned.size();
}
KEEP void middle_catcher() {
  try { fall(12); } catch (const std::logic_error&) { sink = 0; } catch (...) { sink = sink + 1; throw; }
}
KEEP void catcher() {
  try { middle_catcher(); } catch (const std::exception& e) { sink = sink + static_cast<unsigned char>(e.what()[0]); }
}

int main(int argc, char** argv) {
  double end = thread_seconds() + number(argc, argv, 1, 1);
  while (thread_seconds() < end) {
    for (int i = 0; i < 20; ++i) { catcher(); }
  }
  return 0;
}
