// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/text/callgrind.h"

#include "import/common/import_testing.h"

namespace wick {
namespace {
using namespace testing_import;

// main calls a (60) and b (30); a calls c (40), b calls c (10). c costs 50.
const char kGraph[] = R"j(# callgrind format
version: 1
creator: by hand
pid: 31
cmd: ./dir/app -n
positions: line
events: Ir Dr

ob=(1) /bin/app
fl=(1) a.c
fn=(1) main
10 10 1
+1 0
cfn=(2) a
calls=1 20
* 60 3
cfi=(2) b.c
cfn=(3) b
calls=2 30
-1 30 2
fn=(2)
20 20
cob=(2) /lib/c.so
cfi=(3) c.c
cfn=(4) c
calls=5 0
21 40 3

fl=(2)
fn=(3)
30 15
fi=(4) b.h
5 5 1
fe=(2)
cob=(2)
cfi=(3)
cfn=(4)
calls=1 0
31 10 1

ob=(2)
fl=(3)
fn=(4)
1 45 4
2 5
totals: 100 6
)j";

TEST(Callgrind, SharesOfCallers) {
  EXPECT_EQ(detected(kGraph), "callgrind");
  Profile p = good(kCallgrindReader, kGraph);
  EXPECT_EQ(lines_of(p, "Ir"), (Lines{"main 10/10", "main;a 20/20", "main;a;c 40/40", "main;b 20/20", "main;b;c 10/10"}));
  EXPECT_EQ(lines_of(p, "Dr"), (Lines{"main 1/1", "main;a;c 3/3", "main;b 1/1", "main;b;c 1/1"}));
  EXPECT_EQ(p.text(p.processes()[0].name), "app");
  EXPECT_EQ(p.processes()[0].pid, 31u);
  int64_t in_header = 0, line_one = 0;
  for (const Sample& s : p.samples()) {
    const Frame& f = p[p[s.stack].frame];
    if (p.text(f.file) == "b.h" && f.line == 5 && s.event.value == 0) { in_header += s.weight; }
    if (p.text(f.file) == "c.c" && f.line == 1 && s.event.value == 0) { line_one += s.weight; }
  }
  EXPECT_EQ(in_header, 5);
  EXPECT_EQ(line_one, 45);
  EXPECT_EQ(p.text(p[p[find_frame(p, "c")->function].module].name), "c.so");
  EXPECT_EQ(warnings(p), "");
  expect_survives(kCallgrindReader, kGraph);
}

int64_t self_of(const Profile& p, std::string_view function) {
  int64_t sum = 0;
  for (const Sample& s : p.samples()) {
    if (p.text(p[p[p[s.stack].frame].function].name) == function) { sum += s.weight; }
  }
  return sum;
}

TEST(Callgrind, CyclesKeepSelfCosts) {
  // f and g call each other, nothing calls them; h is called by itself and by main.
  const char text[] = R"j(events: Ir
fn=f
1 100
cfn=g
calls=1 1
1 150
fn=g
1 70
cfn=f
calls=1 1
1 90
fn=main
1 5
cfn=h
calls=1 1
1 33
fn=h
1 33
cfn=h'2
calls=9 1
1 30
fn=h'2
1 0
)j";
  Profile p = good(kCallgrindReader, text);
  EXPECT_EQ(self_of(p, "f"), 100);
  EXPECT_EQ(self_of(p, "g"), 70);
  EXPECT_EQ(self_of(p, "h"), 33);
  EXPECT_EQ(self_of(p, "main"), 5);
}

// Two callers share a function's cost at many lines, a single sample each: neither gets all of them.
TEST(Callgrind, SingleSamplesAreShared) {
  std::string text =
      "creator: wick 0.1.0\nevents: cpu samples\nfn=heavy\ncfn=f\ncalls=1 1\n1 700000 700\nfn=light\ncfn=f\ncalls=1 1\n"
      "1 300000 300\nfn=f\n";
  for (int line = 1; line <= 1000; ++line) { text += strf("%d 1000 1\n", line); }
  Profile p = good(kCallgrindReader, text);
  std::map<std::string, int64_t> weights;
  std::map<std::string, uint64_t> counts;
  for (const Sample& s : p.samples()) {
    StackId root = s.stack;
    while (p[root].caller.valid()) { root = p[root].caller; }
    std::string name(p.text(p[p[p[root].frame].function].name));
    weights[name] += s.weight;
    counts[name] += s.count;
  }
  EXPECT_NEAR(static_cast<double>(weights["heavy"]), 700'000, 5'000);
  EXPECT_NEAR(static_cast<double>(weights["light"]), 300'000, 5'000);
  EXPECT_EQ(weights["heavy"] + weights["light"], 1'000'000);
  EXPECT_EQ(counts["heavy"] + counts["light"], 1000u);
}

TEST(Callgrind, WarnsIfCostsAreMissing) {
  const char text[] = "events: Ir\nsummary: 1000\nfn=main\n1 200\n";
  EXPECT_EQ(warnings(good(kCallgrindReader, text)),
            "the file is truncated or damaged: it has 20.0% of the 1000 Ir that its line \"summary:\" states");
  EXPECT_EQ(warnings(good(kCallgrindReader, "events: Ir\nsummary: 1000\nfn=main\n1 1000\n")), "");
}

