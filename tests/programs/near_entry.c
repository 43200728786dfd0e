// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// near_entry SECONDS: main > work > spin_bare, which has no unwind table, directly follows the program's entry, and has a stack
// of zeros like a program just started without arguments.

#include "work.h"

void spin_bare(long rounds);
#if defined __x86_64__
__asm__(".text\n.globl spin_bare\n.type spin_bare,@function\nspin_bare:\n"
        "push $0\npush $0\npush $0\npush $0\n1: dec %rdi\njnz 1b\nadd $32,%rsp\nret\n.size spin_bare,.-spin_bare\n.text\n");
#else
__asm__(".text\n.globl spin_bare\n.type spin_bare,%function\nspin_bare:\n"
        "sub sp,sp,#64\nstp xzr,xzr,[sp]\nstp xzr,xzr,[sp,#16]\n"
        "1: subs x0,x0,#1\nb.ne 1b\nadd sp,sp,#64\nret\n.size spin_bare,.-spin_bare\n.text\n");
#endif

KEEP void work(double seconds) {
  double end = thread_seconds() + seconds;
  while (thread_seconds() < end) { spin_bare(1000000); }
  sink = sink + 1;
}
int main(int argc, char** argv) { work(number(argc, argv, 1, 1)); return 0; }
