// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/text/stack_text.h"

#include <gtest/gtest.h>

#include "import/common/testing.h"
#include "import/text/text_formats_test.h"

namespace wick {
namespace {

TEST(ParseDecimal, PointsAndGroupsOfAllLocales) {
  struct Case {
    const char* text;
    uint64_t thousandths;
  };
  constexpr Case kGood[] = {{"1", 1000},
                            {"1.25", 1250},
                            {"0.0005", 1},
                            {"0.0004", 0},
                            {".5", 500},
                            {"1,5", 1500},
                            {"0,010", 10},
                            {"1,234", 1234000},
                            {"1,234.5", 1234500},
                            {"1.234,5", 1234500},
                            {"1,234,567", 1234567000},
                            {"1.234.567", 1234567000},
                            {" 7 ", 7000}};
  for (const Case& c : kGood) { EXPECT_EQ(parse_decimal(c.text, 1000), c.thousandths) << c.text; }
  for (const char* text : {"", ".", "-1", "1e5", "1.2.3,4,5", "x", "99999999999999999999", "0x10"}) {
    EXPECT_FALSE(parse_decimal(text, 1000)) << text;
  }
}

TEST(ParseQuantity, Units) {
  auto quantity = [](const char* text) {
    std::optional<Quantity> q = parse_quantity(text);
    return q ? strf("%llu %s/%llu", static_cast<unsigned long long>(q->value), std::string(q->unit).c_str(),
                    static_cast<unsigned long long>(q->divisor))
             : "none";
  };
  EXPECT_EQ(quantity("10ms"), "10000000 ns/1");
  EXPECT_EQ(quantity("1.50 s"), "1500000000 ns/1");
  EXPECT_EQ(quantity("2mins"), "120000000000 ns/1");
  EXPECT_EQ(quantity("3\xc2\xb5s"), "3000 ns/1");
  EXPECT_EQ(quantity("64kB"), "65536 bytes/1");
  EXPECT_EQ(quantity("1.50MB"), "1572864 bytes/1");
  EXPECT_EQ(quantity("12"), "12 samples/1");
  EXPECT_EQ(quantity("1.5 widgets"), "1500000 widgets/1000000");
  EXPECT_EQ(quantity("1.5 no unit"), "none");
  EXPECT_EQ(quantity("ms"), "none");
}

TEST(StackText, KeepsOffsetsIfRequested) {
  std::string text = "  unix`f+0x1\n  unix`g+0x2\n  unix`h\n  5\n";
  EXPECT_EQ(describe_import("dtrace", text), "samples/samples 5 x5 []: unix`h@unix^;unix`g@unix^;unix`f@unix^\n");
  EXPECT_EQ(describe_import("dtrace", text, {.include_offset = true}),
            "samples/samples 5 x5 []: unix`h@unix^;unix`g+0x2@unix^;unix`f@unix^\n");
  std::string stap = " 0x1 : f+0x1/0x9 [kernel]\n 0x2 : g+0x2/0x9 [kernel]\n 5\n";
  EXPECT_EQ(describe_import("stap", stap, {.include_offset = true}), "samples/samples 5 x5 []: g+0x2@kernel^+2;f@kernel^+1\n");
}

TEST(StackText, NamesWithoutModules) {
  EXPECT_EQ(describe_import("dtrace", "  unix`f+0x1\n  libc.so`g\n  5\n", {.without_modules = true}),
            "samples/samples 5 x5 []: g@libc.so;f@unix^\n");
  EXPECT_EQ(describe_import("vtune", "Function Stack,CPU Time:Self,Module\nmain,1,app\n", {.without_modules = true}),
            "CPU Time/ns 1000000000 x1 []: main@app\n");
}

TEST(StackText, DemanglesLinkageNames) {
  ImportOptions options;
  options.demangle = [](std::string_view raw) { return "<" + std::string(raw) + ">"; };
  Result<Profile> p = import_text("dtrace", "  app`_ZN1a1bEv+0x1\n  app`plain\n  app`__ZN1cEv\n  5\n", options);
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(describe(*p), "samples/samples 5 x5 []: app`<_ZN1cEv>@app;app`plain@app;app`<_ZN1a1bEv>@app\n");
  EXPECT_EQ(p->text(p->functions()[0].raw_name), "_ZN1a1bEv");
}

TEST(GhcProf, ChosenCostComesFirst) {
  std::string text =
      "COST CENTRE MODULE SRC no. entries %time %alloc %time %alloc ticks bytes\n"
      "MAIN MAIN <built-in> 1 0 50.0 40.0 50.0 40.0 5 1000\n";
  auto first = [&](const char* cost) {
    Result<Profile> p = import_text("ghcprof", text, {.ghc_cost = cost});
    return std::string(p->text(p->events()[0].name));
  };
  EXPECT_EQ(first(""), "time");
  EXPECT_EQ(first("time"), "time");
  EXPECT_EQ(first("bytes"), "bytes");
  EXPECT_EQ(first("ticks"), "ticks");
  std::string small =
      "total time = 1.00 secs (200 ticks @ 1 ms)\nCOST CENTRE MODULE no. entries %time %alloc %time %alloc\n"
      "MAIN MAIN 1 0 50.0 0.0 50.0 0.0\n";
  EXPECT_EQ(describe_import("ghcprof", small), "time/%/10 500 x100 []: MAIN.MAIN@MAIN\n");
  EXPECT_EQ(
      describe_import("ghcprof", small, {.ghc_cost = "bytes"}),
      "error: as a GHC profile: line 2: the profile has no bytes; expected columns ticks and bytes, which +RTS -P writes\n");
}

TEST(EuStack, RecursiveFunctionIsNotInlined) {
  EXPECT_EQ(describe_import("elfutils", "TID 1:\n#0  0x10 f\n#1  0x20 f\n#2  0x20 f\n#3  0x20 g\n"),
            "samples/samples 1 x1 [0/1 tid 1]: g+20;f+20~;f+20;f+10\n");
}

TEST(VisualStudio, InclusiveSamplesAlone) {
  EXPECT_EQ(describe_import("vsprof", "Level;Function Name;Inclusive Samples\n0;main;1.000\n1;f;600\n1;g;300\n"),
            "samples/samples 600 x600 []: main;f\n"
            "samples/samples 300 x300 []: main;g\n"
            "samples/samples 100 x100 []: main\n");
}

TEST(Vtune, SeveralCosts) {
  EXPECT_EQ(describe_import("vtune",
                            "vtune: Using result path\n\nFunction Stack\tAllocations:Self\tAllocation Size:Self\tModule\n"
                            "Total\t0\t0\t\n f\t3\t4,096\tapp\n"),
            "Allocations/count 3 x3 []: app`f@app\n"
            "Allocation Size/bytes 4096 x1 []: app`f@app\n");
}

TEST(Bpftrace, KeysWithoutStacksAndHistograms) {
  // In user space there is no kernel stack.
  EXPECT_EQ(describe_import("bpftrace", "@[, bash]: 70\n@[\n    do_idle+5\n    start+1\n, swapper/0]: 30\n@[\n, sh]: 2\n"),
            "samples/samples 70 x70 [bash]: [unknown]?\n"
            "samples/samples 30 x30 [swapper/0]: start;do_idle\n"
            "samples/samples 2 x2 [sh]: [unknown]?\n");
  EXPECT_EQ(describe_import("bpftrace", "@[bash]: 3\n@h[\n    f+1\n]: \n[0, 1)   5 |@@@|\n@s[7, sh, \n    g+1\n]: 2\n@n: 5\n"),
            "@s/samples 2 x2 [7, sh]: g\n"
            "warning: skipped 1 map entry without a stack in the key\n"
            "warning: skipped 1 unreadable line (first: line 4)\n");
}

// Contradictory rows are reported.
TEST(Pmcstat, CallersThatCostMoreThanTheirCallee) {
  EXPECT_EQ(describe_import("pmc", "50.0%  [2]  f @ /a\n 100.0%  [3]   g\n50.0%  [2]  h\n"),
            "samples/samples 3 x3 []: g@/a;f@/a\n"
            "samples/samples 2 x2 []: h\n"
            "warning: skipped 1 unreadable line (first: line 1)\n");
}

TEST(PprofRaw, MissingLocations) {
  EXPECT_EQ(describe_import("go", "Samples:\nsamples/count\n 1: 7\n 2: 1\nLocations\n 1: 0x1 f a.go:1 s=0\n"),
            "samples/samples 2 x2 []: f{a.go:1}+1\n"
            "warning: skipped 1 unreadable line (first: line 3)\n");
}

// As in the binary file: the default type first, then all others; objects are an event, and the number of samples of the space.
TEST(PprofRaw, EventsAsInTheBinaryFile) {
  EXPECT_EQ(describe_import("go",
                            "Samples:\nalloc_objects/count alloc_space/bytes[dflt] inuse_objects/count inuse_space/bytes\n"
                            " 10 1000 0 0: 1\n 2 20 1 10: 1\nLocations\n 1: 0x1 f a.go:1 s=0\n"),
            "alloc_objects/count 10 x10 []: f{a.go:1}+1\n"
            "alloc_space/bytes 1000 x10 []: f{a.go:1}+1\n"
            "alloc_objects/count 2 x2 []: f{a.go:1}+1\n"
            "alloc_space/bytes 20 x2 []: f{a.go:1}+1\n"
            "inuse_objects/count 1 x1 []: f{a.go:1}+1\n"
            "inuse_space/bytes 10 x1 []: f{a.go:1}+1\n");
  Result<Profile> p = import_text("go", "Samples:\na/count b/bytes[dflt] c/bytes\n 1 2 3: 1\nLocations\n 1: 0x1 f a.go:1 s=0\n");
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(p->text(p->events()[0].name), "b");
}

// A location of many functions in a sample of many locations, from few bytes.
TEST(PprofRaw, LimitsFramesByTheInput) {
  std::string text = "Samples:\nsamples/count\n 1:";
  for (int i = 0; i < 20000; ++i) { text += " 1"; }
  text += "\n 1: 2\nLocations\n 1: 0x1 f a.go:1 s=0\n";
  for (int i = 0; i < 20000; ++i) { text += "  g\n"; }
  text += " 2: 0x2 h b.go:1 s=0\n";
  Result<Profile> p = import_text("go", text);
  ASSERT_TRUE(p.ok());
  EXPECT_LT(p->stacks().size(), 100u);
  EXPECT_EQ(p->warnings().size(), 1u);
}

TEST(JavaText, CollapserOptions) {
  std::string dump =
      "\"pool-7\" #12 prio=5 tid=0x1 nid=0x2 runnable\n   java.lang.Thread.State: RUNNABLE\n"
      "\tat a.b.C.run(C.java:1)\n\tat Main.main(M.java:2)\n\n";
  ImportOptions options;
  EXPECT_EQ(describe_import("jstack", dump, options),
            "RUNNABLE/samples 1 x1 [0/2 pool-7]: Main.main{M.java:2};a.b.C.run{C.java:1}\n");
  options.java_ids = false;
  options.without_packages = true;
  EXPECT_EQ(describe_import("jstack", dump, options), "RUNNABLE/samples 1 x1 [pool]: Main.main{M.java:2};C.run{C.java:1}\n");
  options = {.java_thread_names = false, .shorten_packages = true};
  EXPECT_EQ(describe_import("jstack", dump, options), "RUNNABLE/samples 1 x1 []: Main.main{M.java:2};a.b.C.run{C.java:1}\n");
  std::string core =
      "3XMTHREADINFO      \"main\" J9VMThread:0x1, java/lang/Thread:0x2, state:R, prio=5\n"
      "3XMTHREADINFO1            (native thread ID:0x3158, native priority:0x5)\n"
      "4XESTACKTRACE                at java/net/Socket$In.read(Socket.java:127(Compiled Code))\n";
  options = {.java_ids = true, .shorten_packages = true};
  EXPECT_EQ(describe_import("ibmjava", core, options),
            "RUNNABLE/samples 1 x1 [main-0x3158]: j/n/Socket$In.read{Socket.java:127}\n");
  std::string exception = "java.lang.Error\n\tat com.example.deep.Type.call(Type.java:3)\n";
  EXPECT_EQ(describe_import("java-exceptions", exception, {.shorten_packages = true}),
            "exceptions/exceptions 1 x1 []: c.e.d.Type.call{Type.java:3}\n");
}

TEST(Vtune, AllocationsOrTheirSize) {
  std::string text = "Function Stack,Allocation Size:Self,Deallocation Size:Self,Allocations:Self,Module\nmain,64,,3,app\n";
  Result<Profile> often = import_text("vtune", text), much = import_text("vtune", text, {.vtune_size = true});
  ASSERT_TRUE(often.ok() && much.ok());
  EXPECT_EQ(often->text(often->events()[0].name), "Allocations");
  EXPECT_EQ(much->text(much->events()[0].name), "Allocation Size");
}

TEST(Xdebug, CallsInsteadOfTime) {
  std::string text =
      "TRACE START [2007-05-06 18:29:01]\n1\t0\t0\t0.01\t1\t{main}\t1\t\tt.php\t0\n"
      "2\t1\t0\t0.02\t1\tf\t0\t\tt.php\t8\n2\t1\t1\t0.03\t1\n"
      "2\t2\t0\t0.04\t1\tg\t1\t\tt.php\t9\n3\t3\t0\t0.05\t1\tf\t0\t\tt.php\t5\n3\t3\t1\t0.06\t1\n"
      "3\t4\t0\t0.07\t1\tf\t0\t\tt.php\t5\n3\t4\t1\t0.08\t1\n2\t2\t1\t0.09\t1\n1\t0\t1\t0.1\t1\nTRACE END\n";
  Result<Profile> p = import_text("xdebug", text, {.xdebug_calls = true});
  ASSERT_TRUE(p.ok());
  std::map<std::string, int64_t> expected = {{"{main};f", 1}, {"{main};g;f", 2}};
  EXPECT_EQ(testing_import::stacks_of(*p), expected);
  EXPECT_EQ(p->text(p->events()[0].name), "calls");
}

TEST(Xctrace, DeeplyNestedElements) {
  std::string text = "<trace-query-result>";
  for (int i = 0; i < 100000; ++i) { text += "<a>"; }
  EXPECT_EQ(describe_import("xctrace", text),
            "error: as xctrace XML: byte 317: elements are nested more than 100 deep; expected rows of a table\n");
}

TEST(PerfSched, OnlyOtherEvents) {
  EXPECT_EQ(describe_import("perf-sched", "app 1/1 [000] 1.5: 1000 cycles: \n\t12 f (/a)\n\n"),
            "error: as perf script text of scheduler events: no sched:sched_switch events in 3 lines; expected the output of "
            "perf script\n");
}

}  // namespace
}  // namespace wick
