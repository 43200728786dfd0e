// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Complete text formats, and the main parts of JSON ones. tests/e2e/test_export.py checks that other tools can read them.

#include "export/writers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "export/export_testing.h"

namespace wick {
namespace {

using testing_export::odd_profile;
using testing_export::small_profile;
using testing_export::timeless_profile;
using testing_export::Write;
using testing_export::written;

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }
size_t count(const std::string& text, std::string_view part) {
  size_t n = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) { ++n; }
  return n;
}

TEST(Csv, OneRowPerFunction) {
  EXPECT_EQ(written(write_csv, small_profile()),
            "function,module,self,total,unit,self_samples,total_samples\r\n"
            "step,app,2000000,2000000,ns,2,2\r\n"
            "work,app,1000500,4000500,ns,1,4\r\n"
            "do_fault,[kernel],1000000,1000000,ns,1,1\r\n"
            "main,app,0,4000500,ns,0,4\r\n");
}

TEST(Csv, QuotesAndDecimals) {
  EXPECT_EQ(written(write_csv, timeless_profile("f(\"a\", b)\n", 2'500'000)),
            "function,module,self,total,unit,self_samples,total_samples\r\n"
            "leaf,,2.5,2.5,samples,3,3\r\n"
            "\"f(\"\"a\"\", b)\\n\",,2,4.5,samples,2,5\r\n");
}

TEST(PerfScript, OneBlockPerSample) {
  EXPECT_EQ(written(write_perf_script, small_profile(), {}, true),
            "app 100/100 [000] 1.001000000:    1000000 cpu-clock:\n"
            "\t            1020 step (inlined)\n"
            "\t            1020 work (/usr/bin/app)\n"
            "\t            1010 main (/usr/bin/app)\n"
            "\n"
            "app 100/100 [000] 1.002000000:    1000000 cpu-clock:\n"
            "\t            1020 step (inlined)\n"
            "\t            1020 work (/usr/bin/app)\n"
            "\t            1010 main (/usr/bin/app)\n"
            "\n"
            "worker 100/101 [003] 1.003000000:    1000000 cpu-clock:\n"
            "\tffffffff81001000 do_fault ([kernel.kallsyms])\n"
            "\t            1024 work (/usr/bin/app)\n"
            "\t            1020 work (/usr/bin/app)\n"
            "\t            1010 main (/usr/bin/app)\n"
            "\n"
            "worker 100/101 [003] 1.004000000:          1 page-faults:\n"
            "\tffffffff81001000 do_fault ([kernel.kallsyms])\n"
            "\t            1024 work (/usr/bin/app)\n"
            "\t            1020 work (/usr/bin/app)\n"
            "\t            1010 main (/usr/bin/app)\n"
            "\n"
            "app 100/100 [000] 1.005000000:    1000500 cpu-clock:\n"
            "\t            1024 work (/usr/bin/app)\n"
            "\t            1020 work (/usr/bin/app)\n"
            "\t            1010 main (/usr/bin/app)\n"
            "\n");
}

TEST(PerfScript, RowsOfManySamples) {
  std::string text = written(write_perf_script, timeless_profile());
  EXPECT_EQ(count(text, " samples:\n"), 5u);
  EXPECT_EQ(count(text, "leaf ("), 3u);
  EXPECT_TRUE(text.starts_with(":0 0/0 0.000000000:          1 samples:\n\t               0 leaf ([unknown])\n"))
      << text.substr(0, 80);
  EXPECT_TRUE(has(text, "0.004000000:")) << "evenly spaced";
}

TEST(PerfScript, FunctionsWithoutSymbols) {
  ProfileBuilder b;
  EventId e = b.event("cycles", "cycles");
  ThreadId t = b.add_thread(b.add_process(7, "x"), 7, "a b");
  StackId s =
      b.stack(b.frame({.function = b.function("[libc.so.6]", {}, b.module("/lib/libc.so.6"), false), .address = 0x99}), {});
  b.add_sample({.time_ns = 1, .thread = t, .stack = s, .event = e, .weight = 5});
  EXPECT_EQ(written(write_perf_script, std::move(b).build()),
            "a b 7/7 [000] 0.000000001:          5 cycles:\n\t              99 [unknown] (/lib/libc.so.6)\n\n");
}

