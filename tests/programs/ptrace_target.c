// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
//
// Behavior that a recorder could break by stopping threads, one kind per run: ptrace_target REPORT MODE [NUMBER…]. The program
// checks itself and appends "name value" lines to the file REPORT; it exits with 0 if everything worked as without a recorder.
// With -DPLUGIN it is a shared object for loading and unloading.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NI __attribute__((noinline, noclone))
// Functions whose samples are counted have their own sections: the linker provides their bounds.
#define IN(name) __attribute__((section(#name), noinline, noclone))
#define BOUNDS(name) extern char __start_##name[], __stop_##name[]

static int64_t now_ns(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}
static volatile uint64_t sink;

#ifdef PLUGIN
BOUNDS(hot_plugin);
IN(hot_plugin) static uint64_t churn(long rounds) {
  uint64_t x = PLUGIN;
  for (long i = 0; i < rounds; ++i) { x = x * 6364136223846793005ULL + (uint64_t)i; }
  return x;
}
// Reports how long it ran and where its code is, so that each sample can be checked.
void run(long rounds, FILE* report) {
  int64_t begin = now_ns(CLOCK_MONOTONIC);
  sink += churn(rounds);
  int64_t end = now_ns(CLOCK_MONOTONIC);
  fprintf(report, "plugin%d %p %p %lld %lld\n", PLUGIN, (void*)__start_hot_plugin, (void*)__stop_hot_plugin, (long long)begin,
          (long long)end);
}
#else

