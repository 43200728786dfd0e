// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/perf/perf_script.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "base/text.h"
#include "import/common/testing.h"
#include "import/import.h"
#include "import/perf/perf_script_line.h"
#include "model/kernel_module.h"

namespace wick {
namespace {

using testing_import::PiecesOf;
using testing_import::stacks_of;

Result<Profile> read_text(std::string_view text, ImportOptions options = {}, size_t chunk = kPerfScriptChunk) {
  Input input(make_memory_pieces(as_bytes(text)));
  return read_perf_script(input, options, chunk);
}
Result<Profile> read_pieces(std::string_view text, size_t piece, ImportOptions options = {}, size_t chunk = kPerfScriptChunk) {
  Input input(std::make_unique<PiecesOf>(as_bytes(text), piece));
  return read_perf_script(input, options, chunk);
}

// The whole profile as text.
std::string dump(const Profile& p) {
  std::string out = strf("%s times %d\n", p.imported_from().c_str(), p.has_times());
  for (const Event& e : p.events()) {
    out += strf("event %s %s\n", std::string(p.text(e.name)).c_str(), std::string(p.text(e.unit)).c_str());
  }
  for (const Process& r : p.processes()) { out += strf("process %u %s\n", r.pid, std::string(p.text(r.name)).c_str()); }
  for (const Thread& t : p.threads()) {
    out += strf("thread %u %u %s\n", t.process.value, t.tid, std::string(p.text(t.name)).c_str());
  }
  for (const Function& f : p.functions()) {
    out += strf("function %s raw %s module %s kernel %d known %d\n", std::string(p.text(f.name)).c_str(),
                std::string(p.text(f.raw_name)).c_str(), f.module.valid() ? std::string(p.text(p[f.module].path)).c_str() : "-",
                f.module.valid() && p[f.module].kernel, f.known);
  }
  for (const Frame& f : p.frames()) {
    out += strf("frame %u %llx %s:%u inlined %d\n", f.function.value, static_cast<unsigned long long>(f.address),
                std::string(p.text(f.file)).c_str(), f.line, f.inlined);
  }
  for (const Stack& s : p.stacks()) { out += strf("stack %u %d\n", s.frame.value, static_cast<int>(s.caller.value)); }
  for (const Sample& s : p.samples()) {
    out += strf("sample %llu %u %u %u %u %lld %llu\n", static_cast<unsigned long long>(s.time_ns), s.thread.value, s.stack.value,
                s.event.value, s.cpu, static_cast<long long>(s.weight), static_cast<unsigned long long>(s.count));
  }
  for (const Loss& l : p.losses()) {
    out += strf("loss %s %llu\n", std::string(p.text(l.kind)).c_str(), static_cast<unsigned long long>(l.count));
  }
  for (const std::string& w : p.warnings()) { out += w + "\n"; }
  return out;
}

constexpr std::string_view kText =
    "# ========\n# cmdline : perf record -g -- ./app\n# ========\n#\n"
    "my app  4710/4711 [003] 37674.655670:     333444 cycles:u: \n"
    "\tffffffff8219e31d mab_mas_cp+0x7d ([kernel.kallsyms])\n"
    "\t           20ca3 operator()(int) const+0x13 (/opt/my app/bin/app)\n"
    "\t    7fb98c0f08a8 [unknown] (/usr/lib/libc.so.6)\n"
    "\t    7fb98c0f08a9 [unknown] ([unknown])\n"
    "\n"
    "my app  4710/4712 [000] 37674.655671:          2 page-faults: \n"
    "\t            eac5 resolve_map+0xea5 (inlined)\n"
    "\t            eac5 relocate+0xea5 (/usr/lib/ld.so)\n"
    "\t            1111 main+0x1 (/opt/my app/bin/app)\n"
    "\n"
    "my app  4710/4711 [003] 37674.655670:     333444 cycles:u: \n"
    "\t            2222 leaf+0x7d ([nf_conntrack])\n"
    "\t           20ca3 operator()(int) const+0x13 (/opt/my app/bin/app)\n";

TEST(PerfScript, ReadsWhatPerfPrints) {
  Result<Profile> p = read_text(kText);
  ASSERT_TRUE(p.ok()) << p.error().message();
  EXPECT_EQ(p->imported_from(), "perf script text");
  EXPECT_TRUE(p->has_times());
  EXPECT_TRUE(p->warnings().empty());
  ASSERT_EQ(p->events().size(), 2u);
  EXPECT_EQ(p->text(p->events()[0].name), "cycles:u");
  EXPECT_EQ(p->text(p->events()[0].unit), "events");
  ASSERT_EQ(p->samples().size(), 3u);
  EXPECT_EQ(p->samples()[0].time_ns, 37674655670000u);
  EXPECT_EQ(p->samples()[0].cpu, 3u);
  EXPECT_EQ(p->samples()[0].weight, 333444);
  const Thread& t = (*p)[p->samples()[2].thread];
  EXPECT_EQ(p->text(t.name), "my app");
  EXPECT_EQ(t.tid, 4712u);
  EXPECT_EQ((*p)[t.process].pid, 4710u);
  EXPECT_EQ(stacks_of(*p), (std::map<std::string, int64_t>{
                               {"[unknown];[libc.so.6];operator()(int) const;mab_mas_cp", 333444},
                               {"main;relocate;resolve_map", 2},
                               {"operator()(int) const;leaf", 333444},
                           }));
  std::map<std::string, const Function*> functions;
  for (const Function& f : p->functions()) { functions[std::string(p->text(f.name))] = &f; }
  auto module = [&](const char* name) -> const Module& { return (*p)[functions.at(name)->module]; };
  EXPECT_TRUE(module("mab_mas_cp").kernel);
  EXPECT_TRUE(module("leaf").kernel);
  EXPECT_FALSE(module("operator()(int) const").kernel);
  EXPECT_EQ(p->text(module("operator()(int) const").path), "/opt/my app/bin/app");
  EXPECT_EQ(p->text(module("resolve_map").path), "/usr/lib/ld.so");
  EXPECT_FALSE(functions.at("[libc.so.6]")->known);
  EXPECT_FALSE(functions.at("[unknown]")->known);
  auto is_inlined = [&](const Frame& f) { return p->text((*p)[f.function].name) == "resolve_map" && f.inlined; };
  EXPECT_TRUE(std::any_of(p->frames().begin(), p->frames().end(), is_inlined));
}

TEST(PerfScript, SingleLines) {
  Result<Profile> p = read_text(
      "          s prog  8828 37683.504406:    1001001 cpu-clock:pppH:      7fdc4a5260c0 do_lookup_x+0x360 (/usr/lib/ld.so)\n"
      "  dl-lookup.c:413\n"
      "          s prog  8830 37683.511843:    1001001 cpu-clock:pppH:  ffffffff821a4cb4 mas_find+0x34 ([kernel.kallsyms])\n"
      "  [kernel.kallsyms][ffffffff821a4cb4]\n"
      "          s prog  8830 37683.511844: cpu-clock:  7fdc4a5260ff  7fdc4a5260c1 with_addr (/usr/lib/ld.so)\n");
  ASSERT_TRUE(p.ok()) << p.error().message();
  EXPECT_TRUE(p->warnings().empty()) << p->warnings()[0];
  EXPECT_EQ(p->samples().size(), 3u);
  EXPECT_EQ(p->text(p->events()[0].unit), "ns");
  EXPECT_EQ(p->text(p->frames()[0].file), "dl-lookup.c");
  EXPECT_EQ(p->frames()[0].line, 413u);
  EXPECT_EQ(p->text((*p)[p->frames()[2].function].name), "with_addr");
}

TEST(PerfScript, SourceLinesAndIgnoredLines) {
  Result<Profile> p = read_text(
      "app 1/2 1.000001: 5 cycles: \n"
      "\t  401000 f+0x1 (/app)\n  f.c:10\n"
      "\t  401000 g+0x1 (/app)\n  beef.c:11 (discriminator 2)\n"
      "\t  401000 h+0x1 (/app)\n  app[1000]\n"
      " 0x401000/0x402000/P/-/-/1  0x401000/0x402000/P/-/-/1\n"
      " ABI:2    AX:0x5\n\n");
  ASSERT_TRUE(p.ok());
  EXPECT_TRUE(p->warnings().empty());
  EXPECT_EQ(stacks_of(*p), (std::map<std::string, int64_t>{{"h;g;f", 5}}));
  std::map<std::string, uint32_t> lines;
  for (const Frame& f : p->frames()) { lines[std::string(p->text((*p)[f.function].name))] = f.line; }
  EXPECT_EQ(lines, (std::map<std::string, uint32_t>{{"f", 10}, {"g", 11}, {"h", 0}}));
}

TEST(PerfScript, MissingFields) {
  struct Case {
    const char* text;
    const char* comm;
    uint32_t pid, tid;
    bool has_time;
    int64_t weight;
    const char* event;
  } cases[] = {
      {"s prog \n\t 1000 f (/app)\n\n", "s prog", 0, 0, false, 1, "samples"},
      {"\n\t 1000 f\n\n", "", 0, 0, false, 1, "samples"},
      {"app 7 cycles: \n\t 1000 f (/app)\n\n", "app", 0, 7, false, 1, "cycles"},
      {"app 7 [001] 55 cycles: \n\t 1000 f (/app)\n\n", "app", 0, 7, false, 55, "cycles"},
      {"app 6/7 2.000000001: cycles:ppp: \n\t 1000 f\n\n", "app", 6, 7, true, 1, "cycles"},
      {"app 6/7 2.000001: \n\t 1000 f\n\n", "app", 6, 7, true, 1, "samples"},
      {"Thread 5  7 [001] 2.000001: 9 cycles: \n\t 1000 f\n\n", "Thread 5", 0, 7, true, 9, "cycles"},
      {"app 7 K     2.000001: 9 cycles: \n\t 1000 f\n\n", "app", 0, 7, true, 9, "cycles"},
      {"kworker/0:1-ev 7 2.000001: 9 cycles:\r\n\t 1000 f (/app)\r\n\r\n", "kworker/0:1-ev", 0, 7, true, 9, "cycles"},
      {"app 7 [000] 2.000001: sched:sched_switch: prev_comm=a prev_pid=1\n\t 1000 f (/app)\n", "app", 0, 7, true, 1,
       "sched:sched_switch"},
      {"app -1/7 2.000001: 9 cycles: 7f00aa00 \n\t 1000 f (/app)\n", "app", 0, 7, true, 9, "cycles"},
      {":7 7 2.000001: 9 cpu/event=0x3c,umask=0x0/u: \n\t 1000 f (/app)\n", ":7", 0, 7, true, 9, "cpu/event=0x3c,umask=0x0/u"},
  };
  for (const Case& c : cases) {
    Result<Profile> p = read_text(c.text);
    ASSERT_TRUE(p.ok()) << c.text << p.error().message();
    EXPECT_TRUE(p->warnings().empty()) << c.text;
    ASSERT_EQ(p->samples().size(), 1u) << c.text;
    const Sample& s = p->samples()[0];
    const Thread& t = (*p)[s.thread];
    EXPECT_EQ(p->text(t.name), c.comm) << c.text;
    EXPECT_EQ(t.tid, c.tid) << c.text;
    EXPECT_EQ((*p)[t.process].pid, c.pid) << c.text;
    EXPECT_EQ(p->has_times(), c.has_time) << c.text;
    EXPECT_EQ(s.weight, c.weight) << c.text;
    EXPECT_EQ(p->text((*p)[s.event].name), c.event) << c.text;
    EXPECT_EQ(p->text((*p)[(*p)[(*p)[s.stack].frame].function].name), "f") << c.text;
  }
}

TEST(PerfScript, OtherRecordsAndLosses) {
  Result<Profile> p = read_text(
      "swapper     0     0.000000: PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x11e0ca0) @ 0]: x [kernel.kallsyms]_text\n"
      "app  7 1.000001: PERF_RECORD_LOST lost 12\n"
      "app  7 1.000002: 3 cycles: \n\t 1000 f (/app)\n\n"
      "app  7 1.000003: 3 cycles: \n"
      "app  7 1.000004: 18446744073709551615 cycles: \n\t 1000 f (/app)\n\n"
      "what is this\n");
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(stacks_of(*p), (std::map<std::string, int64_t>{{"f", 3}, {"[unknown]", 3}}));
  ASSERT_EQ(p->losses().size(), 1u);
  EXPECT_EQ(p->losses()[0].count, 12u);
  EXPECT_EQ(p->warnings(), (std::vector<std::string>{"skipped 1 line that is not perf script output (first: line 10)",
                                                     "skipped 1 sample with a period of more than 2^63"}));
}

// perf knows neither for a task that has ended.
TEST(PerfScript, ThreadsWithoutIds) {
  Result<Profile> p = read_text(
      "app 7 [000] 1.000001: sched:sched_switch: prev_pid=7\n\t 1 f (/app)\n\n"
      ":-1    -1 [003] 2.000002: sched:sched_switch: prev_comm=app prev_pid=12 prev_state=X ==> next_comm=app\n\t 2 g (/app)\n\n"
      ":-1 -1/-1 [003] 3.000003: sched:sched_switch: prev_comm=app\n\t 2 g (/app)\n\n");
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(p->warnings(), std::vector<std::string>{});
  EXPECT_EQ(stacks_of(*p), (std::map<std::string, int64_t>{{"f", 1}, {"g", 2}}));
  ASSERT_EQ(p->samples().size(), 3u);
  EXPECT_EQ(p->samples()[1].cpu, 3u);
  EXPECT_EQ(p->samples()[1].time_ns, 2'000'002'000u);
  EXPECT_EQ(p->text((*p)[p->samples()[1].thread].name), ":-1");
  EXPECT_EQ((*p)[p->samples()[1].thread].tid, 0u);
  EXPECT_EQ(p->samples()[1].thread, p->samples()[2].thread);
  EXPECT_EQ(p->text((*p)[p->samples()[1].event].name), "sched:sched_switch");
}

TEST(PerfScript, OtherTextIsAnError) {
  Result<Profile> p = read_text("one\n\ntwo\n");
  ASSERT_FALSE(p.ok());
  EXPECT_TRUE(p.error().message().starts_with("line 1 does not begin a sample")) << p.error().message();
}

TEST(PerfScript, DemanglesNames) {
  ImportOptions options{.demangle = [](std::string_view raw) { return raw == "_Zx" ? std::string("x()") : std::string(raw); }};
  Result<Profile> p = read_text(
      "app 7 1.000001: 1 cycles: \n\t 1 _Zx (/app)\n\t 2 a::b::h0123456789abcdef (/app)\n\t 3 _Zx (/tmp/perf-7.map)\n", options);
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(stacks_of(*p), (std::map<std::string, int64_t>{{"_Zx;a::b;x()", 1}}));
}

TEST(PerfScript, Detected) {
  auto detects = [](std::string_view text) { return is_perf_script(head_of(as_bytes(text))); };
  EXPECT_TRUE(detects(kText));
  EXPECT_TRUE(detects("s prog \n\tffffffff8219e31d f ([kernel.kallsyms])\n\n"));
  EXPECT_TRUE(detects("\n\tffffffff8219e31d f\n\tffffffff8219e31d g\n\n"));
  EXPECT_TRUE(detects("app  7 1.000002: 3 cycles: \n"));
  EXPECT_FALSE(detects("main;a;b 12\nmain;c 13\n"));
  EXPECT_FALSE(detects("hello world\n"));
  EXPECT_FALSE(detects(""));
  EXPECT_FALSE(detects("{\"a\": 1.000001}\n"));
  EXPECT_FALSE(detects("\n  libc.so.1`read+0x7\n  app`main+0x12\n  12\n\n"));
}

// Random text of all forms, including invalid ones.
std::string make_text(uint32_t seed) {
  std::mt19937 random(seed);
  auto pick = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  std::string text;
  uint32_t samples = pick(40);
  for (uint32_t i = 0; i < samples; ++i) {
    uint32_t shape = pick(10);
    std::string header = strf("app %u  %u/%u [00%u] %u.00000%u: %10u %s: ", pick(2), 10 + pick(2), 10 + pick(4), pick(4), pick(9),
                              pick(9), pick(1000), pick(2) ? "cycles" : "page-faults:u");
    if (shape == 0) { text += header + strf("  40%u sym%u+0x1 (/app)\n", pick(5), pick(5)) + (pick(2) ? "  x.c:12\n" : ""); }
    if (shape == 1) { text += "garbage line\n"; }
    if (shape == 2) { text += "# comment\n"; }
    if (shape == 3) { text += "app \n"; }
    if (shape > 3) { text += header + "\n"; }
    uint32_t frames = shape > 2 ? pick(6) : 0;
    for (uint32_t f = 0; f < frames; ++f) {
      const char* module = (const char*[]){"/app", "[kernel.kallsyms]", "inlined", "[unknown]"}[pick(4)];
      text += strf("\t%16x sym%u+0x%u (%s)%s\n", 0x1000 + pick(4), pick(6), pick(3), module, pick(20) ? "" : "\r");
      if (pick(5) == 0) { text += strf("  file.c:%u\n", 1 + pick(9)); }
      if (pick(12) == 0) { text += " 0x1/0x2/P/-/-/1\n"; }
    }
    if (pick(6) != 0) { text += pick(9) ? "\n" : " \r\n"; }
  }
  return text;
}

TEST(PerfScript, IndependentOfThreadsAndPieces) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    std::string text = make_text(seed);
    for (bool merge : {false, true}) {
      ImportOptions one{.merge = merge, .threads = 1, .rules = seed % 2 != 0 ? Rules::kInferno : Rules::kOwn};
      Result<Profile> expected = read_text(text, one);
      std::string want = expected.ok() ? dump(*expected) : expected.error().message();
      auto check = [&](const Result<Profile>& got, const char* how, size_t a, size_t b) {
        EXPECT_TRUE((got.ok() ? dump(*got) : got.error().message()) == want) << seed << " " << how << " " << a << " " << b;
      };
      for (size_t chunk : {1u, 60u, 333u}) {
        ImportOptions many{.merge = merge, .threads = static_cast<unsigned>(1 + seed % 4), .rules = one.rules};
        check(read_text(text, many, chunk), "memory", chunk, many.threads);
        for (size_t piece : {1u, 17u, 200u}) { check(read_pieces(text, piece, many, chunk), "pieces", chunk, piece); }
      }
    }
  }
}

// As old perf prints, and after tools that trim lines.
TEST(PerfScript, WithoutIndentation) {
  std::string flat;
  for (std::string_view line : split(kText, '\n')) { flat += std::string(trim(line)) + "\n"; }
  ASSERT_NE(flat, kText);
  EXPECT_TRUE(is_perf_script(head_of(as_bytes(flat))));
  EXPECT_EQ(dump(*read_text(flat)), dump(*read_text(kText)));
  EXPECT_EQ(dump(*read_text("4010 inner (/bin/app)\n4020 main (/bin/app)\n\n")),
            dump(*read_text("\t4010 inner (/bin/app)\n\t4020 main (/bin/app)\n\n")));
  // A program with a hexadecimal number as its name is not a frame, nor is a sentence.
  EXPECT_FALSE(is_perf_script(head_of(as_bytes(std::string_view("2 of them (both) were there (see below)\n4 more (yes)\n")))));
  Result<Profile> p = read_text("cafe4 12 3.5: 7 cycles:\n4020 main (/bin/app)\n\n");
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(p->samples().size(), 1u);
  EXPECT_EQ(p->text(p->threads()[0].name), "cafe4");
}

// Lines whose meaning within a sample and at a split could differ.
TEST(PerfScript, IndependentOfSplits) {
  const std::vector<std::string> lines = {"app 12 3.5: 7 cycles:",
                                          "\tapp 12 3.5: 7 cycles:",
                                          "  cafe 12 3.5: 7 cycles:",
                                          "app 12 3.5: 7 cycles: 4010 main (/bin/app)",
                                          "app 12 3.5: PERF_RECORD_LOST lost 3",
                                          "app 12",
                                          "\t    4010 main+0x4 (/bin/app)",
                                          "\t    4020 [unknown] (inlined)",
                                          "    4010 main (/bin/app)",
                                          "  app.c:3",
                                          "  \r",
                                          "\t  ",
                                          "\t \r",
                                          "   ",
                                          "",
                                          "",
                                          "# 12 3.5: x:",
                                          "something else",
                                          "4010 main (/bin/app)",
                                          "app.c:3",
                                          "\tsomething else"};
  std::mt19937 random(11);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (size_t n = 1 + random() % 9; n > 0; --n) { text += lines[random() % lines.size()] + "\n"; }
    Result<Profile> expected = read_text(text, {.threads = 1});
    std::string want = expected.ok() ? dump(*expected) : expected.error().message();
    for (size_t chunk : {1u, 13u, 40u}) {
      Result<Profile> cut = read_text(text, {.threads = 2}, chunk), pieces = read_pieces(text, 13, {.threads = 2}, chunk);
      ASSERT_EQ(cut.ok() ? dump(*cut) : cut.error().message(), want) << chunk << ":\n" << text;
      ASSERT_EQ(pieces.ok() ? dump(*pieces) : pieces.error().message(), want) << "pieces, " << chunk << ":\n" << text;
    }
  }
}

