// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// plain MODE [SECONDS]: as cxx.cc, for C and the kernel.

#include "../work.h"  // first: defines _GNU_SOURCE

#include <execinfo.h>
#include <locale.h>
#include <regex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>
#include <wchar.h>

KEEP void allocates(void) {
  void* kept[100];
  for (int i = 0; i < 100; ++i) { kept[i] = malloc(16 + (size_t)i * 24); }
  for (int i = 0; i < 100; ++i) { free(kept[i]); }
}
KEEP void reuses(void) {
  static char* kept;
  if (!kept) { kept = malloc(1 << 20); }
  burn(100000);
  kept[17] = 1;
}

KEEP void copies(void) {
  static char from[200000], to[200000];
  memcpy(to, from, sizeof to - (size_t)(sink & 1));
  sink = sink + (uint64_t)to[5];
}
KEEP void copies_by_hand(void) {
  static volatile char from[20000], to[20000];
  for (size_t i = 0; i < sizeof to; ++i) { to[i] = from[i]; }
}

KEEP void grows(void) {
  char* text = NULL;
  for (size_t i = 1; i < 400; ++i) { text = realloc(text, i * 64); }
  free(text);
}

KEEP void formats(void) {
  char text[200];
  snprintf(text, sizeof text, "%d %s %.6f %lx", 12345, "a word", (double)sink * 0.37, (unsigned long)sink);
  sink = sink + (uint64_t)text[0];
}
KEEP void prints(void) { sink = sink + (uint64_t)write(1, "x\n", 2); }

KEEP void parses(void) {
  static const char* const kTexts[] = {"3.14159", "17", "99999.125", "1e10"};
  for (int i = 0; i < 4; ++i) { sink = sink + (uint64_t)strtod(kTexts[i], NULL) + (uint64_t)strtol(kTexts[i], NULL, 10); }
  int a = 0;
  sscanf("12 words", "%d", &a);
}

KEEP void checks_utf8(void) {
  static char text[20000];
  static wchar_t wide[20000];
  if (!text[0]) { memset(text, 'x', sizeof text - 1); }
  sink = sink + mbstowcs(wide, text, 20000);
}
KEEP void scans_bytes(void) {
  static unsigned char text[20000];
  unsigned valid = 1;
  for (size_t i = 0; i < sizeof text; ++i) { valid &= text[i] < 0x80; __asm__ volatile("" : "+r"(valid)); }
  sink = sink + valid;
}

KEEP void compiles_a_regex(void) {
  regex_t pattern;
  regcomp(&pattern, "[a-z]+[0-9]+(foo|bar)*", REG_EXTENDED);
  sink = sink + (uint64_t)regexec(&pattern, "abc123", 0, NULL, 0);
  regfree(&pattern);
}
KEEP void compiles_a_regex_once(void) {
  static regex_t pattern;
  static int ready;
  if (!ready) { ready = regcomp(&pattern, "[a-z]+[0-9]+(foo|bar)*", REG_EXTENDED) == 0; }
  sink = sink + (uint64_t)regexec(&pattern, "abc123foofoobarfoo", 0, NULL, 0);
}

static int by_value(const void* a, const void* b) { return (*(const int*)a > *(const int*)b) - (*(const int*)a < *(const int*)b); }
KEEP void sorts(void) {
  static int values[5000];
  for (int i = 0; i < 5000; ++i) { values[i] = (i * 7919) % 10007; }
  qsort(values, 5000, sizeof *values, by_value);
  sink = sink + (uint64_t)values[17];
}
KEEP void searches(void) {
  static int values[5000];
  for (int i = 0; i < 5000; ++i) { values[i] = i; }
  for (int i = 0; i < 500; ++i) { sink = sink + (bsearch(&i, values, 5000, sizeof *values, by_value) != NULL); }
}

KEEP void clears(void) {
  static char room[200000];
  memset(room, (int)(sink & 1), sizeof room);
  sink = sink + (uint64_t)room[7];
}
KEEP void clears_seldom(void) {
  clears();
  burn(2000000);
}

KEEP void faults(void) {
  size_t size = 4 << 20;
  char* room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (size_t i = 0; i < size; i += 4096) { room[i] = 1; }
  munmap(room, size);
}
KEEP void touches_again(void) {
  static char* room;
  size_t size = 4 << 20;
  if (!room) { room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }
  for (size_t i = 0; i < size; i += 4096) { room[i] = (char)(room[i] + 1); }
  burn(100000);
}

KEEP void calls_the_kernel(void) {
  for (int i = 0; i < 100; ++i) { syscall(SYS_getppid); }
}
KEEP void calls_the_kernel_seldom(void) {
  syscall(SYS_getppid);
  burn(100000);
}