// 40 levels of two functions that each call both of the next level: 2^40 paths.
TEST(Callgrind, LimitsManyPaths) {
  std::string text = "events: Ir\n";
  for (int level = 0; level < 40; ++level) {
    for (char side : {'a', 'b'}) {
      text += strf("fn=%c%d\n1 1000\n", side, level);
      for (char next : {'a', 'b'}) {
        if (level < 39) { text += strf("cfn=%c%d\ncalls=1 1\n1 %d\n", next, level + 1, (39 - level) * 1000); }
      }
    }
  }
  Profile p = good(kCallgrindReader, text);
  EXPECT_LT(p.samples().size(), 500'000u);
  for (int level = 0; level < 40; ++level) { EXPECT_EQ(self_of(p, strf("b%d", level)), 1000) << level; }
}

TEST(Callgrind, InstructionsJumpsPartsAndErrors) {
  const char text[] = R"j(version: 1
positions: instr line
events: Time_(10ns)
fn=(1) f
0x400 7 3
+4 * 2
jcnd=1/2 0x410 9
+4 +1
0x410 +1 1
zz nonsense
part: 2
events: Time_(10ns)
fn=(1)
0x400 7 4
0x400 7 4 5
calls=1 0x1
)j";
  Profile p = good(kCallgrindReader, text);
  EXPECT_EQ(lines_of(p), (Lines{"f 100/2"}));
  EXPECT_EQ(p.text(p.events()[0].unit), "ns");
  EXPECT_EQ(warnings(p), "skipped 3 lines; first: line 10: neither a cost nor a name");
  EXPECT_EQ(failure(kCallgrindReader, "fn=f\n1 2\n"), "as callgrind profile: line 2: expected a line \"events:\" before costs");
  EXPECT_EQ(failure(kCallgrindReader, "events: a\nevents: b\n"),
            "as callgrind profile: line 2: expected the same events as in the previous part");
  EXPECT_EQ(failure(kCallgrindReader, "fn=f\n"),
            "as callgrind profile: no line \"events:\" in 1 lines; expected it before \"fn=name\" and lines with costs");
}

// valgrind --collect-jumps=yes: a jump may define a name.
TEST(Callgrind, NamesInJumps) {
  const char text[] = R"j(# callgrind format
events: Ir
fl=(1) a.c
fn=(1) main
1 10
jfi=(2) b.c
jfn=(2) other
jump=1 5
1
fl=(2)
fn=(2)
7 90
)j";
  Profile p = good(kCallgrindReader, text);
  EXPECT_EQ(lines_of(p), (Lines{"main 10/10", "other 90/90"}));
  ASSERT_NE(find_frame(p, "other"), nullptr);
  EXPECT_EQ(p.text(find_frame(p, "other")->file), "b.c");
  EXPECT_EQ(warnings(p), "");
}

TEST(Callgrind, ThreadsAndSamplesWrittenByWick) {
  const char text[] = R"j(# callgrind format
creator: wick 0.1.0
event: cpu_clock : cpu-clock (ns)
events: cpu_clock samples
fn=[thread worker (12)]
cfn=main
calls=3 0
0 3000 3
fn=main
1 3000 3
)j";
  Profile p = good(kCallgrindReader, text);
  EXPECT_EQ(lines_of(p, "cpu-clock"), (Lines{"worker|main 3000/3"}));
  EXPECT_EQ(p.events().size(), 1u);
  EXPECT_EQ(p[p.samples()[0].thread].tid, 12u);
}

TEST(Callgrind, SamplesOfSeveralEvents) {
  const char text[] = R"j(# callgrind format
creator: wick 0.1.0
event: cpu_clock : cpu-clock (ns)
event: faults : faults (faults)
event: after : after (samples)
event: samples_cpu_clock : Samples of cpu_clock
event: samples_faults : Samples of faults
events: cpu_clock faults after samples_cpu_clock samples_faults
fn=f
1 3000 0 0 3 0
2 0 70 4 0 7
fn=g
1 0 0 0 0 2
)j";
  Profile p = good(kCallgrindReader, text);
  EXPECT_EQ(p.events().size(), 3u);
  EXPECT_EQ(lines_of(p, "cpu-clock"), (Lines{"f 3000/3"}));
  EXPECT_EQ(lines_of(p, "faults"), (Lines{"f 70/7", "g 0/2"}));
  EXPECT_EQ(lines_of(p, "after"), (Lines{"f 4/4"}));
}

// Three callers share seven samples of one function: the parts are whole samples and add up.
TEST(Callgrind, SamplesStayWhole) {
  std::string text = "creator: wick 0.1.0\nevent: c : cycles (cycles)\nevents: c samples\n";
  for (char caller : {'x', 'y', 'z'}) { text += strf("fn=%c\ncfn=f\ncalls=1 0\n0 %d 3\n", caller, caller == 'z' ? 200 : 250); }
  Profile p = good(kCallgrindReader, text + "fn=f\n1 700 7\n");
  int64_t weight = 0;
  uint64_t count = 0;
  for (const Sample& s : p.samples()) {
    weight += s.weight;
    count += s.count;
  }
  EXPECT_EQ(weight, 700);
  EXPECT_EQ(count, 7u);
}

}  // namespace
}  // namespace wick
