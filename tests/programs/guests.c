// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// guests SECONDS RED GREEN: loads two shared objects (guest.c) in turn for a few milliseconds and unloads each before the next,
// so that both use the same addresses. They call back, so the innermost code is always the program's own:
//   main > invite > guest_run > red_guest > red_burn      (same for green; red_guest never calls green_burn)

#include <dlfcn.h>

#include "work.h"

KEEP void red_burn(double seconds) { burn_seconds(seconds); sink = sink + 1; }
KEEP void green_burn(double seconds) { burn_seconds(seconds); sink = sink + 2; }

KEEP void invite(const char* path, void (*call_back)(double), double seconds) {
  void* guest = dlopen(path, RTLD_NOW);
  if (!guest) { fprintf(stderr, "%s\n", dlerror()); exit(1); }
  void (*guest_run)(void (*)(double), double) = (void (*)(void (*)(double), double))dlsym(guest, "guest_run");
  guest_run(call_back, seconds);
  dlclose(guest);
}

int main(int argc, char** argv) {
  double seconds = number(argc, argv, 1, 1);
  double end = thread_seconds() + seconds;
  while (thread_seconds() < end) {
    invite(argv[2], red_burn, 0.004);
    invite(argv[3], green_burn, 0.004);
  }
  return 0;
}