static int memory_file(void) {
  static int fd = -1;
  if (fd < 0) {
    fd = memfd_create("pieces", 0);
    static char room[1 << 20];
    for (int i = 0; i < 8; ++i) { sink = sink + (uint64_t)write(fd, room, sizeof room); }
  }
  return fd;
}
KEEP void reads_small_pieces(void) {
  int fd = memory_file();
  char c;
  for (int i = 0; i < 100; ++i) { sink = sink + (uint64_t)pread(fd, &c, 1, i * 7); }
}
KEEP void reads_large_pieces(void) {
  static char room[1 << 20];
  int fd = memory_file();
  for (int i = 0; i < 8; ++i) { sink = sink + (uint64_t)pread(fd, room, sizeof room, (off_t)i << 20); }
}
// New pages for each piece: copying is a small part.
KEEP void writes_large_pieces(void) {
  static char room[1 << 20];
  int fd = memfd_create("large", 0);
  for (int i = 0; i < 8; ++i) { sink = sink + (uint64_t)write(fd, room, sizeof room); }
  close(fd);
}

KEEP void logs(void) {
  syslog(LOG_DEBUG, "handled request %d in %f s", 17, 0.25);
  sink = sink + 1;
}

// Walks the stack with the functions that unwind exceptions.
KEEP void takes_backtraces(void) {
  void* frames[50];
  sink = sink + (uint64_t)backtrace(frames, 50);
}

// Most of the time is that of the children.
KEEP void starts_processes(void) {
  for (int i = 0; i < 100; ++i) {
    pid_t child = fork();
    if (child == 0) {
      burn(500000);
      execl("/bin/true", "true", (char*)NULL);
      _exit(1);
    }
    waitpid(child, NULL, 0);
  }
}
KEEP void starts_few_processes(void) {
  for (int i = 0; i < 5; ++i) {
    pid_t child = fork();
    if (child == 0) {
      burn(20000000);
      _exit(0);
    }
    waitpid(child, NULL, 0);
  }
}

#if defined(__x86_64__)
static const unsigned char kLoop[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0xff, 0xcf, 0x75, 0xfb, 0x5d, 0xc3};
#elif defined(__aarch64__)
static const unsigned int kLoop[] = {0xa9bf7bfd, 0x910003fd, 0xf1000400, 0x54ffffe1, 0xa8c17bfd, 0xd65f03c0};
#else
#error "no machine code for this CPU"
#endif
KEEP void runs_generated_code(void) {
  static char* page;
  if (!page) {
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(page, kLoop, sizeof kLoop);
    __builtin___clear_cache(page, page + 4096);
    mprotect(page, 4096, PROT_READ | PROT_EXEC);
  }
  ((void (*)(unsigned long))(void*)page)(100000);
}
KEEP void runs_generated_code_seldom(void) {
  runs_generated_code();
  burn(3000000);
}

static const struct {
  const char* name;
  void (*round)(void);
} kModes[] = {
    {"allocation", allocates},
    {"not-allocation", reuses},
    {"copying", copies},
    {"not-copying", copies_by_hand},
    {"growth", grows},
    {"not-growth", reuses},
    {"formatting", formats},
    {"not-formatting", prints},
    {"parsing", parses},
    {"utf8", checks_utf8},
    {"not-utf8", scans_bytes},
    {"regex-compile", compiles_a_regex},
    {"not-regex-compile", compiles_a_regex_once},
    {"sorting", sorts},
    {"not-sorting", searches},
    {"clearing", clears},
    {"not-clearing", clears_seldom},
    {"page-faults", faults},
    {"not-page-faults", touches_again},
    {"system-calls", calls_the_kernel},
    {"not-system-calls", calls_the_kernel_seldom},
    {"small-io", reads_small_pieces},
    {"not-small-io", reads_large_pieces},
    {"not-small-io-writes", writes_large_pieces},
    {"logging", logs},
    {"not-exceptions", takes_backtraces},
    {"unnamed-code", runs_generated_code},
    {"not-unnamed-code", runs_generated_code_seldom},
};

// Until the process has used so much CPU time; looks at the clock, a system call, every few milliseconds.
KEEP void serve(void (*round)(void), double seconds) {
  double now = seconds_of(CLOCK_PROCESS_CPUTIME_ID), end = now + seconds;
  for (long rounds = 1; now < end;) {
    for (long i = 0; i < rounds; ++i) { round(); }
    double before = now;
    now = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    if (now - before < 0.004) { rounds *= 2; }
  }
  sink = sink + 1;
}

int main(int argc, char** argv) {
  setlocale(LC_ALL, "C.UTF-8");
  if (argc > 1 && strcmp(argv[1], "short-processes") == 0) { return starts_processes(), 0; }
  if (argc > 1 && strcmp(argv[1], "not-short-processes") == 0) { return starts_few_processes(), 0; }
  for (size_t i = 0; argc > 1 && i < sizeof kModes / sizeof *kModes; ++i) {
    if (strcmp(argv[1], kModes[i].name) == 0) {
      serve(kModes[i].round, number(argc, argv, 2, 0.4));
      return 0;
    }
  }
  fprintf(stderr, "plain: unknown mode %s\n", argc > 1 ? argv[1] : "");
  return 2;
}