TEST(PerfScript, MergingKeepsSums) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    std::string text = make_text(seed);
    Result<Profile> apart = read_text(text), merged = read_text(text, {.merge = true});
    ASSERT_EQ(apart.ok(), merged.ok());
    if (!apart.ok()) { continue; }
    EXPECT_EQ(stacks_of(*apart), stacks_of(*merged));
    EXPECT_LE(merged->samples().size(), apart->samples().size());
    EXPECT_FALSE(merged->has_times());
  }
}

TEST(PerfScript, FunctionsOnly) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    std::string text = make_text(seed);
    Result<Profile> all = read_text(text), functions = read_text(text, {.merge = true, .functions_only = true});
    ASSERT_EQ(all.ok(), functions.ok());
    if (!all.ok()) { continue; }
    EXPECT_EQ(stacks_of(*all), stacks_of(*functions));
    for (const Frame& f : functions->frames()) { EXPECT_TRUE(f.address == 0 && !f.file.valid()); }
    EXPECT_LE(functions->frames().size(), all->frames().size());
  }
}

TEST(PerfScript, SurvivesTruncationAndBitFlips) {
  for (size_t n = 0; n <= kText.size(); ++n) {
    std::string exact(kText.substr(0, n));  // a separate buffer, so that sanitizers detect reads past its end
    (void)read_text(exact);
    (void)is_perf_script(head_of(as_bytes(exact)));
  }
  std::mt19937 random(5);
  for (int i = 0; i < 1000; ++i) {
    std::string text(kText);
    for (uint32_t flips = 1 + random() % 6; flips > 0; --flips) { text[random() % text.size()] = static_cast<char>(random()); }
    Result<Profile> p = read_text(text, {.merge = i % 2 == 0}, 1 + random() % 300);
    if (!p.ok()) { EXPECT_FALSE(p.error().message().empty()); }
  }
}

