// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/common/import_testing.h"
#include "import/json/json_formats.h"

namespace wick {
namespace {
using namespace testing_import;

// Version 48: each thread has its tables. Row 1 of the frames is inlined into row 0; stack 4 calls itself, 5 has no frame.
const char kOwnTables[] = R"j({"meta":{"preprocessedProfileVersion":48,"interval":2,"startTime":1700000000000.5},
"libs":[{"name":"app","path":"/bin/app","codeId":"abcd"},{"name":"[kernel.kallsyms]","path":"[kernel.kallsyms]"}],
"threads":[{"name":"main","processName":"app","pid":"12","tid":12,"samples":{"length":6,"stack":[1,2,null,3,4,5],
"time":[1.5,2.25,3,4,5,6],"weight":null,"weightType":"samples"},
"stackTable":{"length":6,"frame":[0,1,2,3,0,99],"prefix":[null,0,0,2,4,0]},
"frameTable":{"length":4,"address":[16,16,-1,32],"inlineDepth":[0,1,0,0],"func":[0,1,2,3],"nativeSymbol":[null,null,null,null],
"line":[7,9,null,null],"column":[null,2,null,null]},
"funcTable":{"length":4,"name":[0,1,2,3],"resource":[0,0,1,0],"fileName":[4,4,null,null]},
"resourceTable":{"length":2,"lib":[0,1],"name":[0,0]},
"stringArray":["main","inner","do_syscall","0x20","app.c"]},
{"name":"worker","processName":"app","pid":"12","tid":13,"samples":{"length":1,"stack":[0],"timeDeltas":[0.5],
"weight":[3],"weightType":"samples"},"stackTable":{"length":1,"frame":[0],"prefix":[null]},
"frameTable":{"length":1,"func":[0]},"funcTable":{"length":1,"name":[0]},"stringArray":["run"]}]})j";

TEST(Firefox, TablesOfThreads) {
  EXPECT_EQ(detected(kOwnTables), "firefox");
  Profile p = good(kFirefoxReader, kOwnTables);
  EXPECT_EQ(lines_of(p), (Lines{"main|[unknown] 1/1", "main|main;do_syscall 1/1", "main|main;do_syscall;[app+0x20] 1/1",
                                "main|main;~inner 1/1", "worker|run 3/3"}));
  ASSERT_EQ(p.places().size(), 1u);  // for frames without symbols
  EXPECT_EQ(p.places()[0].space, FramePlace::Space::kRelative);
  EXPECT_EQ(p.places()[0].value, 0x20u);
  EXPECT_FALSE(p.places()[0].callers_are_behind);
  EXPECT_EQ(warnings(p), "skipped 2 samples; first: row 4 of \"samples\" of thread 0: its stack is missing or circular");
  EXPECT_EQ(p.events()[0].rate_hz, 500u);
  EXPECT_EQ(p.start_wall_ns(), 1700000000000500000u);
  EXPECT_EQ(p.samples()[0].time_ns, 500000u);
  EXPECT_EQ(p.samples()[1].time_ns, 1500000u);
  const Frame* inner = find_frame(p, "inner");
  EXPECT_EQ(p.text(inner->file), "app.c");
  EXPECT_EQ(inner->line, 9u);
  EXPECT_EQ(inner->column, 2u);
  EXPECT_EQ(inner->address, 16u);
  EXPECT_EQ(p.text(p[p[inner->function].module].build_id), "abcd");
  EXPECT_TRUE(p[p[find_frame(p, "do_syscall")->function].module].kernel);
  ASSERT_EQ(p.threads().size(), 2u);
  EXPECT_EQ(p.processes().size(), 1u);
  EXPECT_EQ(p.threads()[1].tid, 13u);
  expect_survives(kFirefoxReader, kOwnTables, 2000);
}

