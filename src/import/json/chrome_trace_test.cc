// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/common/import_testing.h"
#include "import/json/json_formats.h"

namespace wick {
namespace {
using namespace testing_import;

const char kCpuprofile[] = R"j({"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,
"columnNumber":-1},"hitCount":0,"children":[2,4]},{"id":2,"callFrame":{"functionName":"main",
"url":"file:///a.js","lineNumber":4,"columnNumber":0},"hitCount":1,"children":[3]},{"id":3,
"callFrame":{"functionName":"","url":"file:///a.js","lineNumber":9,"columnNumber":2},"hitCount":2},
{"id":4,"callFrame":{"functionName":"(idle)"},"hitCount":0}],"startTime":1000,"endTime":2500,
"samples":[2,3,3,4,8],"timeDeltas":[100,200,300,400,500]})j";

TEST(Cpuprofile, SamplesLastUntilTheNext) {
  EXPECT_EQ(detected(kCpuprofile), "cpuprofile");
  Profile p = good(kCpuprofileReader, kCpuprofile);
  EXPECT_EQ(lines_of(p), (Lines{"(idle) 500000/1", "main 200000/1", "main;(anonymous) 700000/2"}));
  EXPECT_EQ(p.samples()[1].time_ns, 300000u);
  EXPECT_EQ(p.threads()[0].end_ns, 1500000u);
  EXPECT_EQ(find_frame(p, "main")->line, 5u);
  EXPECT_EQ(find_frame(p, "main")->column, 1u);
  EXPECT_EQ(warnings(p), "skipped 1 sample; sample 4: its node 8 is missing or circular");
  expect_survives(kCpuprofileReader, kCpuprofile);
}

// V8 writes negative deltas if a sample is older than the previous one.
TEST(Cpuprofile, SamplesOutOfOrder) {
  const char text[] = R"j({"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2,3]},
{"id":2,"callFrame":{"functionName":"a"}},{"id":3,"callFrame":{"functionName":"b"}}],
"startTime":1000,"endTime":1100,"samples":[2,3,2],"timeDeltas":[10,50,-20]})j";
  EXPECT_EQ(lines_of(good(kCpuprofileReader, text)), (Lines{"a 50000/2", "b 40000/1"}));
}

TEST(Cpuprofile, FewerTimesThanSamples) {
  std::string text = kCpuprofile;
  text.replace(text.find("[100,200,300,400,500]"), 21, "[100,200]");
  EXPECT_NE(warnings(good(kCpuprofileReader, text)).find("only 2 of 5 samples have a time"), std::string::npos);
}

TEST(Cpuprofile, ParentsAndHits) {
  const char text[] = R"j({"startTime":0,"nodes":[{"id":5,"parent":1,"callFrame":{"functionName":"leaf"},"hitCount":7},
{"id":1,"callFrame":{"functionName":"(root)"},"hitCount":2},{"id":6,"parent":6,
"callFrame":{"functionName":"self"},"hitCount":1}]})j";
  Profile p = good(kCpuprofileReader, text);
  EXPECT_EQ(lines_of(p), (Lines{"(root) 2/2", "leaf 7/7"}));
  EXPECT_FALSE(p.has_times());
  EXPECT_EQ(p.warnings().size(), 1u);
}

const char kTrace[] = R"j({"traceEvents":[{"ph":"M","name":"process_name","pid":9,"args":{"name":"app"}},{"ph":"M",
"name":"thread_name","pid":9,"tid":1,"args":{"name":"main"}},{"ph":"X","name":"outer","pid":9,
"tid":1,"ts":100,"dur":50},{"ph":"X","name":"inner","pid":9,"tid":1,"ts":110,"dur":10.5},{"ph":"X",
"name":"sticks out","pid":9,"tid":1,"ts":140,"dur":100},{"ph":"B","name":"b","pid":9,"tid":"two",
"ts":5},{"ph":"B","name":"c","pid":9,"tid":"two","ts":6},{"ph":"E","pid":9,"tid":"two","ts":8},
{"ph":"B","name":"d","pid":9,"tid":"two","ts":9},{"ph":"C","name":"count","pid":9,"ts":10},
{"ph":"i","name":"now","pid":9,"tid":"two","ts":12},{"ph":"X","name":"e","pid":9,"tid":"two",
"ts":11,"dur":1},{"ph":"E","pid":9,"tid":3,"ts":1},{"ph":"X","name":"x","pid":9,"tid":1}]})j";

TEST(ChromeTrace, TimeOfTheInnermostSpan) {
  EXPECT_EQ(detected(kTrace), "chrome-trace");
  Profile p = good(kChromeTraceReader, kTrace);
  EXPECT_EQ(lines_of(p), (Lines{"main|outer 29500/2", "main|outer;inner 10500/1", "main|outer;sticks out 10000/1", "two|b 2000/2",
                                "two|b;c 2000/1", "two|b;d 2000/1", "two|b;d;e 1000/1"}));
  EXPECT_EQ(p.text(p.processes()[0].name), "app");
  EXPECT_EQ(p.processes()[0].pid, 9u);
  EXPECT_EQ(warnings(p),
            "skipped 2 events; first: event 13: \"ts\" is not a number\n"
            "shortened 1 event that ends after the enclosing event (first: event 4)");
  expect_survives(kChromeTraceReader, kTrace);
}