TEST(PerfScript, OneLineOfManyMegabytes) {
  std::string text = "app 7 1.000001: 1 cycles: \n\t 1000 ";
  text.append(size_t{20} << 20, 'x');
  text += " (/app)\n\t 2000 main (/app)\n\n";
  Result<Profile> p = read_pieces(text, 1 << 20);
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(stacks_of(*p), (std::map<std::string, int64_t>{{"main", 1}}));
  EXPECT_EQ(p->warnings().size(), 1u);
}

// Without newlines or samples: time must not be quadratic.
TEST(PerfScript, NowhereToSplit) {
  std::string line(size_t{8} << 20, 'x'), lines;
  while (lines.size() < size_t{8} << 20) { lines += "nothing that perf prints\n"; }
  for (const std::string& text : {line, lines}) {
    EXPECT_FALSE(read_text(text, {.threads = 2}, 1 << 12).ok());
    EXPECT_FALSE(read_pieces(text, 1 << 14, {.threads = 2}, 1 << 12).ok());
  }
}

TEST(PerfScript, KernelModules) {
  for (const char* kernel :
       {"[kernel.kallsyms]", "[kernel.kallsyms].init.text", "[guest.kernel.kallsyms]", "[nf_conntrack]", "/boot/vmlinux-6.1.0",
        "/lib/modules/6.1/kernel/fs/ext4.ko.xz", "vmlinux", "bpf_prog_6deef7357e7b4530_x"}) {
    EXPECT_TRUE(is_kernel_module(kernel)) << kernel;
  }
  for (const char* user : {"[unknown]", "[vdso]", "[vsyscall]", "[heap]", "/usr/bin/app", "", "//anon", "/opt/x.ko.d/app"}) {
    EXPECT_FALSE(is_kernel_module(user)) << user;
  }
}

