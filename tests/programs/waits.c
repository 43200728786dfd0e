// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// waits MODE SECONDS: where a program waits, and for what.
//   kinds   each function waits for something else, for the same time: 5 ms of each in turn, and 5 ms of work
//   turns   two families of functions that wait in turn and never call each other, in stacks of 1 to 40 calls: red for 0.3 ms, blue
//           for 0.1 ms at a time, less than a sampling period, until another thread has worked for that time
//   naps    the same with sleeps
//   idle    sleeps, once
//   threads eight threads that wait for one lock, which its holder keeps for 2 ms at a time
// Prints the measured seconds of wall time in each function as JSON.

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

static double now(void) { return seconds_of(CLOCK_MONOTONIC); }
static void rest(long ns) {
  struct timespec t = {0, ns};
  nanosleep(&t, NULL);
}

enum { kNap, kPipe, kSocket, kPoll, kChild, kLock, kWork, kKinds };
static const char* const kNames[kKinds] = {"nap", "read_pipe", "read_socket", "poll_nothing", "await_child", "take_lock", "work"};
static double spent[kKinds];

static int pipe_fds[2], socket_fds[2], go_fds[2];
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

#define STEP_NS 5000000L

// Answers each request after a step: 'p' and 's' with a byte, 'l' by giving up the lock.
static void* answer(void* arg) {
  char what;
  while (read(go_fds[0], &what, 1) == 1) {
    if (what == 'l') { pthread_mutex_lock(&gate); }
    if (what == 'l' && write(pipe_fds[1], "l", 1) != 1) { break; }
    rest(STEP_NS);
    if (what == 'l') { pthread_mutex_unlock(&gate); }
    if (what == 'p' && write(pipe_fds[1], "p", 1) != 1) { break; }
    if (what == 's' && write(socket_fds[1], "s", 1) != 1) { break; }
  }
  return arg;
}
static void ask(char what) {
  if (write(go_fds[1], &what, 1) != 1) { exit(1); }
}

KEEP static void nap(void) { rest(STEP_NS); sink = sink + 1; }
KEEP static void read_pipe(void) {
  char byte;
  if (read(pipe_fds[0], &byte, 1) != 1) { exit(1); }
  sink = sink + 1;
}
KEEP static void read_socket(void) {
  char byte;
  if (recv(socket_fds[0], &byte, 1, 0) != 1) { exit(1); }
  sink = sink + 1;
}
KEEP static void poll_nothing(void) {
  struct pollfd fd = {socket_fds[0], POLLIN, 0};
  poll(&fd, 1, 5);
  sink = sink + 1;
}
KEEP static void await_child(void) {
  pid_t child = vfork();
  if (child == 0) {
    struct timespec t = {0, STEP_NS};
    nanosleep(&t, NULL);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  sink = sink + 1;
}
KEEP static void take_lock(void) {
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  sink = sink + 1;
}
KEEP static void work(void) { burn_seconds(STEP_NS / 1e9); sink = sink + 1; }

static void timed(int kind, void (*run)(void)) {
  double began = now();
  run();
  spent[kind] += now() - began;
}

static void kinds(double seconds) {
  pthread_t other;
  if (pipe(pipe_fds) || pipe(go_fds) || socketpair(AF_UNIX, SOCK_STREAM, 0, socket_fds)) { exit(1); }
  pthread_create(&other, NULL, answer, NULL);
  for (double end = now() + seconds; now() < end;) {
    char byte;
    timed(kNap, nap);
    ask('p');
    timed(kPipe, read_pipe);
    ask('s');
    timed(kSocket, read_socket);
    timed(kPoll, poll_nothing);
    timed(kChild, await_child);
    ask('l');
    if (read(pipe_fds[0], &byte, 1) != 1) { exit(1); }  // until the lock is held
    timed(kLock, take_lock);
    timed(kWork, work);
  }
  close(go_fds[1]);
  pthread_join(other, NULL);
  printf("{");
  for (int i = 0; i < kKinds; ++i) { printf("%s\"%s\":%.6f", i ? "," : "", kNames[i], spent[i]); }
  printf("}\n");
}

static double red_seconds, blue_seconds;
static int naps;
static void* work_as_asked(void* arg) {
  long ns;
  while (read(go_fds[0], &ns, sizeof ns) == sizeof ns) {
    for (double end = now() + (double)ns / 1e9; now() < end;) {}
    if (write(pipe_fds[1], "w", 1) != 1) { break; }
  }
  return arg;
}
static void await(long ns) {
  char byte;
  if (naps) {
    rest(ns);
  } else if (write(go_fds[1], &ns, sizeof ns) != sizeof ns || read(pipe_fds[0], &byte, 1) != 1) {
    exit(1);
  }
}
KEEP static void red_wait(void) { await(300000); sink = sink + 1; }
KEEP static void blue_wait(void) { await(100000); sink = sink + 1; }
KEEP static void red(int depth) {
  volatile char frame[64];
  frame[0] = (char)depth;
  if (depth == 0) { red_wait(); } else { red(depth - 1); }
  sink = sink + (unsigned char)frame[0];
}
KEEP static void blue(int depth) {
  volatile char frame[64];
  frame[0] = (char)depth;
  if (depth == 0) { blue_wait(); } else { blue(depth - 1); }
  sink = sink + (unsigned char)frame[0];
}
static void turns(double seconds) {
  unsigned random = 1;
  pthread_t other;
  if (pipe(pipe_fds) || pipe(go_fds)) { exit(1); }
  if (!naps) { pthread_create(&other, NULL, work_as_asked, NULL); }
  for (double end = now() + seconds; now() < end;) {
    random = random * 1103515245u + 12345u;
    int depth = (int)(random >> 16) % 40;
    double began = now();
    red(depth);
    double between = now();
    blue(depth);
    red_seconds += between - began;
    blue_seconds += now() - between;
  }
  close(go_fds[1]);
  if (!naps) { pthread_join(other, NULL); }
  printf("{\"red\":%.6f,\"blue\":%.6f}\n", red_seconds, blue_seconds);
}

static volatile int done;
KEEP static void hold_lock(void) {
  pthread_mutex_lock(&gate);
  rest(2000000);
  pthread_mutex_unlock(&gate);
  sink = sink + 1;
}
static void* hold_in_turn(void* arg) {
  while (!done) { hold_lock(); }
  return arg;
}
static void threads(double seconds) {
  pthread_t all[8];
  for (int i = 0; i < 8; ++i) { pthread_create(&all[i], NULL, hold_in_turn, NULL); }
  for (double end = now() + seconds; now() < end;) { rest(10000000); }
  done = 1;
  for (int i = 0; i < 8; ++i) { pthread_join(all[i], NULL); }
  printf("{}\n");
}

KEEP static void sleep_once(double seconds) {
  struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&t, NULL);
  sink = sink + 1;
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "kinds";
  double seconds = number(argc, argv, 2, 1);
  if (!strcmp(mode, "kinds")) { kinds(seconds); }
  naps = !strcmp(mode, "naps");
  if (!strcmp(mode, "turns") || naps) { turns(seconds); }
  if (!strcmp(mode, "threads")) { threads(seconds); }
  if (!strcmp(mode, "idle")) { sleep_once(seconds); printf("{}\n"); }
  return 0;
}
