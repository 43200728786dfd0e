// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Writes its registers and stacks at chosen places to standard output as text, with the expected result of a walk. A place is a
// breakpoint; its handler gets the registers that a sampling interrupt would see. Replayed by src/unwind/replay_test.cc.
//
//   case NAME
//   reg NUMBER VALUE        DWARF numbers; 32 is aarch64's pc
//   stack ADDRESS BYTES     hex; the first is the stack of the stack pointer
//   code ADDRESS BYTES      instructions from no file
//   map START END OFFSET PATH
//   expect NAME…            functions of this program, innermost first; "?" for code from no file. Library frames are omitted.
//   end

#define _GNU_SOURCE
#include "dump_stack.h"

#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

volatile uint64_t sink;
extern void* __libc_stack_end;

// Volatile: signal handlers read them.
static const char* volatile case_name;
static const char* volatile case_expect;
static volatile uintptr_t other_stack;          // a second stack to record, from here upwards; 0: none
static volatile uintptr_t thread_stack_end;     // of the recording thread; 0: the first thread
static uint8_t* volatile signal_return;         // return address of handlers
static uint8_t* code_page;             // a function from no file

// ---- recording -------------------------------------------------------------------------------------------------------------

static void write_bytes(const char* kind, const uint8_t* from, size_t size) {
  printf("%s %lx ", kind, (unsigned long)(uintptr_t)from);
  for (size_t i = 0; i < size; i++) { printf("%02x", from[i]); }
  printf("\n");
}

static char alternate_stack[65536];

static void write_stack(uintptr_t sp) {
  uintptr_t end = (uintptr_t)__libc_stack_end + 64;
  if (sp >= (uintptr_t)alternate_stack && sp < (uintptr_t)alternate_stack + sizeof alternate_stack) {
    end = (uintptr_t)alternate_stack + sizeof alternate_stack;
  } else if (thread_stack_end) {
    end = thread_stack_end;
  }
  write_bytes("stack", (const uint8_t*)sp, end - sp);
}

static void write_maps(void) {
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[4096], perms[8], path[4096];
  unsigned long start, end, offset;
  while (fgets(line, sizeof line, maps)) {
    path[0] = 0;
    if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %4095s", &start, &end, perms, &offset, path) < 4 || perms[2] != 'x') { continue; }
    if (strcmp(path, "[vsyscall]") == 0) { continue; }
    const char* slash = strrchr(path, '/');
    printf("map %lx %lx %lx %s\n", start, end, offset, path[0] ? (slash ? slash + 1 : path) : "//anon");
  }
  fclose(maps);
}

static void write_case(const ucontext_t* context) {
  printf("case %s\n", case_name);
  uintptr_t sp;
#if defined(__x86_64__)
  static const int order[17] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  for (int i = 0; i < 17; i++) { printf("reg %d %llx\n", i, (unsigned long long)context->uc_mcontext.gregs[order[i]]); }
  sp = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#else
  for (int i = 0; i < 31; i++) { printf("reg %d %llx\n", i, (unsigned long long)context->uc_mcontext.regs[i]); }
  printf("reg 31 %llx\nreg 32 %llx\n", (unsigned long long)context->uc_mcontext.sp, (unsigned long long)context->uc_mcontext.pc);
  sp = (uintptr_t)context->uc_mcontext.sp;
#endif
  write_stack(sp);
  if (other_stack) { write_stack(other_stack); }
  if (signal_return) { write_bytes("code", signal_return - 16, 48); }
  write_maps();
  printf("expect %s\nend\n", case_expect);
}

// ---- breakpoints -----------------------------------------------------------------------------------------------------------

#if defined(__x86_64__)
static const uint8_t breakpoint[] = {0xcc};
#define PC(context) ((context)->uc_mcontext.gregs[REG_RIP])
#else
static const uint8_t breakpoint[] = {0x00, 0x00, 0x20, 0xd4};
#define PC(context) ((context)->uc_mcontext.pc)
#endif

static uint8_t* volatile trap_at;
static volatile int steps_left;                 // instructions to step from there
static uint8_t replaced[sizeof breakpoint];