// The events of a trace may be unsorted.
TEST(ChromeTrace, BeginsAndEndsInAnyOrder) {
  const char apart[] = R"j([{"ph":"B","ts":0,"name":"a","pid":1,"tid":1},{"ph":"B","ts":20,"name":"c","pid":1,"tid":1},
{"ph":"E","ts":10,"pid":1,"tid":1},{"ph":"E","ts":30,"pid":1,"tid":1}])j";
  Profile p = good(kChromeTraceReader, apart);
  EXPECT_EQ(lines_of(p), (Lines{"a 10000/1", "c 10000/1"}));
  EXPECT_EQ(warnings(p), "");
  const char backwards[] = R"j([{"ph":"E","ts":10,"pid":1,"tid":1},{"ph":"B","ts":0,"name":"a","pid":1,"tid":1}])j";
  p = good(kChromeTraceReader, backwards);
  EXPECT_EQ(lines_of(p), (Lines{"a 10000/1"}));
  EXPECT_EQ(warnings(p), "");
}

TEST(ChromeTrace, CountsShortenedSpans) {
  const char text[] = R"j([{"ph":"X","name":"a","ts":0,"dur":10,"pid":1,"tid":1},
{"ph":"X","name":"b","ts":5,"dur":10,"pid":1,"tid":1},{"ph":"X","name":"c","ts":6,"dur":8,"pid":1,"tid":1},
{"ph":"X","name":"rounded","ts":4,"dur":1,"pid":1,"tid":2},{"ph":"X","name":"d","ts":0,"dur":4.5,"pid":1,"tid":2},
{"ph":"B","name":"open","ts":0,"pid":1,"tid":2}])j";
  Profile p = good(kChromeTraceReader, text);
  EXPECT_EQ(warnings(p), "shortened 2 events that end after the enclosing event (first: event 1)");
}

TEST(ChromeTrace, ArrayWithoutAnEnd) {
  const char text[] = R"j([{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":5},
{"ph":"X","name":"a","pid":1,"tid":1,"ts":5,"dur":5},
{"ph":"X","na)j";
  EXPECT_EQ(detected(text), "chrome-trace");
  Profile p = good(kChromeTraceReader, text);
  EXPECT_EQ(lines_of(p), (Lines{"a 10000/2"}));
  EXPECT_EQ(p.threads()[0].end_ns, 10000u);
  EXPECT_EQ(warnings(p), "the file is truncated; showing complete events up to byte 107");
}

TEST(ChromeTrace, SampledProfileInPieces) {
  const char text[] = R"j([{"ph":"P","name":"Profile","id":"0x1","pid":2,"tid":3,"ts":50,"args":{"data":{"startTime":40}}},
{"ph":"P","name":"ProfileChunk","id":"0x1","pid":2,"tid":9,"ts":60,
"args":{"data":{"cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}},{"id":2,
"parent":1,"callFrame":{"functionName":"f"}}],"samples":[2,2]},"timeDeltas":[1,2]}}},{"ph":"P",
"name":"ProfileChunk","id":"0x1","pid":2,"tid":9,"ts":70,
"args":{"data":{"cpuProfile":{"nodes":[{"id":3,"parent":2,"callFrame":{"functionName":"g"}}],
"samples":[3,2]},"timeDeltas":[3,4]}}},{"ph":"X","name":"task","pid":2,"tid":3,"ts":45,"dur":10}])j";
  Profile p = good(kChromeTraceReader, text);
  EXPECT_EQ(lines_of(p, "cpu"), (Lines{"f 5000/3", "f;g 4000/1"}));
  EXPECT_EQ(lines_of(p, "time"), (Lines{"task 10000/1"}));
  EXPECT_EQ(p.text(p.events()[0].name), "cpu");
  EXPECT_EQ(p.threads().size(), 1u);
}

TEST(ChromeTrace, ManySpansWithoutAnEnd) {
  std::string text = "[";
  for (int i = 0; i < 100000; ++i) {
    text += strf("%s{\"ph\":\"B\",\"name\":\"f\",\"pid\":1,\"tid\":1,\"ts\":%d}", i ? ",\n" : "", i);
  }
  Profile p = good(kChromeTraceReader, text + "]");
  EXPECT_EQ(p.stacks().size(), 99999u);  // the last has no duration
}

TEST(JsonFormats, KeysMayComeLate) {
  std::string padding(100'000, ' ');
  std::string late = "{\"shared\":{\"frames\":[{\"name\":\"f\"}]}," + padding +
                     R"j("profiles":[{"type":"sampled","name":"","unit":"none","samples":[[0]],"weights":[2]}]})j";
  EXPECT_EQ(detected(late), "json");
  EXPECT_EQ(lines_of(good(kJsonReader, late)), (Lines{"f 2/2"}));
  EXPECT_EQ(detected("{\"nodes\":[" + padding + "],\"startTime\":1}"), "json");
  EXPECT_EQ(failure(kJsonReader, "{\"nodes\":[" + padding + "],\"x\":1}"),
            "as JSON profile: expected the members of a supported profile; found: nodes, x");
  EXPECT_EQ(detected("{\"shared\":{\"frames\":[]}}"), "");
  EXPECT_EQ(detected("[1,2,3]"), "");
  EXPECT_EQ(detected("[{\"name\":\"x\"}]"), "");
  EXPECT_EQ(detected("{\"a\":\"\\\"traceEvents\\\":\"}"), "");
}

}  // namespace
}  // namespace wick