TEST(PerfScript, TruncatedStacksAndUnsampledTime) {
  for (std::string name : {"[truncated]", "[unsampled]"}) {
    ProfileBuilder b;
    EventId e = b.event("cpu-clock", "ns");
    ThreadId t = b.add_thread(b.add_process(7, "app"), 7, "app");
    StackId s = b.stack(b.frame({.function = b.function(name, {}, {}, false)}), {});
    b.add_sample({.time_ns = 1, .thread = t, .stack = s, .event = e, .weight = 5});
    EXPECT_EQ(written(write_perf_script, std::move(b).build()),
              "app 7/7 [000] 0.000000001:          5 cpu-clock:\n\t               0 " + name + " ([unknown])\n\n");
  }
}

TEST(Callgrind, CostsAndCalls) {
  std::string text = written(write_callgrind, small_profile(), {}, true);
  size_t creator = text.find("creator: wick ");
  ASSERT_NE(creator, std::string::npos);
  text.erase(creator, text.find('\n', creator) + 1 - creator);  // the version
  EXPECT_EQ(text,
            "# callgrind format\n"
            "version: 1\n"
            "cmd: ./app -x\n"
            "part: 1\n"
            "\n"
            "desc: calls= holds samples, not calls: a sampling profiler does not count calls\n"
            "positions: line\n"
            "event: cpu_clock : cpu-clock (ns)\n"
            "event: page_faults : page-faults (faults)\n"
            "event: samples_cpu_clock : Samples of cpu_clock\n"
            "event: samples_page_faults : Samples of page_faults\n"
            "events: cpu_clock page_faults samples_cpu_clock samples_page_faults\n"
            "summary: 4000500 1 4 1\n"
            "\n"
            "ob=(1) ???\n"
            "fl=(1) ???\n"
            "fn=(1) [thread app (100)]\n"
            "cob=(2) /usr/bin/app\n"
            "cfi=(2) /src/main.c\n"
            "cfn=(2) main\n"
            "calls=3 0\n"
            "0 3000500 0 3 0\n"
            "\n"
            "ob=(1)\n"
            "fl=(1)\n"
            "fn=(3) [thread worker (101)]\n"
            "cob=(2)\n"
            "cfi=(2)\n"
            "cfn=(2)\n"
            "calls=2 0\n"
            "0 1000000 1 1 1\n"
            "\n"
            "ob=(2)\n"
            "fl=(2)\n"
            "fn=(2)\n"
            "cfi=(2)\n"
            "cfn=(4) work\n"
            "calls=5 0\n"
            "11 4000500 1 4 1\n"
            "\n"
            "ob=(2)\n"
            "fl=(2)\n"
            "fn=(4)\n"
            "23 1000500 0 1 0\n"
            "cfi=(2)\n"
            "cfn=(4)\n"
            "calls=3 0\n"
            "22 0 0 0 0\n"  // the inner call of a recursion
            "cfi=(3) /src/step.h\n"
            "cfn=(5) step\n"
            "calls=2 0\n"
            "22 2000000 0 2 0\n"
            "cob=(3) [kernel]\n"
            "cfi=(1)\n"
            "cfn=(6) do_fault\n"
            "calls=2 0\n"
            "23 1000000 1 1 1\n"
            "\n"
            "ob=(2)\n"
            "fl=(3)\n"
            "fn=(5)\n"
            "5 2000000 0 2 0\n"
            "\n"
            "ob=(3)\n"
            "fl=(1)\n"
            "fn=(6)\n"
            "0 1000000 1 1 1\n"
            "\n"
            "totals: 4000500 1 4 1\n");
}

TEST(Callgrind, LinesOfOtherFiles) {
  ProfileBuilder b;
  EventId e = b.event("samples", "samples");
  ThreadId t = b.add_thread(b.add_process(0, ""), 0, "");
  FunctionId f = b.function("f", {}, {});
  for (auto [file, line] : {std::pair{"a.c", 1u}, {"b.inc", 2u}, {"c.inc", 3u}, {"a.c", 4u}}) {
    b.add_sample({.thread = t,
                  .stack = b.stack(b.frame({.function = f, .file = b.string(file), .line = line}), {}),
                  .event = e,
                  .weight = 1});
  }
  std::string text = written(write_callgrind, std::move(b).build());
  EXPECT_TRUE(has(text, "events: samples\n")) << text;
  EXPECT_TRUE(has(text, "fn=(2)\n1 1\n4 1\nfi=(3) b.inc\n2 1\nfi=(4) c.inc\n3 1\n")) << text;
}