// Version 70: tables are shared, prefixes are distances, frames have a library, files are a table.
TEST(Firefox, SharedTables) {
  const char text[] = R"j({"threads":[{"name":"t","pid":"7","tid":"8","samples":{"length":3,"stack":[2,1,7],"timeDeltas":[1,2,3],
"weight":[2.5,-1,1],"weightType":"tracing-ms"},"nativeAllocations":{"time":[1],"stack":[0],"weight":[64],"weightType":"bytes"}}],
"shared":{"stringArray":["a","b","f.rs","\u0063"],"sources":{"filename":[2],"length":1},
"funcTable":{"name":[0,1,3],"resource":[-1,-1,-1],"source":[0,null,null],"length":3},
"frameTable":{"func":[0,1,2],"lib":[0,-1,0],"inlineDepth":[0,0,0],"address":[1,2,3],"line":[5,null,null],"length":3},
"stackTable":{"frame":[0,1,2,0],"prefixOffset":[0,1,1,9],"length":4}},
"libs":[{"name":"l","path":"/l"}],"meta":{"preprocessedProfileVersion":70}})j";
  EXPECT_EQ(detected(text), "firefox");
  Profile p = good(kFirefoxReader, text);
  EXPECT_EQ(lines_of(p, "time"), (Lines{"t|a;b -1000000/1", "t|a;b;c 2500000/1"}));
  EXPECT_EQ(lines_of(p, "native-allocations"), (Lines{"t|a 64/1"}));
  EXPECT_EQ(p.text(find_frame(p, "a")->file), "f.rs");
  EXPECT_EQ(p.text(p[p[find_frame(p, "a")->function].module].path), "/l");
  EXPECT_FALSE(p[find_frame(p, "b")->function].module.valid());
  EXPECT_EQ(p.samples().back().time_ns, 3000000u);
  EXPECT_EQ(warnings(p), "skipped 1 sample; row 2 of \"samples\" of thread 0: its stack is missing or circular");
  expect_survives(kFirefoxReader, text, 2000);
}

// samply counts from boot, Firefox from the start of the process.
TEST(Firefox, TimesCountFromTheStart) {
  std::string text = R"j({"meta":{"preprocessedProfileVersion":49,"startTime":1700000000000},"threads":[{"name":"t","tid":1,
"samples":{"length":2,"stack":[0,0],"time":[63376027.5,63376029],"weight":null,"weightType":"samples"},
"stackTable":{"length":1,"frame":[0],"prefix":[null]},"frameTable":{"length":1,"func":[0]},"funcTable":{"length":1,"name":[0]},
"stringArray":["run"]}]})j";
  Profile p = good(kFirefoxReader, text);
  EXPECT_EQ(p.start_ns(), 63376027500000u);
  EXPECT_EQ(p.start_wall_ns(), 1700000000000000000u);
  EXPECT_EQ(warnings(p), "");
  std::string with_start = text;
  with_start.replace(with_start.find("\"startTime"), 0, "\"profilingStartTime\":63376000,");
  p = good(kFirefoxReader, with_start);
  EXPECT_EQ(p.start_ns(), 63376000000000u);
  EXPECT_EQ(p.start_wall_ns(), 1700000000000000000u + 63376000000000u);
  std::string newer = text;
  newer.replace(newer.find("49"), 2, "99");
  EXPECT_EQ(warnings(good(kFirefoxReader, newer)), "unsupported format version 99 (supported: 24 to 70); some data may be wrong");
}

TEST(Firefox, EventsWrittenByWick) {
  const char text[] = R"j({"meta":{"preprocessedProfileVersion":65,"importedFrom":"wick 0.1.0"},"shared":{"stringArray":["a"],
"funcTable":{"name":[0]},"frameTable":{"func":[0]},"stackTable":{"frame":[0],"prefix":[null]}},
"threads":[{"name":"w","pid":"1","tid":2,"samples":{"stack":[0],"time":[1],"weight":null,
"weightType":"samples","threadCPUDelta":[1000]}},{"name":"w (faults)","pid":"1","tid":2,
"samples":{"stack":[0],"time":[1],"weight":[4],"weightType":"samples"}}]})j";
  Profile p = good(kFirefoxReader, text);
  EXPECT_EQ(lines_of(p, "cpu"), (Lines{"w|a 1000/1"}));
  EXPECT_EQ(lines_of(p, "faults"), (Lines{"w|a 4/4"}));
  EXPECT_EQ(p.threads().size(), 1u);
}

