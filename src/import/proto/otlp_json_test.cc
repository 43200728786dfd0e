// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/common/import_testing.h"
#include "import/json/json_formats.h"

namespace wick {
namespace {
using namespace testing_import;

TEST(OtlpJson, TablesAndSamples) {
  const char text[] = R"j({"resourceProfiles":[{"resource":{"attributes":[{"key":"process.pid","value":{"intValue":"5"}}]},
"scopeProfiles":[{"profiles":[{"sampleType":{"typeStrindex":1,"unitStrindex":2},
"timeUnixNano":"1700000000000000000","durationNano":"60000000000",
"samples":[{"stackIndex":1,"values":["7"],"attributeIndices":[1],
"timestampsUnixNano":["1700000000000000009"]},{"stackIndex":8,"values":[1]}]}]}]}],
"dictionary":{"stringTable":["","cpu","nanoseconds","main","thread.name"],"functionTable":[{},
{"nameStrindex":3}],"locationTable":[{},{"lines":[{"functionIndex":1,"line":"12"}]}],
"stackTable":[{},{"locationIndices":[1]}],"mappingTable":[{}],"attributeTable":[{},{"keyStrindex":4,
"value":{"stringValue":"t"}}]}})j";
  EXPECT_EQ(detected(text), "otlp-json");
  Profile p = good(kOtlpJsonReader, text);
  EXPECT_EQ(lines_of(p, "cpu"), (Lines{"t|main 7/1"}));
  EXPECT_EQ(p.start_wall_ns(), 1700000000000000009u);
  EXPECT_EQ(p.duration_ns(), 60'000'000'000u);
  EXPECT_EQ(find_frame(p, "main")->line, 12u);
  EXPECT_EQ(p.processes()[0].pid, 5u);
  EXPECT_EQ(warnings(p), "skipped 1 sample; sample 1: its stack is not in the table");
  expect_survives(kOtlpJsonReader, text);
}

// A deep stack shared by many samples is not an error.
TEST(OtlpJson, DeepStacksByReference) {
  std::string deep = "1", samples;
  for (int i = 1; i < 3000; ++i) { deep += ",1"; }
  for (int i = 0; i < 3000; ++i) { samples += std::string(i ? "," : "") + R"j({"stackIndex":1,"values":["1"]})j"; }
  Profile p = good(kOtlpJsonReader, R"j({"dictionary":{"stringTable":["","f"],"functionTable":[{},{"nameStrindex":1}],
"locationTable":[{},{"lines":[{"functionIndex":1}]}],"stackTable":[{},{"locationIndices":[)j" +
                                        deep + R"j(]}]},"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"samples":[)j" +
                                        samples + "]}]}]}]}");
  EXPECT_EQ(p.samples().size(), 3000u);
  EXPECT_EQ(p.stacks().size(), 3000u);
  EXPECT_EQ(warnings(p), "");
}

TEST(OtlpJson, SlicesOfLocations) {
  const char text[] = R"j({"dictionary":{"stringTable":["","f","g"],"functionTable":[{},{"nameStrindex":1},
{"nameStrindex":2}],"locationTable":[{"line":[{"functionIndex":1}]},
{"line":[{"functionIndex":2}]}]},
"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"timeNanos":"5","durationNanos":"9"},{"durationNanos":"3"},{"timeNanos":12,"durationNanos":7,"locationIndices":[1,0,1],
"sample":[{"locationsStartIndex":1,"locationsLength":2,"value":[4]},{"locationsStartIndex":2,
"locationsLength":2,"value":[1]}]}]}]}]})j";
  Profile p = good(kOtlpJsonReader, text);
  EXPECT_EQ(lines_of(p), (Lines{"g;f 4/4"}));
  EXPECT_EQ(p.warnings().size(), 1u);
  EXPECT_EQ(p.start_wall_ns(), 5u);
  EXPECT_EQ(p.duration_ns(), 14u);  // from the first one's start to the last one's end
}

}  // namespace
}  // namespace wick
