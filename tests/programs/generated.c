// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// generated MODE [SECONDS]: machine code generated at run time, reported the way JIT compilers do it. main > run > (generated)
//   map      75 % "JS:*hot /x/@y/a b.js:1:2", 25 % "cold"; in anonymous memory, listed in /tmp/perf-PID.map
//   memfd    the same in memory of a memfd
//   forked   the same in a child with the code of its parent, which alone has listed it
//   twins    two processes with the same addresses: half of the time "hot", half "other hot"
//   dump     50 % "first", then 50 % "second" at the same address; logged in jit-PID.dump, "first" with lines

#include "work.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { kMachine = 62 };
// push rbp; mov rbp, rsp; 1: dec rdi; jne 1b; pop rbp; ret
static const unsigned char kLoop[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0xff, 0xcf, 0x75, 0xfb, 0x5d, 0xc3};
enum { kBegin = 4 };  // bytes before the loop
static const unsigned char kNothing[] = {0x90, 0x90, 0x90, 0x90};
#elif defined(__aarch64__)
enum { kMachine = 183 };
// stp x29, x30, [sp, -16]!; mov x29, sp; 1: subs x0, x0, 1; b.ne 1b; ldp x29, x30, [sp], 16; ret
static const unsigned int kLoop[] = {0xa9bf7bfd, 0x910003fd, 0xf1000400, 0x54ffffe1, 0xa8c17bfd, 0xd65f03c0};
enum { kBegin = 8 };
static const unsigned int kNothing[] = {0xd503201f};
#else
#error "no machine code for this CPU"
#endif

enum { kSize = 65536, kApart = 4096, kCode = 256 };
typedef void (*Loop)(unsigned long);

// A loop preceded by the given number of nops.
static void write_code(char* at, int nothings) {
  memcpy(at, kLoop, kBegin);
  at += kBegin;
  for (int i = 0; i < nothings; ++i, at += sizeof kNothing) { memcpy(at, kNothing, sizeof kNothing); }
  memcpy(at, (const char*)kLoop + kBegin, sizeof kLoop - kBegin);
}

static char* make_memory(int fd) {
  int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  char* page = mmap((void*)0x7e0000000000, kSize, PROT_READ | PROT_WRITE | PROT_EXEC, flags, fd, 0);
  if (page == MAP_FAILED) { perror("mmap"); exit(1); }
  write_code(page, 0);
  write_code(page + kApart, 0);
  __builtin___clear_cache(page, page + kSize);
  return page;
}

KEEP void run(char* code, double seconds) {
  double end = thread_seconds() + seconds;
  while (thread_seconds() < end) { ((Loop)(void*)code)(20000); }
  sink = sink + 1;
}

static void write_map(const char* page, const char* hot, const char* cold) {
  char path[64];
  snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
  FILE* map = fopen(path, "w");
  if (map == NULL) { perror(path); exit(1); }
  printf("%d\n", (int)getpid());  // allows the test to remove the file
  fflush(stdout);
  fprintf(map, "%lx %x something older\n", (unsigned long)page, kSize);
  fprintf(map, "%lx %x %s\n", (unsigned long)page, kCode, hot);
  fprintf(map, "%lx %x %s\n", (unsigned long)(page + kApart), kCode, cold);
  fclose(map);
}

static void run_both(char* page, double seconds) {
  for (int i = 0; i < 10; ++i) {
    run(page, seconds * 0.075);
    run(page + kApart, seconds * 0.025);
  }
}

static void put(FILE* out, uint64_t value, int bytes) { fwrite(&value, bytes, 1, out); }

static void begin_record(FILE* out, unsigned id, unsigned size) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  put(out, id, 4);
  put(out, 16 + size, 4);
  put(out, now.tv_sec * 1000000000ull + now.tv_nsec, 8);
}

static void write_load(FILE* out, const char* code, const char* name) {
  begin_record(out, 0, 40 + strlen(name) + 1 + kCode);
  put(out, getpid(), 4);
  put(out, getpid(), 4);
  put(out, (uintptr_t)code, 8);
  put(out, (uintptr_t)code, 8);
  put(out, kCode, 8);
  static int number;
  put(out, ++number, 8);
  fwrite(name, strlen(name) + 1, 1, out);
  fwrite(code, kCode, 1, out);
  fflush(out);
}

static void run_dump(char* page, double seconds) {
  char path[64];
  snprintf(path, sizeof path, "jit-%d.dump", (int)getpid());
  FILE* out = fopen(path, "w+");
  if (out == NULL) { perror(path); exit(1); }
  put(out, 0x4a695444, 4);
  put(out, 1, 4);
  put(out, 40, 4);
  put(out, kMachine, 4);
  put(out, 0, 4);
  put(out, getpid(), 4);
  put(out, 0, 8);
  put(out, 0, 8);
  fflush(out);
  // Mapping the file marks it as a jitdump.
  if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(out), 0) == MAP_FAILED) { perror("mmap"); exit(1); }
  const char file[] = "first.lua";
  begin_record(out, 2, 16 + 16 + sizeof file);
  put(out, (uintptr_t)page, 8);
  put(out, 1, 8);
  put(out, (uintptr_t)page, 8);
  put(out, 42, 4);
  put(out, 7, 4);
  fwrite(file, sizeof file, 1, out);
  write_load(out, page, "first");
  run(page, seconds / 2);
  write_code(page, 8);
  __builtin___clear_cache(page, page + kSize);
  write_load(out, page, "second");
  run(page, seconds / 2);
  fclose(out);
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "map";
  double seconds = number(argc, argv, 2, 1);
  int fd = -1;
  if (strcmp(mode, "memfd") == 0) {
    fd = memfd_create("code", 0);
    if (fd < 0 || ftruncate(fd, kSize) != 0) { perror("memfd"); return 1; }
  }
  char* page = make_memory(fd);
  if (strcmp(mode, "dump") == 0) {
    run_dump(page, seconds);
  } else if (strcmp(mode, "twins") == 0) {
    pid_t child = fork();
    write_map(page, child == 0 ? "other hot" : "hot", "cold");
    run(page, seconds / 2);
    if (child != 0) { waitpid(child, NULL, 0); }
  } else if (strcmp(mode, "forked") == 0) {
    write_map(page, "hot", "cold");
    pid_t child = fork();
    if (child == 0) { run_both(page, seconds); }
    if (child != 0) { waitpid(child, NULL, 0); }
  } else {
    write_map(page, "JS:*hot /x/@y/a b.js:1:2", "cold");
    run_both(page, seconds);
  }
  return 0;
}
