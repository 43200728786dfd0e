// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/viewer.h"

#include <gtest/gtest.h>

#include "view/view_testing.h"
#include "view/viewer_code.h"

namespace wick {
namespace {

using testing_view::Folder;
using testing_view::request_of;
using testing_view::script_sample;

std::string header_of(const Result<ViewerLoad>& load) {
  EXPECT_TRUE(load.ok()) << (load.ok() ? "" : load.error().message());
  return load.ok() ? std::string(load->profile.pieces().front()) : std::string();
}
bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(Viewer, AllEventsOfAFile) {
  Folder folder;
  std::string file = folder.file("a.perf", script_sample("app", 1, 1, "cycles", {"hot", "main"}) +
                                               script_sample("app", 1, 2, "page-faults", {"touch", "main"}));
  std::string header = header_of(load_for_viewer(request_of({file})));
  EXPECT_TRUE(has(header, "\"name\":\"cycles\""));
  EXPECT_TRUE(has(header, "\"name\":\"page-faults\""));
  EXPECT_TRUE(has(header, "\"files\":[\"" + file + "\"]"));
  EXPECT_FALSE(has(header_of(load_for_viewer(request_of({file}, {.event = "cycles"}))), "\"name\":\"page-faults\""));
  EXPECT_FALSE(load_for_viewer(request_of({folder.path("missing")})).ok());
}

TEST(Viewer, BothSidesKeepTheirTimes) {
  Folder folder;
  DiffRequest request;
  request.before = folder.file("a.perf", script_sample("app", 1, 100, "cycles", {"hot", "main"}));
  request.after = folder.file("b.perf", script_sample("app", 1, 200, "cycles", {"hot", "main"}) +
                                            script_sample("app", 1, 201, "cycles", {"cold", "main"}));
  std::string header = header_of(load_comparison_for_viewer(request));
  EXPECT_TRUE(has(header, "\"isDifference\":true,\"sides\":[\"" + request.before + "\",\"" + request.after + "\"]"));
  EXPECT_TRUE(has(header, "\"hasTimes\":true"));
  EXPECT_TRUE(has(header, "\"durationNs\":1000000000,"));
}

TEST(Viewer, ThreadsOfBothSidesKeepTheirNames) {
  Folder folder;
  auto recording = [](const std::string& name) {
    std::string module = " (/opt/" + name + ")\n";
    return name + " 100/100 [000] 1.000000: 1 cycles:\n\t1010 hot" + module + "\t1020 main" + module + "\n";
  };
  DiffRequest request;
  request.before = folder.file("a.perf", recording("app-old"));
  request.after = folder.file("b.perf", recording("app-new"));
  std::string header = header_of(load_comparison_for_viewer(request));
  std::string before = "\"name\":\"app-old\",\"commonName\":\"app-new\"", after = "\"name\":\"app-new\"";
  EXPECT_TRUE(has(header, "\"parentPid\":0," + before)) << header;
  EXPECT_TRUE(has(header, "\"tid\":100," + before + ",\"start\"")) << header;
  EXPECT_TRUE(has(header, "\"tid\":100," + after + ",\"start\"")) << header;
  EXPECT_TRUE(has(header, "\"groups\":[\"app-new\"]")) << header;
}

TEST(Viewer, AddressesOfOtherToolsAreNotTrusted) {
  Folder folder;
  std::string file = folder.file("a.perf", script_sample("app", 1, 1, "cycles", {"hot"}));
  Result<ViewerLoad> load = load_for_viewer(request_of({file}));
  ASSERT_TRUE(load.ok());
  EXPECT_TRUE(has(load->code(0).value_or(""), "wick shows them only for its recordings")) << load->code(0).value_or("");
}

TEST(Viewer, SaysThatSourceHasChangedSinceTheRecording) {
  Folder folder;
  std::string file = folder.file("a.c", "one\ntwo\n");
  for (uint64_t recorded_ns : {uint64_t{1'000'000'000}, UINT64_MAX / 4}) {
    ProfileBuilder b;
    b.about().start_wall_ns = recorded_ns;
    FunctionId function = b.function("f", {}, b.module("/bin/no-such-program", "aa"));
    b.frame({.function = function, .address = 16, .file = b.string(file), .line = 2});
    Profile profile = std::move(b).build();
    std::string json = code_json(ViewerCode(profile, {function}, {}).read(0));
    EXPECT_EQ(has(json, "changed since the recording"), recorded_ns == 1'000'000'000) << json;
  }
}

TEST(Viewer, ComparesDifferentUnitsByShares) {
  Folder folder;
  DiffRequest request;
  request.before = folder.file("a.folded", "main;a 300\n");
  request.after = folder.file("b.perf", script_sample("app", 1, 200, "page-faults", {"a", "main"}));
  Result<ViewerLoad> load = load_comparison_for_viewer(request);
  EXPECT_TRUE(has(header_of(load), "\"hasTimes\":false"));
}

}  // namespace
}  // namespace wick