TEST(Firefox, LongCyclesAndChains) {
  // A chain of 50,000 callers after their callees, and a cycle of the same length.
  std::string frame, prefix, circle;
  for (int i = 0; i < 50000; ++i) {
    frame += i ? ",0" : "0";
    prefix += (i ? "," : "") + (i == 49999 ? "null" : std::to_string(i + 1));
    circle += (i ? "," : "") + std::to_string((i + 1) % 50000);
  }
  auto file = [&](const std::string& prefixes) {
    return R"j({"meta":{"preprocessedProfileVersion":65},"shared":{"stringArray":["a"],"funcTable":{"name":[0]},
"frameTable":{"func":[0]},"stackTable":{"frame":[)j" +
           frame + "],\"prefix\":[" + prefixes + R"j(]}},"threads":[{"samples":{"stack":[0],"time":[0]}}]})j";
  };
  EXPECT_EQ(good(kFirefoxReader, file(prefix)).stacks().size(), 50000u);
  EXPECT_EQ(failure(kFirefoxReader, file(circle)),
            "as Firefox Profiler profile: expected at least one sample: skipped 1 sample; row 0 of \"samples\" of thread 0: its "
            "stack is missing or circular");
}

const char kGecko[] = R"j({"meta":{"version":27,"interval":1,"startTime":1000},"libs":[{"start":4096,"end":8192,"name":"lib",
"path":"/lib"}],"threads":[{"name":"t","pid":3,"tid":4,"stringTable":["main (in app)","0x1010",
"f (a.js:3:7)","label"],"frameTable":{"schema":{"location":0,"line":3,"column":4},"data":[[0],[1],
[2],[3,0,0,11]]},"stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0],[0,1],[1,2],[2,3],
[4,0]]},"samples":{"schema":{"stack":0,"time":1},"data":[[3,1.5],[1,2],[null,3],[4,4]]}}],
"processes":[{"meta":{"version":27,"startTime":1010},"libs":[],"threads":[{"name":"u","pid":5,
"tid":5,"stringTable":["x"],"frameTable":{"schema":{"location":0},"data":[[0]]},
"stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0]]},"samples":{"schema":{"stack":0,
"time":1},"data":[[0,1]]}}],"processes":[]}]})j";

TEST(Gecko, RowsBySchema) {
  EXPECT_EQ(detected(kGecko), "gecko");
  Profile p = good(kGeckoReader, kGecko);
  EXPECT_EQ(lines_of(p), (Lines{"t|[unknown] 1/1", "t|main;[lib+0x10] 1/1", "t|main;[lib+0x10];f;label 1/1", "u|x 1/1"}));
  ASSERT_FALSE(p.places().empty());
  EXPECT_EQ(p.places()[0].space, FramePlace::Space::kRelative);
  EXPECT_EQ(p.places()[0].value, 0x10u);
  EXPECT_TRUE(p.places()[0].callers_are_behind);
  EXPECT_EQ(p.text(find_frame(p, "f")->file), "a.js");
  EXPECT_EQ(find_frame(p, "f")->line, 3u);
  EXPECT_EQ(find_frame(p, "f")->column, 7u);
  EXPECT_EQ(find_frame(p, "label")->line, 11u);
  EXPECT_EQ(p.text(p[p[find_frame(p, "main")->function].module].name), "app");
  EXPECT_EQ(p.samples().back().time_ns, 11'000'000u);  // of the process that started 10 ms later
  EXPECT_EQ(p.warnings().size(), 1u);
  expect_survives(kGeckoReader, kGecko, 2000);
}

}  // namespace
}  // namespace wick