static void patch(uint8_t* at, const uint8_t* bytes) {
  uintptr_t page = (uintptr_t)at & ~(uintptr_t)0xfff;
  mprotect((void*)page, 0x2000, PROT_READ | PROT_WRITE | PROT_EXEC);
  memcpy(at, bytes, sizeof breakpoint);
  mprotect((void*)page, 0x2000, PROT_READ | PROT_EXEC);
  __builtin___clear_cache((char*)at, (char*)at + sizeof breakpoint);
}

static void place_trap(uint8_t* address) {
  trap_at = address;
  memcpy(replaced, trap_at, sizeof replaced);
  patch(trap_at, breakpoint);
}

static void set_trap_after(void* address, int steps, const char* name, const char* expect) {
  steps_left = steps;
  case_name = name;
  case_expect = expect;
  place_trap(address);
}

static void set_trap(void* address, const char* name, const char* expect) { set_trap_after(address, 0, name, expect); }

static void on_trap(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)info;
  ucontext_t* c = context;
#if defined(__x86_64__)
  static bool stepping;
  if (!stepping) { PC(c) -= 1; }
  bool right = stepping || (uint8_t*)PC(c) == trap_at;
#else
  bool right = (uint8_t*)PC(c) == trap_at;
#endif
  if (!right) {
    fprintf(stderr, "dump_stack: %s: stopped at an unexpected place\n", case_name);
    _exit(1);
  }
  patch(trap_at, replaced);
  bool there = steps_left-- == 0;
#if defined(__x86_64__)
  stepping = !there;
  c->uc_mcontext.gregs[REG_EFL] = (c->uc_mcontext.gregs[REG_EFL] & ~0x100) | (there ? 0 : 0x100);
#else
  if (!there) { place_trap(trap_at + 4); }  // no such flag on this CPU: straight-line code only
#endif
  if (!there) { return; }
  write_case(c);
  trap_at = NULL;
}

// Each case must have hit its breakpoint once.
static void done(void) {
  if (trap_at) {
    fprintf(stderr, "dump_stack: %s: never stopped\n", case_name);
    exit(1);
  }
}

// ---- the stacks ------------------------------------------------------------------------------------------------------------

extern void *trap_leaf, *trap_true_leaf;

NOINLINE uint64_t true_leaf(uint64_t n) {
  TRAP_PLACE(true_leaf);
  return n * 5 + 2;
}

NOINLINE void leaf(void) {
  TRAP_PLACE(leaf);
  sink += true_leaf(sink);
}

NOINLINE void recurse(int n) {
  volatile char pad[40];
  pad[0] = (char)n;
  if (n > 0) {
    recurse(n - 1);
  } else {
    leaf();
  }
  sink += (uint64_t)pad[0];
}

NOINLINE void big_frame(void) {
  volatile char room[120000];
  room[100] = 1;
  leaf();
  sink += (uint64_t)room[100];
}

NOINLINE void with_alloca(size_t size) {
  char* room = alloca(size);
  memset(room, 0, size);
  leaf();
  sink += (uint64_t)room[size / 2];
}

// Stack arguments, aligned locals and alloca together: x86_64 compilers then keep the address of the arguments in a separate
// register.
#if defined(__x86_64__)
__attribute__((force_align_arg_pointer))
#endif
NOINLINE void realigned(int a, int b, int c, int d, int e, int f, int g, size_t size) {
  _Alignas(64) volatile char block[128];
  volatile char* room = alloca(size);
  memset((char*)room, 0, size);
  room[size / 2] = (char)(a + b + c + d + e + f);
  block[64] = room[size / 2];
  leaf();
  sink += (uint64_t)block[64] + (uint64_t)g + (uint64_t)room[size / 2];
}

NOINLINE void with_varargs(int n, ...) {
  va_list args;
  va_start(args, n);
  for (int i = 0; i < n; i++) { sink += va_arg(args, uint64_t); }
  va_end(args);
  leaf();
  sink++;
}

