// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The samples of the golden cases, with data that folded stacks do not show: modules, files and lines, addresses, inlining,
// costs, threads, times.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "import/text/text_formats_test.h"

namespace wick {
namespace {

std::string describe_sample(const std::string& name, const std::string& file, const ImportOptions& options = {}) {
  std::ifstream in(std::string(WICK_SOURCE_DIR) + "/tests/golden/import_" + name + "/" + file, std::ios::binary);
  return describe_import(name, std::string((std::istreambuf_iterator<char>(in)), {}), options);
}

TEST(TextSamples, Aix) {
  EXPECT_EQ(describe_sample("aix", "input.procstack"),
            "samples/samples 1 x1 [6881588/6881588 server]: __start+100001bc;main+100003e8;"
            "select(int,fd_set*)+10000a54;__fd_select+d0116c54\n"
            "samples/samples 1 x1 [6881588/12345 server]: main+100003e8;work+10000b10\n");
}

TEST(TextSamples, Bpftrace) {
  EXPECT_EQ(describe_sample("bpftrace", "input.bpftrace"),
            "samples/samples 3 x3 [server]: [unknown]?+7f0f10b3bc78;app::Engine::run(int, char const*);__mmap64;"
            "entry_SYSCALL_64_after_hwframe;do_syscall_64;do_mmap;vm_unmapped_area;unmapped_area_topdown\n"
            "samples/samples 2 x2 [cc1plus]: operator[](int);constrain_operands(int, unsigned long)\n"
            "samples/samples 4 x4 [cc1plus]: operator[](int);constrain_operands(int, unsigned long)\n"
            "@bytes/samples 8192 x8192 []: read@/usr/lib/libc.so.6+7f2915411d8a;vfs_read+ffffffff813a474e\n"
            "warning: skipped 1 map entry without a stack in the key\n");
}

TEST(TextSamples, Dtrace) {
  EXPECT_EQ(describe_sample("dtrace", "input.dtrace"),
            "samples/samples 3 x3 []: app`_start@app;app`main@app;app`_ZN3app6Engine3runEi@app;"
            "libc.so.1`read@libc.so.1\n"
            "samples/samples 2 x2 []: app`_start@app;app`main@app;app`_ZN3app6Engine3runEi@app;"
            "libc.so.1`read@libc.so.1\n"
            "samples/samples 1641 x1641 []: [libc.so.1]?@libc.so.1+fffffd7fff001122;[unknown]?+fffffd7ffefa1234;"
            "libjvm.so`java/lang/Thread::run@libjvm.so;unix`thread_start@unix^;unix`idle@unix^;"
            "unix`mach_cpu_idle@unix^\n"
            "samples/samples 7 x7 [1234/1234 bash]: bash`execute_command@bash;libc.so.1`__forkx@libc.so.1\n");
}

TEST(TextSamples, Elfutils) {
  EXPECT_EQ(describe_sample("elfutils", "input.eustack"),
            "samples/samples 1 x1 [9648/9648 pid 9648]: [unknown]?+56295f7610f1;"
            "__libc_start_call_main@/usr/lib/x86_64-linux-gnu/libc.so.6+7f291536524a;"
            "main@/opt/app/t{/src/app/t.cc:15:191}+56295f7612b1;"
            "operator()@/opt/app/t{/src/app/t.cc:15:180}+56295f7612b1~;"
            "app::Engine::run(std::string const&, int)@/opt/app/t{/src/app/t.cc:10:136}+56295f7612fa\n"
            "samples/samples 1 x1 [9648/9649 pid 9648]: sleeper(void*)+56295f7611e7;sleep+7f2915411d8a;"
            "clock_nanosleep@GLIBC_2.2.5+7f291540d545\n"
            "samples/samples 1 x1 [9648/9648 pid 9648]: main@/opt/app/t+56295f7612b1;"
            "app::Engine::run(std::string const&, int)@/opt/app/t{/src/app/t.cc:10:140}+56295f7612ff\n");
}

TEST(TextSamples, Faulthandler) {
  EXPECT_EQ(describe_sample("faulthandler", "input.faulthandler"),
            "samples/samples 1 x1 [Thread 0x00007f9dd3b986c0]: run{/usr/lib/python3.11/threading.py:982};"
            "loop{/srv/app/fh.py:8};work{/srv/app/fh.py:4}\n"
            "samples/samples 1 x1 [Thread 0x00007f9dd49dbb80]: <module>{/srv/app/fh.py:12};work{/srv/app/fh.py:4}\n"
            "samples/samples 1 x1 [worker]: loop{/srv/app/fh.py:8};work{/srv/app/fh.py:4}\n"
            "samples/samples 1 x1 []: <module>{/srv/app/fh.py}\n");
}

TEST(TextSamples, Gdb) {
  EXPECT_EQ(describe_sample("gdb", "input.gdb"),
            "samples/samples 1 x1 [0/9650 LWP 9650]: [unknown]?;"
            "[libc.so.6]?@/lib/x86_64-linux-gnu/libc.so.6+7f29154478ec;"
            "__GI___clock_nanosleep{../sysdeps/unix/sysv/linux/clock_nanosleep.c:48}+7f291540d545\n"
            "samples/samples 1 x1 [0/9649 worker one]: (anonymous namespace)::worker{t.cc:13}+56295f7612a1;"
            "<signal handler called>;app::drive<double>{t.cc:11}+56295f7613f9;app::Engine::run{t.cc:10};"
            "app::step{t.cc:9}+56295f76130a~\n"
            "samples/samples 1 x1 [0/9648 t]: main{t.cc:15};"
            "std::function<void (int)>::operator()(int) "
            "const{/usr/include/c++/12/bits/std_function.h:591}+56295f761276~;"
            "std::__invoke_impl<void, main()::<lambda(int)>&, int>{/usr/include/c++/12/bits/invoke.h:61};"
            "operator(){t.cc:15}+56295f7612b1~\n"
            "samples/samples 1 x1 [0/9649 worker one]: app::drive<double>{t.cc:11}+56295f7613f9;"
            "app::operator<<{t.cc:10}+56295f76131d\n");
}

TEST(TextSamples, Ghcprof) {
  EXPECT_EQ(describe_sample("ghcprof", "input.prof"),
            "bytes/bytes 1024 x1 []: MAIN.MAIN@MAIN\n"
            "time/%/10 50 x10 []: MAIN.MAIN@MAIN;Main.main@Main{Main.hs:8}\n"
            "alloc/%/10 21 x1 []: MAIN.MAIN@MAIN;Main.main@Main{Main.hs:8}\n"
            "ticks/ticks 10 x10 []: MAIN.MAIN@MAIN;Main.main@Main{Main.hs:8}\n"
            "bytes/bytes 3653872 x1 []: MAIN.MAIN@MAIN;Main.main@Main{Main.hs:8}\n"
            "time/%/10 900 x180 []: MAIN.MAIN@MAIN;Main.main@Main{Main.hs:8};Main.fib@Main{Main.hs:3}\n"
            "alloc/%/10 950 x1 []: MAIN.MAIN@MAIN;Main.main@Main{Main.hs:8};Main.fib@Main{Main.hs:3}\n"
            "ticks/ticks 180 x180 []: MAIN.MAIN@MAIN;Main.main@Main{Main.hs:8};Main.fib@Main{Main.hs:3}\n"
            "bytes/bytes 165427568 x1 []: MAIN.MAIN@MAIN;Main.main@Main{Main.hs:8};Main.fib@Main{Main.hs:3}\n"
            "time/%/10 50 x10 []: MAIN.MAIN@MAIN;Main.main@Main{Main.hs:8};Main.fib@Main{Main.hs:3};Main.plus@Main\n"
            "alloc/%/10 29 x1 []: MAIN.MAIN@MAIN;Main.main@Main{Main.hs:8};Main.fib@Main{Main.hs:3};Main.plus@Main\n"
            "ticks/ticks 10 x10 []: MAIN.MAIN@MAIN;Main.main@Main{Main.hs:8};Main.fib@Main{Main.hs:3};Main.plus@Main\n"
            "bytes/bytes 5050000 x1 []: MAIN.MAIN@MAIN;Main.main@Main{Main.hs:8};Main.fib@Main{Main.hs:3};"
            "Main.plus@Main\n"
            "bytes/bytes 34720 x1 []: MAIN.MAIN@MAIN;GHC.IO.Handle.FD.CAF@GHC.IO.Handle.FD\n");
}

TEST(TextSamples, Go) {
  EXPECT_EQ(describe_sample("go", "input.raw"),
            "cpu/ns 10000000 x1 []: runtime.main+44b154;main.(*eng).run@/srv/app/m{/srv/app/main.go:4}+4ceb8a;"
            "math.mod@/srv/app/m{/usr/local/go/src/math/mod.go:42}+49cc2a;"
            "math.Frexp@/srv/app/m{/usr/local/go/src/math/frexp.go:21}+49cc2a~;"
            "runtime.asyncPreempt@/srv/app/m{/usr/local/go/src/runtime/preempt_amd64.s:9}+483140\n"
            "cpu/ns 20000000 x2 []: runtime.main+44b154;main.(*eng).run@/srv/app/m{/srv/app/main.go:4}+4ceb8a;"
            "math.mod@/srv/app/m{/usr/local/go/src/math/mod.go:46}+49cc5b\n"
            "cpu/ns 10000000 x1 []: runtime.main+44b154;main.(*eng).run@/srv/app/m{/srv/app/main.go:4}+4ceb8a;"
            "[vdso]?@[vdso]+7f12b5a23abc\n");
}

TEST(TextSamples, GoTraces) {
  EXPECT_EQ(describe_sample("go-traces", "input.traces"),
            "cpu/ns 10000000 x1 []: runtime.main;main.(*eng).run;math.mod;math.Frexp~\n"
            "cpu/ns 1500000000 x1 []: runtime.main;main.(*eng).run;math.mod\n"
            "cpu/ns 20000000 x1 []: runtime.main;main.(*eng).run;math.mod\n");
}

TEST(TextSamples, Ibmjava) {
  EXPECT_EQ(describe_sample("ibmjava", "input.javacore"),
            "RUNNABLE/samples 1 x1 [Default Executor-thread-7]: java/lang/Thread.run{Thread.java:785};"
            "app/Engine.run{Engine.java:182};app/Engine.step{Engine.java:127}\n"
            "WAITING/samples 1 x1 [Signal Reporter]: java/lang/Object.wait{Object.java:167};java/lang/Object.wait\n"
            "warning: 1 of 2 stacks belong to waiting threads and are not shown (events: WAITING)\n");
}

TEST(TextSamples, Instruments) {
  EXPECT_EQ(describe_sample("instruments", "input.instruments"),
            "time/ns 250000000 x1 []: app (1234);Main Thread  0x1a2b;main\n"
            "time/ns 1500000000 x1 []: app (1234);Main Thread  0x1a2b;main;-[Engine run]\n"
            "time/ns 250000000 x1 []: app (1234);Main Thread  0x1a2b;main;std::vector<int>::push_back(int)\n");
}

TEST(TextSamples, JavaExceptions) {
  EXPECT_EQ(describe_sample("java-exceptions", "input.log"),
            "exceptions/exceptions 1 x1 []: app.Main.main{Main.java:10};app.Orders.find{Orders.java:30};"
            "app.Orders.load{Orders.java:42}\n"
            "exceptions/exceptions 1 x1 []: app.Main.main{Main.java:10};app.Orders.find{Orders.java:30};"
            "app.Orders.load{Orders.java:40};db.Driver.connect{Driver.java:99}\n"
            "exceptions/exceptions 1 x1 []: app.Main.main{Main.java:10};app.Orders.find{Orders.java:31}\n");
}

TEST(TextSamples, Jstack) {
  EXPECT_EQ(describe_sample("jstack", "input.jstack"),
            "TIMED_WAITING/samples 1 x1 [0/9867 main]: J.main{J.java:9};java.lang.Thread.sleep@java.base\n"
            "NATIVE_WAIT/samples 1 x1 [0/9875 Reference Handler]: "
            "java.lang.ref.Reference$ReferenceHandler.run@java.base{Reference.java:215};"
            "java.lang.ref.Reference.waitForReferencePendingList@java.base\n"
            "RUNNABLE/samples 1 x1 [0/9886 busy \"one\"; x]: java.lang.Thread.run@java.base{Thread.java:840};"
            "J$$Lambda$1/0x00007f57ec000a08.run;J.lambda$main$0{J.java:5};J.work{J.java:2}\n"
            "BLOCKED/samples 1 x1 [0/9888 blocked]: java.lang.Thread.run@java.base{Thread.java:840};"
            "J.lambda$main$2{J.java:8}\n"
            "warning: 3 of 4 stacks belong to waiting threads and are not shown"
            " (events: TIMED_WAITING, NATIVE_WAIT, BLOCKED)\n");
}

TEST(TextSamples, Ljp) {
  EXPECT_EQ(describe_sample("ljp", "input.ljp"),
            "samples/samples 42 x42 []: java.lang.Thread.run{Thread.java:744};app.Main.work{Main.java:123};"
            "app.Engine.run{Engine.java:455}\n"
            "samples/samples 7 x7 []: java.lang.Thread.run{Thread.java:744};java.net.SocketInputStream.socketRead0\n");
}

TEST(TextSamples, PerfSched) {
  EXPECT_EQ(describe_sample("perf-sched", "input.script"),
            "off-cpu/ns 250000 x1 [100/101 app] 10000100000: main@/opt/app/app+146f2c;"
            "read@@GLIBC_2.2.5@/usr/lib/libc.so.6+ee137;schedule_timeout@[kernel.kallsyms]^+ffffffff821d7d01;"
            "__schedule@[kernel.kallsyms]^+ffffffff821d049d\n"
            "preempted/ns 500000 x1 [100/101 app] 10001000000: main@/opt/app/app+146f2c\n"
            "off-cpu/ns 400000 x1 [102/102 my tool] 10001500000: [tool]?@/opt/app/tool+146f2c;"
            "__schedule@[kernel.kallsyms]^+ffffffff821d049d\n"
            "warning: 1 thread was still off the CPU when the recording ended; that time is not counted\n");
}

TEST(TextSamples, Pmc) {
  EXPECT_EQ(describe_sample("pmc", "input.pmcstat"),
            "CPU_CLK_UNHALTED_CORE/samples 2 x2 []: amd64_syscall@/boot/kernel/kernel^;sys_poll@/boot/kernel/kernel^;"
            "selfdfree@/boot/kernel/kernel^;__mtx_unlock_flags@/boot/kernel/kernel^;"
            "witness_unlock@/boot/kernel/kernel^\n"
            "CPU_CLK_UNHALTED_CORE/samples 1 x1 []: vm_pageout@/boot/kernel/kernel^;"
            "pmap_ts_referenced@/boot/kernel/kernel^;__mtx_unlock_flags@/boot/kernel/kernel^;"
            "witness_unlock@/boot/kernel/kernel^\n"
            "CPU_CLK_UNHALTED_CORE/samples 9 x9 []: __mtx_unlock_flags@/boot/kernel/kernel^;"
            "witness_unlock@/boot/kernel/kernel^\n"
            "CPU_CLK_UNHALTED_CORE/samples 5 x5 []: witness_unlock@/boot/kernel/kernel^\n"
            "CPU_CLK_UNHALTED_CORE/samples 3 x3 []: main@/usr/bin/app;memcpy@/lib/libc.so.7\n"
            "PAGE_FAULT/samples 1 x1 []: [libc.so.7]?@/lib/libc.so.7+80123\n");
}

TEST(TextSamples, Sample) {
  EXPECT_EQ(describe_sample("sample", "input.sample"),
            "samples/samples 30 x30 [1234/0 Thread_8749954 com.apple.main-thread]: libdyld`start@libdyld+7fff6c1d3cc9;"
            "app`main@app{main.c:23}+100003f70;app`-[Engine run:with:]@app{Engine.m:7}+100003e10;"
            "libsystem_m`sqrt@libsystem_m+7fff6c2aa004\n"
            "samples/samples 10 x10 [1234/0 Thread_8749954 com.apple.main-thread]: libdyld`start@libdyld+7fff6c1d3cc9;"
            "app`main@app{main.c:23}+100003f70;app`-[Engine run:with:]@app{Engine.m:7}+100003e10;[app]?@app+100003abc\n"
            "samples/samples 10 x10 [1234/0 Thread_8749954 com.apple.main-thread]: libdyld`start@libdyld+7fff6c1d3cc9;"
            "app`main@app{main.c:23}+100003f70;app`-[Engine run:with:]@app{Engine.m:7}+100003e10\n"
            "samples/samples 20 x20 [1234/0 Thread_8749954 com.apple.main-thread]: libdyld`start@libdyld+7fff6c1d3cc9;"
            "app`main@app{main.c:23}+100003f70;"
            "app`std::vector<int, std::allocator<int> >::push_back(int const&)@app+100003f00\n"
            "samples/samples 10 x10 [1234/0 Thread_8749954 com.apple.main-thread]: libdyld`start@libdyld+7fff6c1d3cc9;"
            "app`main@app{main.c:23}+100003f70\n"
            "samples/samples 10 x10 [1234/0 worker]: libsystem_pthread`thread_start@libsystem_pthread+7fff6c3d0b8b;"
            "libsystem_kernel`__semwait_signal@libsystem_kernel+7fff6c30b0f6\n");
}

TEST(TextSamples, Stap) {
  EXPECT_EQ(describe_sample("stap", "input.stap"),
            "samples/samples 2404 x2404 []: rest_init@kernel^+ffffffff815bf03e;default_idle@kernel^+ffffffff8101c6a3;"
            "native_safe_halt@kernel^+ffffffff8103ce3b\n"
            "samples/samples 17 x17 []: [server]?@/opt/app/bin/server+4004aa;"
            "_ZN3app5flushEv@/opt/app/bin/server+4005d0;__write@/usr/lib64/libc-2.17.so+7f2915411d8a;"
            "vfs_write@kernel^+ffffffff8118a4e2;ext4_file_write@ext4^+ffffffffa02ab1c0\n");
}

TEST(TextSamples, Vsprof) {
  EXPECT_EQ(describe_sample("vsprof", "input.csv"),
            "samples/samples 8394 x8394 []: main@app.exe;app::run@app.exe\n"
            "samples/samples 306 x306 []: main@app.exe;app::run@app.exe;std::map<int,int>::find@app.exe\n"
            "samples/samples 35 x35 []: main@app.exe;[ntdll.dll]?@ntdll.dll\n");
}

TEST(TextSamples, VsprofInstrumented) {
  EXPECT_EQ(describe_sample("vsprof", "instrumented.csv"),
            "calls/calls 1 x1 []: main@app.exe\n"
            "time/%/100 1000 x1 []: main@app.exe\n"
            "calls/calls 20 x20 []: main@app.exe;app::run@app.exe\n"
            "time/%/100 6000 x1 []: main@app.exe;app::run@app.exe\n"
            "calls/calls 600 x600 []: main@app.exe;app::run@app.exe;app::step@app.exe\n"
            "time/%/100 3000 x1 []: main@app.exe;app::run@app.exe;app::step@app.exe\n");
}

TEST(TextSamples, VtuneCallstacks) {
  EXPECT_EQ(describe_sample("vtune", "callstacks.csv"),
            "CPU Time/ns 5000000000 x1 []: app`main@app{main.cpp}+401db0;"
            "app`intersect_objects@app{intersect.cpp}+402840;app`grid_intersect@app{grid.cpp}+40d340\n"
            "CPU Time/ns 436000000 x1 []: app`main@app{main.cpp}+401db0;app`shader@app{shade.cpp}+404730;"
            "app`grid_intersect@app{grid.cpp}+40d340\n"
            "CPU Time/ns 500000000 x1 []: app`idle@app{idle.cpp}+401000\n");
}

TEST(TextSamples, Vtune) {
  EXPECT_EQ(describe_sample("vtune", "input.csv"),
            "CPU Time/ns 150000000 x1 []: app`_start@app;app`main@app\n"
            "CPU Time/ns 1250000000 x1 []: app`_start@app;app`main@app;app`app::run(int, char const*)@app\n"
            "CPU Time/ns 500000000 x1 []: app`_start@app;app`main@app;app`app::run(int, char const*)@app;"
            "libm.so.6`sqrt@libm.so.6\n"
            "CPU Time/ns 10000000 x1 []: app`_start@app;app`main@app;[unknown]?\n"
            "CPU Time/ns 20000000 x1 []: app`_start@app;vmlinux`vfs_read@vmlinux^\n");
}

TEST(TextSamples, Wcp) {
  EXPECT_EQ(describe_sample("wcp", "input.wcp"),
            "samples/samples 17194 x17194 []: main{src/main.cc:12};app::wait(int){src/loop.cc:343};"
            "poll{../sysdeps/unix/sysv/linux/poll.c:29}\n"
            "samples/samples 173 x173 []: main{src/main.cc:15};memcpy\n");
}

TEST(TextSamples, Xctrace) {
  EXPECT_EQ(describe_sample("xctrace", "input.xml"),
            "time-profile/ns 1000000 x1 [581/4778 Main Thread] 300613208: main@/opt/app+100003f55;"
            "work<int>(int)@/opt/app{/src/app.swift:39}+100003f01\n"
            "time-sample/ns 1000000 x1 [581/4778 Main Thread] 300613208: [unknown]?+1022c057c;[unknown]?+1022c0579\n"
            "time-profile/ns 1000000 x1 [581/4778 Main Thread] 301613208: main@/opt/app+100003f55;"
            "work<int>(int)@/opt/app{/src/app.swift:39}+100003f01\n"
            "time-profile/ns 2000000 x1 [581/4779 app] 302613208: main@/opt/app+100003f55;[unknown]?+19ffe6b30\n"
            "time-profile/ns 1000000 x1 [581/4779 app] 303613208: [unknown]?\n"
            "warning: skipped 1 of 6 rows that refer to missing or damaged elements (first: row 5)\n");
}

TEST(TextSamples, XdebugHuman) {
  EXPECT_EQ(describe_sample("xdebug", "human.xt"),
            "time/ns 100000 x1 [] 300000: {main}\n"
            "time/ns 200000 x1 [] 400000: {main}{/srv/x.php:4};A::s\n"
            "time/ns 100000 x1 [] 600000: {main}{/srv/x.php:4};A::s{/srv/x.php:3};A->go\n"
            "time/ns 300000 x1 [] 700000: {main}{/srv/x.php:4};include(/srv/y.php)\n");
}

TEST(TextSamples, Xdebug) {
  EXPECT_EQ(describe_sample("xdebug", "input.xt"),
            "time/ns 19000 x1 [] 243000: {main}\n"
            "time/ns 6000 x1 [] 262000: {main}{/srv/x.php:4};A::s\n"
            "time/ns 13000 x1 [] 268000: {main}{/srv/x.php:4};A::s{/srv/x.php:3};A->go\n"
            "time/ns 4000 x1 [] 281000: {main}{/srv/x.php:4};A::s{/srv/x.php:3};A->go{/srv/x.php:2};str_repeat\n"
            "time/ns 16000 x1 [] 285000: {main}{/srv/x.php:4};A::s{/srv/x.php:3};A->go\n"
            "time/ns 1000 x1 [] 301000: {main}{/srv/x.php:4};A::s\n"
            "time/ns 44000 x1 [] 302000: {main}\n"
            "time/ns 5000 x1 [] 346000: {main}{/srv/x.php:4};include(/srv/y.php)\n"
            "time/ns 1000 x1 [] 351000: {main}\n");
}

}  // namespace
}  // namespace wick
