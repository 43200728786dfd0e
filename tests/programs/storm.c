// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// storm KIND COUNT busy|calm [ARGUMENT…]: short-lived tasks that mostly end within one period. All work is in small_job.
//   threads    COUNT threads of 0.3 ms, two at a time
//   processes  COUNT processes of 0.3 ms: fork and exec of this program
//   execs      one process that executes itself COUNT times, 0.3 ms each
//   pool       a pool of threads that grows to eight and shrinks to one, COUNT times
//   names      COUNT processes of each of two programs, given by path: 0.4 ms of work in the first, 0.8 ms in the second
//   command    runs the following command COUNT times
// "busy" adds a long-lived thread (for processes, a process) that works in busy_work until they are done.
// Prints the kernel's accounting in seconds of CPU time as JSON: user and total (self and children), job (in small_job),
// busy and busy_user (of the long-lived one), first and second (of the two programs), first_job and second_job (their work).

#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

#define JOB_ROUNDS 220000L


static double user_of(const struct rusage* u) { return (double)u->ru_utime.tv_sec + (double)u->ru_utime.tv_usec / 1e6; }
static double all_of(const struct rusage* u) {
  return user_of(u) + (double)u->ru_stime.tv_sec + (double)u->ru_stime.tv_usec / 1e6;
}

KEEP double small_job(long rounds) {
  double began = thread_seconds();
  burn(rounds);
  return thread_seconds() - began;
}

static double job_seconds;  // protected by the lock if there are threads
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void add_job(double seconds) {
  pthread_mutex_lock(&lock);
  job_seconds += seconds;
  pthread_mutex_unlock(&lock);
}

static volatile int done;
static double busy_seconds, busy_user_seconds;
KEEP void busy_work(void) {
  while (!done) { burn(200000); }
  sink = sink + 1;
}
static void* busy_thread(void* arg) {
  busy_work();
  busy_seconds = thread_seconds();
  struct rusage use;
  getrusage(RUSAGE_THREAD, &use);
  busy_user_seconds = user_of(&use);
  return arg;
}

static void* thread_job(void* arg) {
  pthread_setname_np(pthread_self(), "short");
  add_job(small_job(JOB_ROUNDS));
  return arg;
}
static void storm_threads(int count) {
  for (int i = 0; i < count; i += 2) {
    pthread_t pair[2];
    for (int k = 0; k < 2; ++k) { pthread_create(&pair[k], NULL, thread_job, NULL); }
    for (int k = 0; k < 2; ++k) { pthread_join(pair[k], NULL); }
  }
}

// A worker ends when the pool size drops below its number.
static volatile int pool_size;
static void* worker(void* arg) {
  do { add_job(small_job(JOB_ROUNDS)); } while ((long)arg < pool_size);
  return arg;
}
static void storm_pool(int count) {
  for (int i = 0; i < count; ++i) {
    pthread_t threads[8];
    pool_size = 8;
    for (long k = 0; k < 8; ++k) { pthread_create(&threads[k], NULL, worker, (void*)k); }
    for (int k = 7; k >= 0; --k) {
      pool_size = k;
      pthread_join(threads[k], NULL);
    }
  }
}

// A child reports its time in small_job as its exit status, in units of 10 µs.
static double run(char** argv, double* cpu_seconds) {
  pid_t child = vfork();
  if (child == 0) {
    execv(argv[0], argv);
    _exit(255);
  }
  int status = 0;
  struct rusage use = {0};
  wait4(child, &status, 0, &use);
  *cpu_seconds += all_of(&use);
  return WIFEXITED(status) ? WEXITSTATUS(status) / 1e5 : 0;
}

static pid_t busy_child;
static void start_busy(int as_process) {
  if (!as_process) {
    pthread_t thread;
    pthread_create(&thread, NULL, busy_thread, NULL);
    pthread_detach(thread);
  } else if ((busy_child = fork()) == 0) {
    busy_work();
  }
}
static void end_busy(int as_process) {
  if (!as_process) {
    done = 1;
    while (*(volatile double*)&busy_user_seconds == 0) { usleep(1000); }
  } else if (busy_child > 0) {
    struct rusage use = {0};
    kill(busy_child, SIGKILL);
    wait4(busy_child, NULL, 0, &use);
    busy_seconds = all_of(&use);
    busy_user_seconds = user_of(&use);
  }
}

int main(int argc, char** argv) {
  const char* kind = argc > 1 ? argv[1] : "threads";
  if (strcmp(kind, "child") == 0) { return (int)(small_job(atol(argv[2])) * 1e5 + 0.5); }
  int count = argc > 2 ? atoi(argv[2]) : 1000;
  int busy = argc > 3 && strcmp(argv[3], "busy") == 0;
  int as_process = strcmp(kind, "threads") != 0 && strcmp(kind, "pool") != 0;
  double first = 0, second = 0, first_job = 0, second_job = 0;
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length > 0 ? length : 0] = 0;

  if (strcmp(kind, "execs") == 0) {  // passes the results so far through the environment
    const char* so_far = getenv("STORM_JOB");
    const char* child = getenv("STORM_BUSY");
    job_seconds = so_far ? atof(so_far) : 0;
    busy_child = child ? atoi(child) : 0;
    if (busy && !child) { start_busy(1); }
    job_seconds += small_job(JOB_ROUNDS);
    if (count > 1) {
      char text[64];
      snprintf(text, sizeof text, "%.9f", job_seconds);
      setenv("STORM_JOB", text, 1);
      snprintf(text, sizeof text, "%d", (int)busy_child);
      setenv("STORM_BUSY", text, 1);
      char left[16];
      snprintf(left, sizeof left, "%d", count - 1);
      char* again[] = {path, argv[1], left, argv[3], NULL};
      execv(path, again);
      return 1;
    }
  } else {
    if (busy) { start_busy(as_process); }
    if (strcmp(kind, "threads") == 0) { storm_threads(count); }
    if (strcmp(kind, "pool") == 0) { storm_pool(count); }
    for (int i = 0; i < count && strcmp(kind, "processes") == 0; ++i) {
      char rounds[] = "220000";
      char* job[] = {path, "child", rounds, NULL};
      job_seconds += run(job, &first);
    }
    for (int i = 0; i < count && strcmp(kind, "names") == 0; ++i) {
      char* short_job[] = {argv[4], "child", "300000", NULL};
      char* long_job[] = {argv[5], "child", "600000", NULL};
      first_job += run(short_job, &first);
      second_job += run(long_job, &second);
    }
    for (int i = 0; i < count && strcmp(kind, "command") == 0; ++i) { run(argv + 4, &first); }
  }
  if (busy) { end_busy(as_process); }

  struct rusage own, children;
  getrusage(RUSAGE_SELF, &own);
  getrusage(RUSAGE_CHILDREN, &children);
  printf("{\"user\":%.6f,\"total\":%.6f", user_of(&own) + user_of(&children), all_of(&own) + all_of(&children));
  printf(",\"job\":%.6f,\"busy\":%.6f,\"busy_user\":%.6f", job_seconds + first_job + second_job, busy_seconds, busy_user_seconds);
  printf(",\"first\":%.6f,\"second\":%.6f,\"first_job\":%.6f,\"second_job\":%.6f}\n", first, second, first_job, second_job);
  return 0;
}
