// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// memfd PROGRAM ARGS…: runs a copy of the program that is in no directory.

#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc < 2) { return 2; }
  FILE* in = fopen(argv[1], "rb");
  int fd = memfd_create("copied", MFD_CLOEXEC);
  if (in == NULL || fd < 0) { return 3; }
  char buffer[65536];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, in)) > 0;) {
    if (write(fd, buffer, n) != (ssize_t)n) { return 4; }
  }
  fexecve(fd, argv + 1, environ);
  return 5;
}