NOINLINE int compare(const void* a, const void* b) {
  if (trap_at) { leaf(); }
  return *(const int*)a - *(const int*)b;
}

NOINLINE void sorts(void) {
  int numbers[5] = {3, 1, 5, 2, 4};
  qsort(numbers, 5, sizeof numbers[0], compare);
  sink += (uint64_t)numbers[0];
}

// A prologue that saves many registers.
NOINLINE uint64_t wide(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  for (uint64_t i = 0; i < a; i++) {
    leaf();
    b += c ^ i;
    c += d * b;
    d ^= a + c;
  }
  return a + b + c + d;
}

#define THROUGH_PLT(n)                                 \
  NOINLINE void through_plt_##n(void (*next)(void)) {  \
    in_shared_object_##n(next);                        \
    sink++;                                            \
  }
THROUGH_PLT(0)
THROUGH_PLT(1)
THROUGH_PLT(2)
THROUGH_PLT(3)
THROUGH_PLT(4)
THROUGH_PLT(5)

NOINLINE void calls_leaf_without_table(void) { sink += leaf_without_table(sink); }
NOINLINE void calls_without_table(void) {
  without_table(leaf);
  sink++;
}
NOINLINE void calls_generated(void) {
  ((void (*)(void (*)(void)))code_page)(leaf);
  sink++;
}
NOINLINE void calls_signed(void) {
  with_signed_return(3, leaf);
  sink++;
}

NOINLINE void handler(int signal) {
  signal_return = __builtin_extract_return_addr(__builtin_return_address(0));
  leaf();
  sink += (uint64_t)signal;
}
NOINLINE void interrupted(int signal) {
  raise(signal);
  sink++;
}
NOINLINE void interrupted_elsewhere(void) {
  other_stack = (uintptr_t)__builtin_frame_address(0) - 16384;
  raise(SIGUSR2);
  sink++;
}
NOINLINE void nested_handler(int signal) {
  interrupted(SIGUSR2);
  sink += (uint64_t)signal;
}

NOINLINE void* in_thread(void* argument) {
  pthread_attr_t attributes;
  void* base;
  size_t size;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &base, &size);
  // The top holds the thread's control block; only the first frames, a few kB below it, are needed.
  thread_stack_end = (uintptr_t)base + size;
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (thread_stack_end > here + 8192) { thread_stack_end = here + 8192; }
  leaf();
  thread_stack_end = 0;
  return argument;
}

// The target of the only call in a function.
static uint8_t* call_target(void* function) {
  uint8_t* at = function;
#if defined(__x86_64__)
  while (*at != 0xe8) { at++; }
  int32_t distance;
  memcpy(&distance, at + 1, 4);
  return at + 5 + distance;
#else
  uint32_t word;
  for (;; at += 4) {
    memcpy(&word, at, 4);
    if (word >> 26 == 0x25) { return at + (int64_t)((int32_t)(word << 6) >> 6) * 4; }
  }
#endif
}

static void make_generated_code(void) {
#if defined(__x86_64__)
  static const uint8_t code[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};  // push rbp; mov rbp, rsp; call rdi; pop rbp; ret
#else
  static const uint32_t code[] = {0xa9bf7bfd, 0x910003fd, 0xd63f0000, 0xa8c17bfd, 0xd65f03c0};  // stp; mov x29, sp; blr x0; ldp; ret
#endif
  code_page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(code_page, code, sizeof code);
  mprotect(code_page, 4096, PROT_READ | PROT_EXEC);
  __builtin___clear_cache((char*)code_page, (char*)code_page + 4096);
}

