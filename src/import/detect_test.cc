// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Detection: profiles by their own reader, and ordinary files by none. text_formats_test.cc covers the samples of text formats;
// those of JSON and protobuf are next to their readers.

#include <gtest/gtest.h>

#include "import/import.h"

namespace wick {
namespace {

std::string detected(std::string_view text) {
  const Reader* reader = detect_reader(head_of({reinterpret_cast<const uint8_t*>(text.data()), text.size()}));
  return reader != nullptr ? std::string(reader->name) : "";
}

struct Ordinary {
  const char *what, *text;
};

constexpr Ordinary kOrdinary[] = {
    {"a README", R"(# wick

Shows where a program spends its time.

```
app 8828 37683.504406: 1001001 cpu-clock:
	    7fdc4a5260c0 do_lookup_x+0x360 (/lib/ld.so)
```

That is what `perf script` prints. wick reads it, and much else:

- perf.data
- folded stacks

Version 2
)"},
    {"C source", R"(// Copyright
#include <stdio.h>

static int add(int a, int b) {
	return a + b;
}

int main(int argc, char** argv) {
	add (argc, 1);
	for (int i = 0; i < 10; ++i) {
		printf("%d\n", add(i, 1234));
	}
}
)"},
    {"assembly", "\t.text\n\t.globl main\nmain:\n\tadd (%rax), %rbx\n\tdec %ecx\n\tadc 8(%rdi), %rdx\n\tret\n"},
    {"objdump -d", R"(
app:     file format elf64-x86-64

Disassembly of section .text:

0000000000001040 <main>:
    1040:	31 ed                	xor    %ebp,%ebp
    1042:	49 89 d1             	mov    %rdx,%r9
    1045:	ff 15 8d 2f 00 00    	call   *0x2f8d(%rip)        # 3fd8 <__libc_start_main@GLIBC_2.34>
)"},
    {"nm", "0000000000004010 B __bss_start\n0000000000001139 T main\n                 U puts@GLIBC_2.2.5\n"},
    {"/proc/PID/maps",
     "55d0c4a00000-55d0c4a01000 r-xp 00000000 08:01 1234 /bin/app\n7ffd5000-7ffd6000 rw-p 00000000 00:00 0 [stack]\n"},
    {"CSV", "time,name,value\n1.000001,alpha,12\n2.000001,beta,13\n"},
    {"CSV with blanks", "name, count\nalpha, 12\nbeta, 13\ngamma, 14\ndelta, 1\ne, 2\nf, 3\ng, 4\nh, 5\ni, 6\nj, 7\nk, 8\n"},
    {"CSV with semicolons", "name;count;share\nalpha;12;50,0\nbeta;12;50,0\n"},
    {"TSV", "name\tcount\tshare\nalpha\t12\t50.0\nbeta\t12\t50.0\n"},
    {"a JSON config", R"({"name": "x", "version": "1.0", "scripts": {"test": "jest"}, "threads": 4, "meta": {"author": "y"}})"},
    {"JSON lines", "{\"time\": 1.5, \"msg\": \"started\"}\n{\"time\": 1.6, \"msg\": \"ended\"}\n"},
    {"a JSON list", R"([{"name": "x", "ts": 12, "dur": 3}, {"name": "y"}])"},
    {"YAML", "events:\n  - name: push\n    at: 12\nfunctions:\n  fn: main\njobs: 3\n"},
    {"an ini file", "[main]\nthreads = 4\nsize = 12\n"},
    {"a log", "2026-11-16 10:00:00,123 INFO main: started in 12\n2026-11-16 10:00:01,456 WARN main: slow request took 345\n"},
    {"a log with seconds", "[main] 1700000000.123456: started\n[main] 1700000001.123456: ended after 12\n"},
    {"a web log",
     "127.0.0.1 - - [16/Nov/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 200 512\n::1 - - [16/Nov/2026:10:00:01 +0000] \"GET /a "
     "HTTP/1.1\" 404 12\n"},
    {"/etc/passwd", "root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n"},
    {"/proc/meminfo", "MemTotal:       16314232 kB\nMemFree:         1234567 kB\nHugePages_Total:       0\n"},
    {"cProfile", R"(         204 function calls (4 primitive calls) in 0.112 seconds

   Ordered by: cumulative time

   ncalls  tottime  percall  cumtime  percall filename:lineno(function)
        1    0.000    0.000    0.112    0.112 {built-in method builtins.exec}
        1    0.000    0.000    0.112    0.112 c.py:1(<module>)
    201/1    0.112    0.001    0.112    0.112 c.py:1(fib)
        1    0.000    0.000    0.000    0.000 {method 'disable' of '_lsprof.Profiler' objects}


)"},
    {"gprof", R"(Flat profile:

Each sample counts as 0.01 seconds.
  %   cumulative   self              self     total
 time   seconds   seconds    calls  ms/call  ms/call  name
 66.67      0.02     0.02        1    20.00    30.00  main
 33.33      0.03     0.01        1    10.00    10.00  work
)"},
    {"perf report", R"(# Samples: 1K of event 'cpu-clock'
#
# Overhead  Command  Shared Object      Symbol
# ........  .......  .................  ..............
#
    50.12%  app      app                [.] main
    20.00%  app      [kernel.kallsyms]  [k] do_syscall_64
)"},
    {"perf stat", R"(
 Performance counter stats for './app':

            503.12 msec task-clock                #    0.998 CPUs utilized
                12      context-switches          #   23.851 /sec

       0.504123456 seconds time elapsed
)"},
    {"ps aux", R"(USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND
root           1  0.0  0.1 168140 11520 ?        Ss   Nov15   0:03 /sbin/init
root           2  0.0  0.0      0     0 ?        S    Nov15   0:00 [kthreadd]
me          1234  0.0  0.0 169540  4120 ?        S    10:00   0:00 (sd-pam)
)"},
    {"ps -ef",
     "UID          PID    PPID  C STIME TTY          TIME CMD\nroot           1       0  0 Nov15 ?        00:00:03 "
     "/sbin/init\nroot           2       0  0 Nov15 ?        00:00:00 [kthreadd]\n"},
    {"ps -o pid,comm", "    PID COMMAND\n   1234 (sd-pam)\n   1235 bash\n"},
    {"top -b", R"(top - 10:00:00 up 13:53,  1 user,  load average: 0.52, 0.58, 0.59
Tasks: 123 total,   1 running, 122 sleeping,   0 stopped,   0 zombie
%Cpu(s):  3.1 us,  1.0 sy,  0.0 ni, 95.8 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st

    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
   1234 me        20   0  169540   4120      0 S   0.0   0.0   0:00.00 (sd-pam)
   4711 root      20   0   12345   1234    123 R  99.0   0.1   1:23.45 app
)"},
    {"vmstat",
     "procs -----------memory---------- ---swap--\n r  b   swpd   free   buff  cache   si   so\n 1  0      0 123456  12345 "
     "678901    0    0\n"},
    {"strace", R"(execve("./app", ["./app"], 0x7ffd2b3c4d50 /* 20 vars */) = 0
brk(NULL)                               = 0x55d0c4a00000
openat(AT_FDCWD, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3
exit_group(0)                           = ?
+++ exited with 0 +++
)"},
    {"strace -f -ttt", "4711  1700000000.123456 read(3, \"\"..., 512) = 12\n4711  1700000000.123999 close(3) = 0\n"},
    {"strace -c", R"(% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 50.00    0.000012           1        12           read
100.00    0.000024           1        24         0 total
)"},
    {"ltrace", "puts(\"x\")                         = 2\n+++ exited (status 0) +++\n"},
    {"dmesg", R"([    0.000000] Linux version 6.1.0 (gcc 12.2.0) #1 SMP
[    0.123456] Call Trace:
[    0.123457]  <TASK>
[    0.123458]  dump_stack_lvl+0x44/0x5c
[    0.123459]  panic+0x118/0x2ed
)"},
    {"ftrace", R"(# tracer: nop
#
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
            bash-1234    [000] d..3. 12345.678901: sched_switch: prev_comm=bash prev_pid=1234 ==> next_comm=swapper
          <idle>-0       [000] dNh4. 12345.678999: sched_wakeup: comm=bash pid=1234 prio=120
)"},
    {"git log", R"(commit 5386492abcdef0123456789abcdef0123456789a
Author: A <a@example.org>
Date:   Mon Nov 16 06:00:00 2026 +0000

    Tests of live measurements are tried again

    at the end (see below)

commit 9d5773e0123456789abcdef0123456789abcdef01
Author: B <b@example.org>
Date:   Mon Nov 16 05:00:00 2026 +0000

    Mend #12
)"},
    {"git log --oneline", "5386492 Tests of live measurements\n9d5773e Tests: the Firefox client 2\n"},
    {"git log --stat", " src/a.cc | 12 ++++++-----\n src/b.cc |  3 +++\n 2 files changed, 10 insertions(+), 5 deletions(-)\n"},
    {"a diff", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a;b 12\n+a;b 13\n"},
    {"HTML", "<!DOCTYPE html>\n<html><head><title>x</title></head>\n<body><p>12</p></body></html>\n"},
    {"an SVG", "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"><g/></svg>\n"},
    {"a Markdown table", "| function | self | total |\n|---|---:|---:|\n| main | 12 | 13 |\n| work | 1 | 1 |\n"},
    {"an org table", "| name  | n |\n|-------+---|\n| main  | 2 |\n"},
    {"psql", "   id   |  name\n--------+---------\n     12   | main\n     13   | work\n(2 rows)\n"},
    {"ls -l", "total 12\n-rw-r--r-- 1 root root 12 Nov 16 10:00 a\n-rw-r--r-- 1 root root 12 Nov 16 10:00 b 2\n"},
    {"wc", "   12   34  567 a.cc\n   12   34  567 b.cc\n   24   68 1134 total\n"},
    {"du", "4\t./a\n12\t./b\n16\t.\n"},
    {"uniq -c", "     12 main\n      3 work\n"},
    {"hexdump -C",
     "00000000  7f 45 4c 46 02 01 01 00  00 00 00 00 00 00 00 00  |.ELF............|\n00000010  03 00 3e 00 01 00 00 00\n"},
    {"a shell session", "$ perf script | head\n$ wick report\n12 samples\n"},
    {"a Debian copyright file",
     "Format: https://www.debian.org/doc\n\nFiles: *\nCopyright:\n\t1998-2023 The Authors (see AUTHORS)\n\t2005 A "
     "(a@b)\nLicense: "
     "X\n"},
    {"a Python traceback",
     "Traceback (most recent call last):\n  File \"c.py\", line 3, in <module>\n    main()\nZeroDivisionError: division by "
     "zero\n"},
    {"a sanitizer's report",
     "==12==ERROR: AddressSanitizer: heap-use-after-free\n    #1 0x55d0c4a01234 in work /src/a.cc:12:3\n    #2 0x55d0c4a01235 in "
     "main /src/a.cc:20:3\n"},
    {"ctest", "Test project /b\n    Start 1: unit\n1/2 Test #1: unit ...........   Passed    0.12 sec\n"},
    {"prose", "Thread of thought\n(12 of them)\n\nIt was the year 1984\n"},
    {"numbers", "12\n13\n14\n"},
    {"pairs of numbers", "1 2\n3 4\n"},
    {"blank lines", "\n\n\n"},
};

TEST(Detect, OrdinaryFilesAreNotProfiles) {
  for (const Ordinary& o : kOrdinary) { EXPECT_EQ(detected(o.text), "") << o.what; }
}

TEST(Detect, TextOfPprofIsNotPerfs) {
  const char* raw = R"(PeriodType: cpu nanoseconds
Period: 10000000
Time: 2026-11-16 06:05:20.941239762 +0000 UTC
Duration: 368.
Samples:
samples/count cpu/nanoseconds
          1   10000000: 1 2 3 4 5 6 7
          1   10000000: 8 9 10 10 10 9
Locations
     1: 0x483120 M=1 runtime.asyncPreempt /usr/local/go/src/runtime/preempt_amd64.s:9:0 s=8
     2: 0x4b53ac M=1 slices.partitionOrdered[go.shape.string] /usr/local/go/src/slices/zsortordered.go:156:0 s=137
Mappings
1: 0x400000/0x4d4000/0x0 /tmp/g  [FN]
)";
  EXPECT_EQ(detected(raw), "go");
}

TEST(Detect, PerfScriptWithAnyFields) {
  constexpr const char* kTexts[] = {
      "app 100/101 [000] 10.000100:     250000 cpu-clock:u: \n\tffffffff821d049d __schedule+0x5cd ([kernel.kallsyms])\n\n",
      "app  8828 37683.504406:    1001001 cpu-clock:     7fdc4a5260c0 do_lookup_x+0x360 (/lib/ld.so)\n",
      ":-1    -1 [000] 49483.943713: sched:sched_switch: prev_comm=app prev_pid=10313 prev_state=X ==> next_comm=app\n",
      "cc1plus 10288 [001] 49483.944095: sched:sched_switch: prev_comm=cc1plus prev_pid=10288\n",
      "app 12.345678: \n\t    55d0c4a01234 main+0x12 (/bin/app)\n\n",
      "app \n\t    55d0c4a01234 main (/bin/app)\n\n",
      "\t    55d0c4a01234 main\n\t    55d0c4a01235 _start\n\n",
      "app 12 cycles: \n\t               0 [unknown] ([unknown])\n\n",
      "app 12 cycles: \n        55d0c4a01234 main (/bin/app)\n\n",
      "node 12 1.000001: 1 cycles: \n\t    7f0000001234 LazyCompile:*f a.js:1 (/tmp/perf-12.map)\n\n",
      "# captured on: Mon\n#\napp 12 1.000001: PERF_RECORD_MMAP2 12/12: [0x1000(0x1000) @ 0]: r-xp /bin/app\n",
  };
  for (const char* text : kTexts) { EXPECT_EQ(detected(text), "perf-script") << text; }
}

TEST(Detect, FoldedStacks) {
  EXPECT_EQ(detected("app;main;work 12\napp;main 3\n"), "folded");
  EXPECT_EQ(detected("main 12\nwork 3\n"), "folded") << "functions without callers";
  EXPECT_EQ(detected("app;operator new(unsigned long) 12\n[unknown] 3\n"), "folded");
  EXPECT_EQ(detected("a;b 12 13\na;c 1 2\n"), "folded") << "a difference";
}

}  // namespace
}  // namespace wick