TEST(Speedscope, OneProfilePerThread) {
  std::string text = written(write_speedscope, small_profile());
  EXPECT_TRUE(has(text, "{\"name\":\"work\",\"file\":\"/src/main.c\"},\n{\"name\":\"step\",\"file\":\"/src/step.h\"}")) << text;
  EXPECT_TRUE(has(text, "{\"name\":\"do_fault\",\"file\":\"[kernel]\"}")) << text;
  EXPECT_TRUE(has(text,
                  "{\"type\":\"sampled\",\"name\":\"app (100)\",\"unit\":\"nanoseconds\",\"startValue\":0,\"endValue\":3000500,\n"
                  "\"samples\":[[0,1,2],\n[0,1,2],\n[0,1,1]],\n\"weights\":[1000000,1000000,1000500]}"))
      << text;
  EXPECT_TRUE(has(text, "\"name\":\"worker (101)\"")) << text;
}

TEST(Speedscope, NothingSelected) {
  std::string text = written(write_speedscope, small_profile(), {.focus = "nowhere"});
  EXPECT_TRUE(has(text, "\"frames\":[]")) << text;
  EXPECT_TRUE(has(text, "\"samples\":[],\n\"weights\":[]")) << text;
}

TEST(ChromeTrace, JoinsNeighborsAndKeepsGaps) {
  ProfileBuilder b;
  EventId e = b.event("cpu-clock", "ns", 1000);
  ThreadId t = b.add_thread(b.add_process(9, "app"), 9, "main");
  StackId root = b.stack(b.frame({.function = b.function("root", {}, {})}), {});
  StackId one = b.stack(b.frame({.function = b.function("one", {}, {})}), root);
  StackId two = b.stack(b.frame({.function = b.function("two", {}, {})}), root);
  for (auto [ms, stack] : {std::pair{1, one}, {2, one}, {3, two}, {100, two}}) {
    b.add_sample({.time_ns = ms * uint64_t{1'000'000}, .thread = t, .stack = stack, .event = e, .weight = 1'000'000});
  }
  std::string text = written(write_chrome_trace, std::move(b).build());
  EXPECT_TRUE(has(text, "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":9,\"tid\":9,\"args\":{\"name\":\"main\"}}")) << text;
  size_t boxes = text.find("{\"ph\":\"X\"");
  EXPECT_EQ(text.substr(boxes),
            "{\"ph\":\"X\",\"name\":\"root\",\"pid\":9,\"tid\":9,\"ts\":0,\"dur\":3000},\n"
            "{\"ph\":\"X\",\"name\":\"one\",\"pid\":9,\"tid\":9,\"ts\":0,\"dur\":2000},\n"
            "{\"ph\":\"X\",\"name\":\"two\",\"pid\":9,\"tid\":9,\"ts\":2000,\"dur\":1000},\n"
            "{\"ph\":\"X\",\"name\":\"root\",\"pid\":9,\"tid\":9,\"ts\":99000,\"dur\":1000},\n"
            "{\"ph\":\"X\",\"name\":\"two\",\"pid\":9,\"tid\":9,\"ts\":99000,\"dur\":1000}]\n"
            "}\n");
}

