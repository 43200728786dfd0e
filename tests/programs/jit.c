// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// jit [SECONDS]: machine code generated at run time in anonymous memory, with a frame pointer as the only unwind information.
//   50 %  main > generated > (anonymous caller) > called_back > burn     the generated code lies in the middle
//   50 %  main > generated > (anonymous loop)                            the generated code is the leaf

#include <sys/mman.h>

#include "work.h"

KEEP void called_back(void) { burn(200000); sink = sink + 1; }

#if defined(__x86_64__)
// push rbp; mov rbp, rsp; call rdi; pop rbp; ret
static const unsigned char kCaller[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};
// push rbp; mov rbp, rsp; 1: dec rdi; jne 1b; pop rbp; ret
static const unsigned char kLoop[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0xff, 0xcf, 0x75, 0xfb, 0x5d, 0xc3};
#elif defined(__aarch64__)
// stp x29, x30, [sp, -16]!; mov x29, sp; blr x0; ldp x29, x30, [sp], 16; ret
static const unsigned int kCaller[] = {0xa9bf7bfd, 0x910003fd, 0xd63f0000, 0xa8c17bfd, 0xd65f03c0};
// stp x29, x30, [sp, -16]!; mov x29, sp; 1: subs x0, x0, 1; b.ne 1b; ldp x29, x30, [sp], 16; ret
static const unsigned int kLoop[] = {0xa9bf7bfd, 0x910003fd, 0xf1000400, 0x54ffffe1, 0xa8c17bfd, 0xd65f03c0};
#else
#error "no machine code for this CPU"
#endif

typedef void (*Caller)(void (*)(void));
typedef void (*Loop)(unsigned long);

KEEP void generated(Caller caller, Loop loop, double seconds) {
  double end = thread_seconds() + seconds;
  while (thread_seconds() < end) {
    change_pace();
    double before = thread_seconds();
    caller(called_back);
    // As long as the other half took, in steps small enough to stop on time.
    double until = thread_seconds() + (thread_seconds() - before);
    while (thread_seconds() < until) { loop(60000); }
  }
  sink = sink + 1;
}

int main(int argc, char** argv) {
  char* page = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) { perror("mmap"); return 1; }
  memcpy(page, kCaller, sizeof kCaller);
  memcpy(page + 4096, kLoop, sizeof kLoop);
  __builtin___clear_cache(page, page + 65536);
  if (mprotect(page, 65536, PROT_READ | PROT_EXEC) != 0) { perror("mprotect"); return 1; }
  generated((Caller)(void*)page, (Loop)(void*)(page + 4096), number(argc, argv, 1, 1));
  return 0;
}