static FILE* report;
static const char* self;
static const char* report_path;
static void put(const char* name, long long value) { fprintf(report, "%s %lld\n", name, value); }
static void check(int good, const char* what) {
  if (!good) {
    fprintf(report, "bad %s (errno %d)\n", what, errno);
    fflush(report);
    _exit(99);
  }
}
static void put_cpu(void) {
  put("cpu_ns", now_ns(CLOCK_PROCESS_CPUTIME_ID));
  struct rusage r;
  getrusage(RUSAGE_CHILDREN, &r);
  put("children_ns", (r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1000000000LL + (r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1000LL);
}

static double rounds_per_ms;
BOUNDS(hot_a); BOUNDS(hot_b);
IN(hot_a) static uint64_t work_a(long rounds) {
  uint64_t x = 1;
  for (long i = 0; i < rounds; ++i) { x = x * 6364136223846793005ULL + (uint64_t)i; }
  return x;
}
IN(hot_b) static uint64_t work_b(long rounds) {
  uint64_t x = 2;
  for (long i = 0; i < rounds; ++i) { x = x * 6364136223846793005ULL + (uint64_t)i; }
  return x;
}
static void put_bounds(void) {
  fprintf(report, "hot_a %p %p\nhot_b %p %p\n", (void*)__start_hot_a, (void*)__stop_hot_a, (void*)__start_hot_b,
          (void*)__stop_hot_b);
}
// Takes about this long without a system call: a busy kernel tends to deschedule threads when they query the time.
static void spin(double ms) { sink += work_a((long)(ms * rounds_per_ms)); }
static void calibrate(void) {
  int64_t best = INT64_MAX;
  for (int i = 0; i < 5; ++i) {
    int64_t begin = now_ns(CLOCK_THREAD_CPUTIME_ID);
    sink += work_a(100000);
    int64_t took = now_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
    best = took < best ? took : best;
  }
  rounds_per_ms = 100000 * 1e6 / (double)best;
}

static pthread_t start(void* (*function)(void*), void* argument) {
  pthread_t thread;
  check(pthread_create(&thread, NULL, function, argument) == 0, "pthread_create");
  return thread;
}
struct Spinner {
  pthread_t thread;
  double ms;
  long tid;
  int64_t cpu_ns;
};
static void* spinner(void* ms) { spin(*(double*)ms); return NULL; }
static void* timed_spinner(void* one) {
  struct Spinner* s = one;
  s->tid = syscall(SYS_gettid);
  spin(s->ms);
  s->cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
  return NULL;
}
static void threads(int n, double ms) {
  struct Spinner* s = calloc((size_t)n, sizeof *s);
  for (int i = 0; i < n; ++i) {
    s[i].ms = ms;
    s[i].thread = start(timed_spinner, &s[i]);
  }
  for (int i = 0; i < n; ++i) {
    pthread_join(s[i].thread, NULL);
    fprintf(report, "thread %ld %lld\n", s[i].tid, (long long)s[i].cpu_ns);
  }
}

static void* sleeper(void* end) {
  int ends[1];
  memcpy(ends, end, sizeof ends);
  char byte;
  while (read(ends[0], &byte, 1) > 0) {}
  return NULL;
}
// One thread works while many sleep.
static void sleepers(int n, double ms) {
  int ends[2];
  check(pipe(ends) == 0, "pipe");
  pthread_t* t = calloc((size_t)n, sizeof *t);
  for (int i = 0; i < n; ++i) { t[i] = start(sleeper, ends); }
  spin(ms);
  close(ends[1]);
  for (int i = 0; i < n; ++i) { pthread_join(t[i], NULL); }
}

// Works a little, sleeps more: all CPU time is in work_a and work_b (3 to 1), though it mostly sleeps.
static void bursts(int rounds) {
  struct timespec pause_time = {0, 1700000};
  for (int i = 0; i < rounds; ++i) {
    sink += work_a(300000);
    sink += work_b(100000);
    nanosleep(&pause_time, NULL);
  }
}

// Two functions, 3 to 1, alternating much faster than ticks.
static void shares(double ms) {
  for (double done = 0; done < ms * rounds_per_ms; done += 80000) { sink += work_a(60000) + work_b(20000); }
}

static void tree(int depth, double ms) {
  spin(ms);
  if (depth == 0) { return; }
  pid_t children[2];
  for (int i = 0; i < 2; ++i) {
    children[i] = fork();
    if (children[i] == 0) { tree(depth - 1, ms); _exit(depth); }
  }
  for (int i = 0; i < 2; ++i) {
    int status = 0;
    check(waitpid(children[i], &status, 0) == children[i] && WIFEXITED(status) && WEXITSTATUS(status) == depth,
          "a child's status");
  }
}

static void* exec_self(void* ms) {
  char number[32];
  snprintf(number, sizeof number, "%g", *(double*)ms);
  execl(self, "renamed", report_path, "spin", number, (char*)NULL);
  check(0, "exec");
  return NULL;
}
static void* wait_forever(void* p) { for (;;) { pause(); } return p; }
static double exec_ms = 200;
static void exec_from_thread(void) {
  for (int i = 0; i < 5; ++i) { start(wait_forever, NULL); }
  spin(50);
  start(exec_self, &exec_ms);
  for (;;) { spin(10); }
}
static void die(int signal_number) {
  static double ms = 10000;
  start(spinner, &ms);
  spin(50);
  raise(signal_number);
  spin(ms);
}

// Handlers run in two threads at once.
static _Atomic int received[65];
static _Atomic long value_sum;
static void count_signal(int number, siginfo_t* info, void* context) {
  (void)context;
  ++received[number];
  if (info->si_code == SI_QUEUE) { value_sum += info->si_value.sival_int; }
}
// Every queued signal must arrive once, with its value, while other threads work.
static void signals(int n) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = count_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGRTMIN, &action, NULL);
  sigaction(SIGRTMIN + 1, &action, NULL);
  sigaction(SIGTRAP, &action, NULL);
  double ms = 300;
  pthread_t t = start(spinner, &ms);
  long sum = 0;
  for (int i = 0; i < n; ++i) {
    union sigval value = {.sival_int = i};
    sum += i;
    check(sigqueue(getpid(), SIGRTMIN + i % 2, value) == 0, "sigqueue");
    if (i % 16 == 0) { raise(SIGTRAP); }
  }
  pthread_join(t, NULL);
  for (int tries = 0; tries < 1000 && received[SIGRTMIN] + received[SIGRTMIN + 1] < n; ++tries) { usleep(1000); }
  put("received", received[SIGRTMIN] + received[SIGRTMIN + 1]);
  put("traps", received[SIGTRAP]);
  check(received[SIGRTMIN] + received[SIGRTMIN + 1] == n, "the number of signals");
  check(received[SIGTRAP] == (n + 15) / 16, "the number of SIGTRAPs");
  check(value_sum == sum, "the values of the signals");
}

