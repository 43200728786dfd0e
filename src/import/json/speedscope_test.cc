// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/common/import_testing.h"
#include "import/json/json_formats.h"

namespace wick {
namespace {
using namespace testing_import;

const char kSampled[] = R"j({"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"x",
"shared":{"frames":[{"name":"main","file":"a.c","line":3,"col":4},{"name":"work"},{"name":"[libc.so]"}]},
"profiles":[{"type":"sampled","name":"t1","unit":"milliseconds","startValue":5,"endValue":9,
"samples":[[0,1],[0],[0,1,2]],"weights":[1.5,2,0.000001]},
{"type":"sampled","name":"t2","unit":"milliseconds","startValue":0,"endValue":1,"samples":[[1]],"weights":[1]}]})j";

TEST(Speedscope, Sampled) {
  EXPECT_EQ(detected(kSampled), "speedscope");
  Profile p = good(kSpeedscopeReader, kSampled);
  EXPECT_EQ(lines_of(p),
            (Lines{"t1|main 2000000/1", "t1|main;work 1500000/1", "t1|main;work;[libc.so] 1/1", "t2|work 1000000/1"}));
  EXPECT_TRUE(p.has_times());
  ASSERT_EQ(p.samples().size(), 4u);
  EXPECT_EQ(p.samples()[3].time_ns, 3500000u);
  EXPECT_EQ(p[p.samples()[3].thread].end_ns, 3500001u) << "with the last sample";
  const Frame* main = find_frame(p, "main");
  ASSERT_NE(main, nullptr);
  EXPECT_EQ(p.text(main->file), "a.c");
  EXPECT_EQ(main->line, 3u);
  EXPECT_EQ(main->column, 4u);
  EXPECT_FALSE(p[find_frame(p, "[libc.so]")->function].known);
  EXPECT_EQ(p.text(p.events()[0].unit), "ns");
}

TEST(Speedscope, Evented) {
  const char text[] = R"j({"shared":{"frames":[{"name":"a"},{"name":"b"},{"name":"c"}]},"profiles":[{"type":"evented","name":"",
"unit":"microseconds","startValue":100,"endValue":200,"events":[{"type":"O","frame":0,"at":100},{"type":"O","frame":1,"at":110},
{"type":"O","frame":2,"at":120},{"type":"C","frame":1,"at":130},{"type":"C","frame":2,"at":140},{"type":"O","frame":9,"at":150},
{"type":"O","frame":1,"at":20}]}]})j";
  Profile p = good(kSpeedscopeReader, text);
  // c ends with b; a never closes and ends with the profile.
  EXPECT_EQ(lines_of(p), (Lines{"a 80000/2", "a;b 10000/1", "a;b;c 10000/1"}));
  EXPECT_EQ(warnings(p), "skipped 3 events; first: event 4 of profile 0: it closes a frame that is not open");
}

TEST(Speedscope, CountsAndDecimals) {
  const char text[] = R"j({"profiles":[{"type":"sampled","name":"n","unit":"none","samples":[[0],[0],[1]],"weights":[2,0.5,1]},
{"type":"sampled","name":"n","unit":"bytes","samples":[[0]],"weights":[64]}],"shared":{"frames":[{"name":"f"}]}})j";
  Profile p = good(kSpeedscopeReader, text);
  EXPECT_EQ(lines_of(p, "samples"), (Lines{"n|f 2500000/3"}));
  EXPECT_EQ(lines_of(p, "bytes"), (Lines{"n|f 64/1"}));
  EXPECT_EQ(p.events()[0].divisor, 1000000u);
  EXPECT_FALSE(p.has_times());
  EXPECT_EQ(warnings(p), "skipped 1 sample; sample 2 of profile 0: a frame is not in the table");
  ImportOptions merge;
  merge.merge = true;
  EXPECT_EQ(good(kSpeedscopeReader, text, merge).samples().size(), 2u);
}

TEST(Speedscope, EventedDecimals) {
  const char text[] = R"j({"shared":{"frames":[{"name":"a"},{"name":"b"}]},"profiles":[{"type":"evented","name":"t","unit":"none",
"startValue":0,"endValue":2.5,"events":[{"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":0.5},
{"type":"C","frame":1,"at":1.0},{"type":"C","frame":0,"at":2.5}]}]})j";
  Profile p = good(kSpeedscopeReader, text);
  EXPECT_EQ(lines_of(p), (Lines{"t|a 2000000/2", "t|a;b 500000/1"}));
  EXPECT_EQ(p.events()[0].divisor, 1000000u);
  const char end[] = R"j({"shared":{"frames":[{"name":"a"}]},"profiles":[{"type":"evented","name":"t","unit":"none",
"startValue":0,"endValue":2.5,"events":[{"type":"O","frame":0,"at":0}]}]})j";
  EXPECT_EQ(lines_of(good(kSpeedscopeReader, end)), (Lines{"t|a 2500000/2"}));
}

TEST(Speedscope, InvalidRows) {
  EXPECT_EQ(failure(kSpeedscopeReader, R"j({"shared":{}})j"), "as speedscope profile: expected an array \"profiles\"");
  EXPECT_EQ(failure(kSpeedscopeReader, R"j({"profiles":[{"type":"x"}]})j"),
            "as speedscope profile: profile 0: expected a type \"sampled\" or \"evented\"");
  expect_survives(kSpeedscopeReader, kSampled);
}

}  // namespace
}  // namespace wick