TEST(PerfScript, FramesWithBrackets) {
  struct Case {
    const char *line, *function, *module;
    bool inlined;
  } cases[] = {
      {"\t 1 operator()+0x1 (/opt/app (1)/x)", "operator()", "/opt/app (1)/x", false},
      {"\t 1 f(int) (/memfd:code (deleted))", "f(int)", "/memfd:code (deleted)", false},
      {"\t 1 f (inlined)", "f", "", true},
      {"\t 1  (/lib/libc.so)", "", "/lib/libc.so", false},
      {"\t 1 (anonymous namespace)::f<long>+0x43 (/tmp/s prog)", "(anonymous namespace)::f<long>", "/tmp/s prog", false},
      {"\t 1 f+0x10", "f", "", false},
      {"\t 1 a+0xzz (x)", "a+0xzz", "x", false},
      {"\t 1 f+0x12 (/lib/libc.so+0x1234)", "f", "/lib/libc.so", false},
      {"\t 1", "", "", false},
      {"\t 1 foo()", "foo()", "", false},
      {"ffffffffffffffff std::function<int (int, int)>::f (/app)", "std::function<int (int, int)>::f", "/app", false},
  };
  for (const Case& c : cases) {
    std::optional<PerfScriptFrame> frame = parse_perf_script_frame(c.line);
    ASSERT_TRUE(frame) << c.line;
    EXPECT_EQ(frame->function, c.function) << c.line;
    EXPECT_EQ(frame->module, c.module) << c.line;
    EXPECT_EQ(frame->inlined, c.inlined) << c.line;
  }
}

}  // namespace
}  // namespace wick
