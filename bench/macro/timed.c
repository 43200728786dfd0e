// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// timed FILE CMD ARGS…: runs CMD and writes to FILE its wall seconds, its CPU seconds, and the monotonic time at which it ended.
// Only a process between recorder and target can measure the cost for the target, and how long the recorder runs after its end.

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: timed FILE CMD ARGS…\n");
    return 125;
  }
  double began = now();
  pid_t child = fork();
  if (child == 0) {
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    _exit(127);
  }
  int status = 0;
  struct rusage usage;
  wait4(child, &status, 0, &usage);
  double ended = now();
  FILE* out = fopen(argv[1], "w");
  if (!out) {
    perror(argv[1]);
    return 125;
  }
  double cpu =
      (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
  fprintf(out, "%.6f %.6f %.6f\n", ended - began, cpu, ended);
  fclose(out);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
