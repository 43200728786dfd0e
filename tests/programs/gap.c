// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// gap SECONDS: main > work > through > called. `through` is assembly without unwind tables, a few bytes between two functions
// with tables. Its stack contains an address that makes `liar`, which is never called, look like its caller.

#include "work.h"

typedef void Called(void);
void through(Called* function, void* fake);

#if defined __x86_64__
__asm__(".text\n.globl before\n.type before,@function\nbefore:\n.cfi_startproc\nnop\nret\n.cfi_endproc\n.size before,.-before\n"
        ".globl through\n.type through,@function\nthrough:\npush %rsi\ncall *%rdi\npop %rcx\nret\n.size through,.-through\n"
        ".globl after\n.type after,@function\nafter:\n.cfi_startproc\nret\n.cfi_endproc\n.size after,.-after\n");
__asm__(".text\n.globl liar\n.type liar,@function\nliar:\n.cfi_startproc\nsub $8,%rsp\n.cfi_adjust_cfa_offset 8\ncall through\n"
        ".globl in_liar\nin_liar:\nadd $8,%rsp\n.cfi_adjust_cfa_offset -8\nret\n.cfi_endproc\n.size liar,.-liar\n");
#else
__asm__(".text\n.globl before\n.type before,%function\nbefore:\n.cfi_startproc\nnop\nret\n.cfi_endproc\n.size before,.-before\n"
        ".globl through\n.type through,%function\nthrough:\nstp x1,x30,[sp,#-16]!\nblr x0\nb after\n.size through,.-through\n"
        ".globl after\n.type after,%function\nafter:\n.cfi_startproc\n.cfi_adjust_cfa_offset 16\nldp x1,x30,[sp],#16\nret\n"
        ".cfi_endproc\n.size after,.-after\n");
__asm__(".text\n.globl liar\n.type liar,%function\nliar:\n.cfi_startproc\nstp x29,x30,[sp,#-16]!\nbl through\n"
        ".globl in_liar\nin_liar:\nldp x29,x30,[sp],#16\nret\n.cfi_endproc\n.size liar,.-liar\n");
#endif
extern char in_liar[];

KEEP void called(void) { burn_seconds(0.005); sink = sink + 1; }
KEEP void work(double seconds) {
  double end = thread_seconds() + seconds;
  while (thread_seconds() < end) { through(called, in_liar); }
  sink = sink + 1;
}
int main(int argc, char** argv) { work(number(argc, argv, 1, 1)); return 0; }
