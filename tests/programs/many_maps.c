// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// usage: many_maps COUNT SECONDS file|anon [slowly]: maps COUNT regions of executable memory that the kernel cannot merge,
// prints "ready", and works in one function for SECONDS. Resembles programs with many small code regions (JIT compilers,
// sanitizers, databases). slowly: works while it maps.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "work.h"

__attribute__((noinline)) void after_the_maps(double seconds) { burn_seconds(seconds); }

int main(int argc, char** argv) {
  if (argc < 4) { return 2; }
  int count = atoi(argv[1]), is_file = !strcmp(argv[3], "file"), slowly = argc > 4;
  int fd = is_file ? open("/proc/self/exe", O_RDONLY) : -1;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char* room = mmap(NULL, page * (size_t)count, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) { perror("mmap"); return 1; }
  for (int i = count - 1; i >= 0; --i) {  // downwards, as the kernel assigns addresses
    int rights = PROT_READ | PROT_EXEC | (i % 2 ? PROT_WRITE : 0);  // differs from the neighbors', or the kernel merges them
    void* got = mmap(room + page * (size_t)i, page, rights, MAP_PRIVATE | MAP_FIXED | (is_file ? 0 : MAP_ANONYMOUS), fd, 0);
    if (got == MAP_FAILED) { perror("mmap"); return 1; }
    if (slowly && i % 60 == 0) { after_the_maps(0.001); }
  }
  printf("ready\n");
  fflush(stdout);
  after_the_maps(atof(argv[2]));
  return 0;
}