// Blocking system calls must not end early. Each starts right after some work, when an interruption is likely.
static void* late_writer(void* fds) {
  for (int i = 0; i < 20; ++i) {
    usleep(12000);
    check(write(((int*)fds)[1], "x", 1) == 1, "write");
  }
  return NULL;
}
static void blocking(void) {
  int fds[2];
  check(pipe(fds) == 0, "pipe");
  double ms = 1500;
  pthread_t busy = start(spinner, &ms);
  for (int i = 0; i < 40; ++i) {
    spin(1.5);
    struct timespec wanted = {0, 5000000}, left = {0, 0};
    int64_t begin = now_ns(CLOCK_MONOTONIC);
    check(nanosleep(&wanted, &left) == 0, "nanosleep");
    check(now_ns(CLOCK_MONOTONIC) - begin >= 5000000, "nanosleep's length");
    spin(1.5);
    struct pollfd p = {fds[0], POLLIN, 0};
    begin = now_ns(CLOCK_MONOTONIC);
    check(poll(&p, 1, 5) == 0, "poll");
    check(now_ns(CLOCK_MONOTONIC) - begin >= 5000000, "poll's length");
    spin(1.5);
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 5000000;
    if (until.tv_nsec >= 1000000000) { until.tv_nsec -= 1000000000; ++until.tv_sec; }
    pthread_mutex_lock(&mutex);
    check(pthread_cond_timedwait(&cond, &mutex, &until) == ETIMEDOUT, "futex");
    pthread_mutex_unlock(&mutex);
  }
  pthread_t writer = start(late_writer, fds);
  for (int i = 0; i < 20; ++i) {
    spin(0.7);
    char byte;
    check(read(fds[0], &byte, 1) == 1, "read");
  }
  pthread_join(writer, NULL);
  // These two fail with EINTR if their thread is stopped, so it must not be stopped while it sleeps.
  int interruptions = 0, ep = epoll_create1(0);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  sigprocmask(SIG_BLOCK, &set, NULL);
  for (int i = 0; i < 40; ++i) {
    struct epoll_event event;
    struct timespec wanted = {0, 5000000};
    spin(1.5);
    interruptions += epoll_wait(ep, &event, 1, 5) != 0;
    spin(1.5);
    interruptions += sigtimedwait(&set, NULL, &wanted) == -1 && errno == EINTR;
  }
  put("interruptions", interruptions);
  pthread_join(busy, NULL);
}

// Job control as a shell does it. Each child is a job: SIGTSTP does not stop a process group without a parent in its session.
static void job_control(void) {
  for (int i = 0; i < 5; ++i) {
    pid_t child = fork();
    if (child == 0) {
      setpgid(0, 0);
      double ms = 10000;
      start(spinner, &ms);
      spin(ms);
      _exit(1);
    }
    usleep(30000);
    int status = 0;
    kill(child, i % 2 ? SIGSTOP : SIGTSTP);
    check(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status), "the stop");
    check(WSTOPSIG(status) == (i % 2 ? SIGSTOP : SIGTSTP), "the stop's signal");
    clockid_t clock;
    clock_getcpuclockid(child, &clock);
    usleep(5000);
    int64_t before = now_ns(clock);
    usleep(50000);
    check(now_ns(clock) - before < 1000000, "standing still");
    kill(child, SIGCONT);
    check(waitpid(child, &status, WCONTINUED) == child && WIFCONTINUED(status), "the continuation");
    before = now_ns(clock);
    usleep(50000);
    check(now_ns(clock) - before > 5000000, "going on");
    kill(child, SIGTERM);
    check(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM, "the end");
  }
}

extern char** environ;
static void spawn(int n) {
  for (int i = 0; i < n; ++i) {
    char number[32];
    snprintf(number, sizeof number, "%d", i % 100);
    char* argv[] = {(char*)self, (char*)report_path, "exit", number, NULL};
    pid_t child = 0;
    int status = 0;
    check(posix_spawn(&child, self, NULL, NULL, argv, environ) == 0, "posix_spawn");
    check(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == i % 100, "a child's status");
  }
}

