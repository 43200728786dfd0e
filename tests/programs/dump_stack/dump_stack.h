// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

#define NOINLINE __attribute__((noinline, noclone))

extern volatile uint64_t sink;

// A place where a stack is recorded: an instruction that a breakpoint can replace, with its address in trap_NAME.
#define TRAP_PLACE(name)                                                                                                         \
  __asm__ volatile("1: nop\n\t.pushsection .data\n\t.balign 8\n\t.globl trap_" #name "\ntrap_" #name ": .quad 1b\n\t.popsection" ::: "memory")

NOINLINE void leaf(void);

// no_tables.c: built without unwind tables, with frame pointers.
void without_table(void (*next)(void));
uint64_t leaf_without_table(uint64_t n);
extern void* trap_leaf_without_table;

// shared.c: another object, called through the PLT.
void in_shared_object_0(void (*next)(void));
void in_shared_object_1(void (*next)(void));
void in_shared_object_2(void (*next)(void));
void in_shared_object_3(void (*next)(void));
void in_shared_object_4(void (*next)(void));
void in_shared_object_5(void (*next)(void));

// signed.c: return addresses are signed if the CPU supports it.
void with_signed_return(int n, void (*next)(void));