TEST(ChromeTrace, WithoutTimesUsesCosts) {
  std::string text = written(write_chrome_trace, timeless_profile());
  EXPECT_TRUE(has(text, "\"name\":\"root\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":5}")) << text;
  EXPECT_TRUE(has(text, "\"name\":\"leaf\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":3}")) << text;
  text = written(write_chrome_trace, timeless_profile("root", 2'500'000));
  EXPECT_TRUE(has(text, "\"name\":\"leaf\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":2.5}")) << text;
}

struct TraceBox {
  double begin, end;  // ts and ts + dur, computed as readers do
};

// The spans of a file with one thread, nested and joined as doubles without rounding.
std::vector<TraceBox> nested_boxes(const std::string& text) {
  std::vector<TraceBox> boxes;
  std::vector<double> open;
  for (size_t at = 0; (at = text.find("\"ts\":", at)) != std::string::npos;) {
    const char* ts = text.c_str() + at + 5;
    at = text.find("\"dur\":", at);
    double begin = std::strtod(ts, nullptr), end = begin + std::strtod(text.c_str() + at + 6, nullptr);
    while (!open.empty() && open.back() <= begin) { open.pop_back(); }
    EXPECT_TRUE(open.empty() || end <= open.back()) << begin << " to " << end << " in what ends at " << open.back();
    EXPECT_LT(begin, end);
    open.push_back(end);
    boxes.push_back({begin, end});
  }
  return boxes;
}

// Samples about `step_ns` apart, three levels deep: one root, below it two alternating functions.
Profile clocked_profile(uint64_t first_ns, uint64_t step_ns) {
  ProfileBuilder b;
  EventId e = b.event("cpu-clock", "ns", 0);
  ThreadId t = b.add_thread(b.add_process(9, "app"), 9, "main");
  StackId root = b.stack(b.frame({.function = b.function("root", {}, {})}), {});
  std::vector<StackId> leaves;
  for (const char* name : {"one", "two"}) {
    StackId middle = b.stack(b.frame({.function = b.function(name, {}, {})}), root);
    leaves.push_back(b.stack(b.frame({.function = b.function("leaf", {}, {})}), middle));
  }
  uint64_t time_ns = first_ns;
  for (uint64_t i = 1; i <= 2000; ++i) {
    time_ns += step_ns + (i * 7919 % 13) * step_ns / 40;
    b.add_sample({.time_ns = time_ns, .thread = t, .stack = leaves[i % 2], .event = e, .weight = static_cast<int64_t>(step_ns)});
  }
  return std::move(b).build();
}

TEST(ChromeTrace, SpansNestAndJoinAsDoubles) {
  // A normal recording, a very fast one, and one with a distant clock.
  for (auto [first_ns, step_ns] :
       {std::pair<uint64_t, uint64_t>{123'456'789, 1'003'009}, {77, 3}, {uint64_t{1} << 63, 1'003'009}}) {
    Profile p = clocked_profile(first_ns, step_ns);
    std::vector<TraceBox> boxes = nested_boxes(written(write_chrome_trace, p));
    ASSERT_EQ(boxes.size(), 1 + 2 * 2000u) << first_ns;
    for (size_t i = 1; i + 2 < boxes.size(); i += 2) {
      EXPECT_EQ(boxes[i].end, boxes[i + 2].begin);  // one ends where the next begins
      double told_ns = static_cast<double>(p.samples()[i / 2].time_ns);
      if (first_ns < 1'000'000'000) { EXPECT_NEAR(boxes[i].end * 1000, told_ns, step_ns < 1000 ? 0.5 : 62.6); }
    }
    EXPECT_EQ(boxes[0].end, boxes.back().end);
  }
}

TEST(ChromeTrace, TimesAreWholeNanoseconds) {
  std::string text = written(write_chrome_trace, clocked_profile(123'456'789, 1'003'009));
  for (const TraceBox& box : nested_boxes(text)) { EXPECT_EQ(std::fmod(box.end * 1000, 125), 0); }
}

TEST(Cpuprofile, NodesSamplesAndDeltas) {
  std::string text = written(write_cpuprofile, small_profile(), {.thread = "app"});
  EXPECT_TRUE(
      has(text,
          "{\"id\":4,\"callFrame\":{\"functionName\":\"step\",\"scriptId\":\"0\",\"url\":\"/src/step.h\",\"lineNumber\":-1,"
          "\"columnNumber\":-1},\"hitCount\":2,\"positionTicks\":[{\"line\":5,\"ticks\":2}]}"))
      << text;
  EXPECT_TRUE(has(text, "\"samples\":[4,4,5],\n\"timeDeltas\":[0,1000,1000],\n\"endTime\":3000\n")) << text;
}

TEST(Cpuprofile, RowsOfManySamplesAndThreads) {
  std::string text = written(write_cpuprofile, timeless_profile());
  EXPECT_TRUE(has(text, "\"samples\":[3,3,3,2,2],\n\"timeDeltas\":[0,1,1,1,1],\n\"endTime\":5\n")) << text;
  text = written(write_cpuprofile, small_profile());
  EXPECT_TRUE(has(text, "\"functionName\":\"worker (101)\"")) << text;
  EXPECT_TRUE(has(text, "\"endTime\":4000\n")) << text;
}

TEST(Firefox, TablesAndThreads) {
  std::string text = written(write_firefox, small_profile(), {}, true);
  EXPECT_TRUE(has(text, "\"preprocessedProfileVersion\":65")) << text;
  EXPECT_TRUE(has(text, "\"breakpadId\":\"3322110055447766889900AABBCCDDEE0\"")) << text;
  EXPECT_TRUE(has(text, "\"codeId\":\"0011223344556677889900aabbccddeeff001122\"")) << text;
  EXPECT_TRUE(has(text, "\"frame\":[0,1,2,3,4],\n\"prefix\":[null,0,1,1,3]")) << text;
  EXPECT_TRUE(has(text, "\"inlineDepth\":[0,0,1,0,0]")) << text;
  EXPECT_TRUE(has(text, "\"address\":[4112,4128,4128,4132,-1]")) << text;
  EXPECT_TRUE(has(text, "\"line\":[11,22,5,23,null]")) << text;
  EXPECT_TRUE(has(text, "\"name\":\"worker (page-faults)\"")) << text;
  EXPECT_TRUE(has(text, "\"stack\":[2,2,3],\n\"time\":[1,2,5],\"weight\":null,\n\"threadCPUDelta\":[1000000,1000000,1000500]"))
      << text;
}

TEST(Firefox, RowsOfManySamples) {
  std::string text = written(write_firefox, timeless_profile());
  EXPECT_TRUE(has(text, "\"stack\":[1,0],\n\"time\":[0,3],\n\"weight\":[3,2]")) << text;
}

TEST(ProfileJson, Everything) {
  std::string text = written(write_profile_json, small_profile(), {}, true);
  EXPECT_TRUE(has(text, "\"address\":[\"0x1010\",\"0x1020\",\"0x1020\",\"0x1024\",\"0xffffffff81001000\"]")) << text;
  EXPECT_TRUE(has(text, "\"caller\":[null,0,1,1,3]")) << text;
  EXPECT_TRUE(has(text, "\"time_ns\":[1000000,2000000,3000000,4000000,5000000],\n\"cpu\":[0,0,3,3,0]")) << text;
  EXPECT_TRUE(has(text, "\"event\":[0,0,0,1,0],\n\"weight\":[1000000,1000000,1000000,1,1000500]")) << text;
}

TEST(ProfileJson, OnlySelectedRows) {
  std::string text = written(write_profile_json, small_profile(), {.thread = "worker"});
  EXPECT_TRUE(has(text, "\"threads\":[\n{\"process\":0,\"tid\":101,\"name\":\"worker\"}]")) << text;
  EXPECT_FALSE(has(text, "step")) << text;
}

// Names with arbitrary bytes in text formats: valid UTF-8, and only the format's control characters.
TEST(Writers, OddNames) {
  Profile p = odd_profile();
  const std::pair<const char*, Write> kAll[] = {{"callgrind", write_callgrind},   {"chrome-trace", write_chrome_trace},
                                                {"cpuprofile", write_cpuprofile}, {"firefox", write_firefox},
                                                {"json", write_profile_json},     {"perf-script", write_perf_script},
                                                {"speedscope", write_speedscope}};
  for (auto [name, write] : kAll) {
    std::string text = written(write, p);
    for (std::string_view rest = text; !rest.empty();) {
      CodePoint c = decode_utf8(rest);
      EXPECT_TRUE(c.valid) << name;
      bool control = c.value < 0x20 && c.value != '\n' && c.value != '\t';
      EXPECT_FALSE(control) << name << ": " << static_cast<unsigned>(c.value);
      rest.remove_prefix(c.size);
    }
  }
  EXPECT_EQ(count(written(write_perf_script, p), "\n"), 6u) << "one line per frame, and two";
}

// Writers stop when the sink does.
TEST(Writers, StopIfTheSinkStops) {
  ProfileBuilder b;
  EventId e = b.event("cpu-clock", "ns", 1000);
  ThreadId t = b.add_thread(b.add_process(1, "x"), 1, "x");
  StackId root;
  for (int depth = 0; depth < 5; ++depth) {
    root = b.stack(b.frame({.function = b.function("function " + std::to_string(depth), {}, {})}), root);
  }
  for (uint64_t i = 0; i < 6'000; ++i) {
    StackId leaf = b.stack(b.frame({.function = b.function("leaf " + std::to_string(i), {}, {})}), root);
    b.add_sample({.time_ns = i * 1'000'000, .thread = t, .stack = leaf, .event = e, .weight = 1'000'000});
  }
  Profile p = std::move(b).build();
  Filter filter;
  ExportView view{p, filter, {*select_samples(p, filter)}};
  for (const ExportFormat& format : export_formats()) {
    if (format.name == "svg") { continue; }  // written as one piece
    size_t calls = 0, all = 0;
    format.write(view, [&](std::string_view) { return ++all > 0; });
    format.write(view, [&](std::string_view) { return ++calls < 2; });
    EXPECT_EQ(calls, 2u) << format.name;
    EXPECT_GT(all, 2u) << format.name;
  }
}

}  // namespace
}  // namespace wick