static void* short_life(void* p) { sink += work_a(5000); return p; }
static void churn(int n) {
  for (int i = 0; i < n; ++i) {
    pthread_t t[8];
    for (int k = 0; k < 8; ++k) { t[k] = start(short_life, NULL); }
    for (int k = 0; k < 8; ++k) { pthread_join(t[k], NULL); }
    pid_t child = fork();
    if (child == 0) { sink += work_b(5000); if (i % 3 == 0) { raise(SIGKILL); } _exit(0); }
    int status = 0;
    check(waitpid(child, &status, 0) == child, "waitpid");
    check(i % 3 == 0 ? WIFSIGNALED(status) : WIFEXITED(status), "how a child ended");
  }
}

// The target traces its own child, which is impossible while it is traced itself: that must fail, not hang.
static void own_ptrace(void) {
  pid_t child = fork();
  if (child == 0) { _exit(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0 ? 1 : errno == EPERM ? 42 : 2); }
  int status = 0;
  check(waitpid(child, &status, 0) == child && WIFEXITED(status), "the traced child's end");
  put("traceme", WEXITSTATUS(status));
  child = fork();
  if (child == 0) { spin(100); _exit(0); }
  put("seize", ptrace(PTRACE_SEIZE, child, 0, 0) == 0 ? 0 : errno);
  check(waitpid(child, &status, __WALL) == child, "the other child's end");
}

static void* outlive(void* ms) { spin(*(double*)ms); put_cpu(); fflush(report); _exit(3); return NULL; }

static void* late_name(void* p) { spin(5); prctl(PR_SET_NAME, "christened"); spin(60); return p; }

static void plugins(int argc, char** argv) {
  for (int i = 0; i < 12; ++i) {
    void* handle = dlopen(argv[3 + i % (argc - 3)], RTLD_NOW);
    check(handle != NULL, "dlopen");
    ((void (*)(long, FILE*))dlsym(handle, "run"))(100000000, report);
    dlclose(handle);
  }
}

static int is(const char* mode, const char* name) { return strcmp(mode, name) == 0; }

int main(int argc, char** argv) {
  int64_t began = now_ns(CLOCK_PROCESS_CPUTIME_ID);
  if (argc < 3) { return 2; }
  self = "/proc/self/exe";
  report_path = argv[1];
  report = fopen(report_path, "a");
  const char* mode = argv[2];
  double number = argc > 3 ? atof(argv[3]) : 0, second = argc > 4 ? atof(argv[4]) : 0;
  if (report == NULL) { return 2; }
  if (is(mode, "exit")) { return (int)number; }
  static double outlive_ms = 300;
  put("began_ns", began);
  calibrate();
  put_bounds();
  fflush(report);
  if (is(mode, "spin")) { spin(number); }
  else if (is(mode, "threads")) { threads((int)number, second); }
  else if (is(mode, "sleepers")) { sleepers((int)number, second); }
  else if (is(mode, "bursts")) { bursts((int)number); }
  else if (is(mode, "shares")) { shares(number); }
  else if (is(mode, "tree")) { tree((int)number, second); }
  else if (is(mode, "exec")) { spin(50); put_cpu(); fflush(report); exec_self(&exec_ms); }
  else if (is(mode, "exec-thread")) { exec_from_thread(); }
  else if (is(mode, "signals")) { signals((int)number); }
  else if (is(mode, "blocking")) { blocking(); }
  else if (is(mode, "jobs")) { job_control(); }
  else if (is(mode, "spawn")) { spawn((int)number); }
  else if (is(mode, "churn")) { churn((int)number); }
  else if (is(mode, "own-ptrace")) { own_ptrace(); }
  else if (is(mode, "die")) { die((int)number); }
  else if (is(mode, "outlive")) { start(outlive, &outlive_ms); pthread_exit(NULL); }
  else if (is(mode, "name")) { pthread_join(start(late_name, NULL), NULL); }
  else if (is(mode, "plugins")) { plugins(argc, argv); }
  else { return 2; }
  put_cpu();
  put("wall_ns", now_ns(CLOCK_MONOTONIC));
  fclose(report);
  return 0;
}
#endif
