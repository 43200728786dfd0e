// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// between SECONDS [LIBRARY]: generated code with a frame pointer calls back:   main > generated > called
//   with LIBRARY (between_lib.c), which is loaded first:   main > lib_run > generated > called
//   without it, the generated code is made writable and not executable while its callee runs, as JIT compilers do.

#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>

#include "work.h"

#if defined __x86_64__
static const unsigned char kCode[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};  // push; mov %rsp,%rbp; call *%rdi; pop; ret
#else
static const unsigned kCode[] = {0xa9bf7bfd, 0x910003fd, 0xd63f0000, 0xa8c17bfd, 0xd65f03c0};  // stp; mov x29,sp; blr x0; ldp; ret
#endif

static double seconds;
static void* page;
static int writable;

KEEP void called(void) {
  if (writable) { mprotect(page, 4096, PROT_READ | PROT_WRITE); }
  burn_seconds(seconds);
  if (writable) { mprotect(page, 4096, PROT_READ | PROT_EXEC); }
}

int main(int argc, char** argv) {
  seconds = number(argc, argv, 1, 1);
  page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(page, kCode, sizeof kCode);
  mprotect(page, 4096, PROT_READ | PROT_EXEC);
  __builtin___clear_cache((char*)page, (char*)page + sizeof kCode);
  void (*generated)(void (*)(void)) = (void (*)(void (*)(void)))page;
  burn_seconds(0.1);  // recorded before the change
  if (argc > 2) {
    void* library = dlopen(argv[2], RTLD_NOW);
    if (!library) { fprintf(stderr, "%s\n", dlerror()); return 1; }
    void (*lib_run)(void (*)(void (*)(void)), void (*)(void)) = (void (*)(void (*)(void (*)(void)), void (*)(void)))dlsym(library, "lib_run");
    lib_run(generated, called);
  } else {
    double rest = seconds;
    seconds = 0.1;
    generated(called);  // seen while it is executable
    seconds = rest;
    writable = 1;
    generated(called);
  }
  sink = sink + 1;
  return 0;
}
