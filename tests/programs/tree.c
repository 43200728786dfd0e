// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// tree WAY [SECONDS] [ARGS…]: processes that start other processes.
//   fork         a parent, its child and its grandchild use the same time each:  in_parent, in_child, in_grandchild
//   exec PROG…   forks; the child executes PROG while the parent works in in_parent
//   vfork PROG…  the same with vfork      spawn PROG…  the same with posix_spawn
//   inplace PROG…     works in before_exec, then the same process executes PROG
//   threadexec PROG…  the same, but a thread other than the first calls exec
//   many N       N short-lived children one after another, SECONDS / N each in in_short
//   orphan       the child outlives its parent: SECONDS in in_orphan after the parent has ended

#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

extern char** environ;
static char** program;

KEEP void in_parent(double s) { burn_seconds(s); sink = sink + 1; }
KEEP void in_child(double s) { burn_seconds(s); sink = sink + 1; }
KEEP void in_grandchild(double s) { burn_seconds(s); sink = sink + 1; }
KEEP void in_short(double s) { burn_seconds(s); sink = sink + 1; }
KEEP void in_orphan(double s) { burn_seconds(s); sink = sink + 1; }
KEEP void before_exec(double s) { burn_seconds(s); sink = sink + 1; }

static int wait_for(pid_t pid) {
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void* exec_here(void* seconds) {
  before_exec(*(double*)seconds);
  execv(program[0], program);
  perror(program[0]);
  _exit(127);
}

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "fork";
  double seconds = number(argc, argv, 2, 0.5);
  program = argv + 3;
  if (strcmp(way, "fork") == 0) {
    pid_t child = fork();
    if (child == 0) {
      pid_t grandchild = fork();
      if (grandchild == 0) { in_grandchild(seconds); _exit(0); }
      in_child(seconds);
      _exit(wait_for(grandchild));
    }
    in_parent(seconds);
    return wait_for(child);
  }
  if (strcmp(way, "many") == 0) {
    int count = argc > 3 ? atoi(argv[3]) : 100;
    for (int i = 0; i < count; ++i) {
      pid_t child = fork();
      if (child == 0) { in_short(seconds / count); _exit(0); }
      wait_for(child);
    }
    return 0;
  }
  if (strcmp(way, "orphan") == 0) {
    if (fork() == 0) { setsid(); usleep(50000); in_orphan(seconds); _exit(0); }
    return 0;
  }
  if (argc < 4) { return 2; }
  if (strcmp(way, "exec") == 0 || strcmp(way, "vfork") == 0) {
    pid_t child = way[0] == 'v' ? vfork() : fork();
    if (child == 0) { execv(program[0], program); _exit(127); }
    in_parent(seconds);
    return wait_for(child);
  }
  if (strcmp(way, "spawn") == 0) {
    pid_t child = 0;
    if (posix_spawn(&child, program[0], NULL, NULL, program, environ) != 0) { return 127; }
    in_parent(seconds);
    return wait_for(child);
  }
  if (strcmp(way, "inplace") == 0) { exec_here(&seconds); }
  if (strcmp(way, "threadexec") == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, exec_here, &seconds);
    pthread_join(thread, NULL);
  }
  return 2;
}
