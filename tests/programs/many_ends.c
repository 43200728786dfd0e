// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// many_ends threads|processes COUNT: tasks that do next to nothing and end, four at a time. The kernel removes each by itself, since
// threads need no waiting and children's exits are ignored. So some are sampled when they no longer have an ID.

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

static void* tiny(void* arg) {
  burn(30000);
  return arg;
}

static void end_threads(void) {
  pthread_t threads[4];
  for (int k = 0; k < 4; ++k) { pthread_create(&threads[k], NULL, tiny, NULL); }
  for (int k = 0; k < 4; ++k) { pthread_join(threads[k], NULL); }
}

static void end_processes(void) {
  for (int k = 0; k < 4; ++k) {
    if (fork() == 0) {
      tiny(NULL);
      _exit(0);
    }
  }
  while (waitpid(-1, NULL, 0) > 0) {}
}

int main(int argc, char** argv) {
  if (argc != 3) { return 2; }
  signal(SIGCHLD, SIG_IGN);
  for (int i = atoi(argv[2]); i > 0; i -= 4) {
    if (argv[1][0] == 't') { end_threads(); } else { end_processes(); }
  }
  return 0;
}