int main(void) {
  make_generated_code();
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_trap;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, NULL);
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigaction(SIGUSR1, &action, NULL);
  stack_t alternate = {.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack};
  sigaltstack(&alternate, NULL);
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR2, &action, NULL);
  action.sa_flags = 0;
  action.sa_handler = nested_handler;
  sigaction(SIGALRM, &action, NULL);

  set_trap(trap_leaf, "leaf", "leaf main _start"), leaf(), done();
  set_trap(trap_true_leaf, "true_leaf", "true_leaf leaf main _start"), leaf(), done();
  set_trap((void*)recurse, "first_instruction", "recurse main _start"), recurse(1), done();
  set_trap(trap_leaf, "recursion", "leaf recurse recurse recurse recurse recurse recurse main _start"), recurse(5), done();
  static const char* const in_wide[] = {"prologue_0", "prologue_1", "prologue_2", "prologue_3", "prologue_4", "prologue_5"};
  for (int i = 0; i < 6; i++) { set_trap_after((void*)wide, i, in_wide[i], "wide main _start"), sink += wide(1, 2, 3, 4), done(); }
  set_trap(trap_leaf, "many_registers", "leaf wide main _start"), sink += wide(1, 2, 3, 4), done();
  set_trap(trap_leaf, "big_frame", "leaf big_frame main _start"), big_frame(), done();
  set_trap(trap_leaf, "alloca", "leaf with_alloca main _start"), with_alloca(512), done();
  static const char* const in_realigned[] = {"realigning_0", "realigning_1", "realigning_2", "realigning_3", "realigning_4", "realigning_5", "realigning_6"};
  for (int i = 0; i < 7; i++) {
    set_trap_after((void*)realigned, i, in_realigned[i], "realigned main _start"), realigned(1, 2, 3, 4, 5, 6, 7, 64), done();
  }
  set_trap(trap_leaf, "realigned", "leaf realigned main _start"), realigned(1, 2, 3, 4, 5, 6, 7, 64), done();
  set_trap(trap_leaf, "varargs", "leaf with_varargs main _start"), with_varargs(3, (uint64_t)1, (uint64_t)2, (uint64_t)3), done();
  set_trap(trap_leaf, "callback", "leaf compare sorts main _start"), sorts(), done();

  // Through the PLT. Each stub is new: on x86_64 only its first call continues into the loader.
  static const struct { void (*caller)(void (*)(void)); const char *name, *expect; } stubs[] = {
      {through_plt_0, "plt_0", "through_plt_0 main _start"}, {through_plt_1, "plt_1", "through_plt_1 main _start"},
      {through_plt_2, "plt_2", "through_plt_2 main _start"}, {through_plt_3, "plt_3", "through_plt_3 main _start"},
#if defined(__x86_64__)
      {through_plt_4, "plt_4", "through_plt_4 main _start"}, {through_plt_5, "plt_5", "through_plt_5 main _start"},
#endif
  };
  for (int i = 0; i < (int)(sizeof stubs / sizeof stubs[0]); i++) {
    set_trap_after(call_target((void*)stubs[i].caller), i, stubs[i].name, stubs[i].expect), stubs[i].caller(leaf), done();
  }
  set_trap(trap_leaf, "shared_object", "leaf through_plt_0 main _start"), through_plt_0(leaf), done();

  set_trap(trap_leaf, "without_table", "leaf without_table calls_without_table main _start"), calls_without_table(), done();
  set_trap(trap_leaf_without_table, "leaf_without_table", "leaf_without_table calls_leaf_without_table main _start"), calls_leaf_without_table(), done();
  set_trap(trap_leaf, "generated_code", "leaf ? calls_generated main _start"), calls_generated(), done();
  set_trap(trap_leaf, "signed", "leaf with_signed_return with_signed_return with_signed_return with_signed_return calls_signed main _start"), calls_signed(), done();

  set_trap(trap_leaf, "handler", "leaf handler interrupted main _start"), interrupted(SIGUSR1), done();
  set_trap(trap_leaf, "alternate_stack", "leaf handler interrupted_elsewhere main _start"), interrupted_elsewhere(), done();
  set_trap(trap_leaf, "nested_handlers", "leaf handler interrupted nested_handler interrupted main _start");
  interrupted(SIGALRM), done();
  other_stack = 0;

  pthread_t thread;
  set_trap(trap_leaf, "thread", "leaf in_thread");
  pthread_create(&thread, NULL, in_thread, NULL);
  pthread_join(thread, NULL);
  done();
  return 0;
}
