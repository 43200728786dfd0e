// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The bytes are decoded here by the rules of docs/view-protocol.md, with nothing of the writer but its output.

#include "export/viewer_profile.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "analyze/color.h"
#include "export/export_testing.h"
#include "model/testing.h"

namespace wick {
namespace {

using testing_export::odd_profile;
using testing_export::small_profile;
using testing_export::timeless_profile;
using testing_profile::profile_of;
using testing_profile::with_samples;

constexpr double kNone = 4294967295;

struct Decoded {
  std::string header;
  std::map<std::string, std::vector<double>> columns;

  const std::vector<double>& operator[](const std::string& name) const { return columns.at(name); }
  std::string text(double number) const {
    auto i = static_cast<size_t>(number);
    std::string out;
    for (auto at = static_cast<size_t>((*this)["string_offset"][i]); at < (*this)["string_offset"][i + 1]; ++at) {
      out += static_cast<char>(static_cast<uint8_t>((*this)["string_bytes"][at]));
    }
    return out;
  }
  // The functions of a stack, outermost first, with the number of its group.
  std::string stack(double row) const {
    std::string out;
    for (auto i = static_cast<size_t>(row);; i = static_cast<size_t>((*this)["stack_caller"][i])) {
      if ((*this)["stack_frame"][i] == kNone) { return std::to_string(i) + out; }
      EXPECT_LT((*this)["stack_caller"][i], i) << "callers come first";
      std::string name = text((*this)["function_name"][function(i)]);
      out = ";" + name + out;
    }
  }
  size_t function(size_t stack_row) const {
    return static_cast<size_t>((*this)["frame_function"][static_cast<size_t>((*this)["stack_frame"][stack_row])]);
  }
  bool says(std::string_view part) const { return header.find(part) != std::string::npos; }
};

// Just enough for the flat objects of "columns".
std::string field(std::string_view object, const std::string& name) {
  size_t at = object.find("\"" + name + "\":");
  if (at == std::string_view::npos) { return {}; }
  std::string_view rest = object.substr(at + name.size() + 3);
  std::string value(rest.substr(0, rest.find_first_of(",}")));
  std::erase(value, '"');
  return value;
}

Decoded decode(const std::string& bytes) {
  Decoded out;
  EXPECT_EQ(bytes.substr(0, 8), "WICKVIEW");
  uint32_t version = 0, size = 0;
  std::memcpy(&version, bytes.data() + 8, 4);
  std::memcpy(&size, bytes.data() + 12, 4);
  EXPECT_EQ(version, 1U);
  EXPECT_EQ((16 + size) % 8, 0U);
  EXPECT_EQ(bytes.size() % 8, 0U);
  out.header = bytes.substr(16, size);
  std::string_view columns = std::string_view(out.header).substr(out.header.find("\"columns\":["));
  while ((columns = columns.substr(std::min(columns.find('{'), columns.size()))).size() > 1) {
    std::string_view object = columns.substr(0, columns.find('}') + 1);
    columns.remove_prefix(object.size());
    std::vector<double>& values = out.columns[field(object, "name")];
    size_t count = std::stoul(field(object, "count"));
    if (std::string constant = field(object, "constant"); !constant.empty()) {
      values.assign(count, std::stod(constant));
      continue;
    }
    std::string type = field(object, "type");
    size_t offset = 16 + size + std::stoul(field(object, "offset")), width = type == "u8" ? 1 : type == "u32" ? 4 : 8;
    EXPECT_EQ(offset % 8, 0U);
    EXPECT_LE(offset + count * width, bytes.size());
    for (size_t i = 0; i < count; ++i) {
      const char* at = bytes.data() + offset + i * width;
      uint32_t whole = static_cast<uint8_t>(*at);
      double number = 0;
      if (width == 4) { std::memcpy(&whole, at, 4); }
      if (width == 8) { std::memcpy(&number, at, 8); }
      values.push_back(width == 8 ? number : whole);
    }
  }
  return out;
}

Decoded decoded(const Profile& profile, const Filter& filter = {}, const ViewerNotes& notes = {}) {
  ExportView view{profile, filter, {*select_samples(profile, filter)}};
  for (uint32_t i = 0; i < profile.events().size(); ++i) {
    if (EventId{i} != view.first().event) { view.selections.push_back(*select_samples(profile, filter, EventId{i})); }
  }
  ViewerProfile made(view, notes);
  std::string bytes;
  made.write([&](std::string_view piece) {
    bytes += piece;
    return true;
  });
  EXPECT_EQ(bytes.size(), made.size_bytes());
  return decode(bytes);
}

TEST(ViewerProfile, SamplesAreSortedByEventThreadAndTime) {
  Decoded d = decoded(small_profile());
  EXPECT_EQ(d["segment_event"], (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(d["segment_thread"], (std::vector<double>{0, 1, 1}));
  EXPECT_EQ(d["segment_first"], (std::vector<double>{0, 3, 4, 5}));
  EXPECT_EQ(d["sample_time"], (std::vector<double>{1000, 2000, 5000, 3000, 4000}));
  EXPECT_EQ(d["sample_weight"], (std::vector<double>{1'000'000, 1'000'000, 1'000'500, 1'000'000, 1}));
  EXPECT_EQ(d["sample_count"], (std::vector<double>(5, 1)));
  std::vector<std::string> stacks;
  for (double row : d["sample_stack"]) { stacks.push_back(d.stack(row)); }
  EXPECT_EQ(stacks, (std::vector<std::string>{"0;main;work;step", "0;main;work;step", "0;main;work;work",
                                              "0;main;work;work;do_fault", "0;main;work;work;do_fault"}));
  EXPECT_TRUE(d.says("\"groups\":[\"app\"]"));
  EXPECT_TRUE(d.says("\"name\":\"cpu-clock\",\"unit\":\"ns\",\"divisor\":1,\"rateHz\":1000,\"samples\":4,\"weight\":4000500"));
  EXPECT_TRUE(d.says("\"skid\":\"cpu-clock has skid: a cost may belong to an earlier instruction\""));
  EXPECT_TRUE(d.says("\"tid\":101,\"name\":\"worker\",\"start\":0,\"end\":4001,\"side\":0"));
  EXPECT_TRUE(d.says("\"timeUnitNs\":1000,\"hasTimes\":true"));
  EXPECT_TRUE(d.says("\"summary\":[\"4 samples of cpu-clock at 1,000 Hz in "));
}

TEST(ViewerProfile, DescribesFunctionsAndFrames) {
  Decoded d = decoded(small_profile());
  std::vector<std::string> names;
  for (double name : d["function_name"]) { names.push_back(d.text(name)); }
  EXPECT_EQ(names, (std::vector<std::string>{"main", "work", "step", "do_fault"}));
  EXPECT_EQ(d["function_module"], (std::vector<double>{0, 0, 0, 1}));
  EXPECT_EQ(d["function_kind"], (std::vector<double>{0, 0, 0, 4}));
  for (size_t i = 0; i < names.size(); ++i) { EXPECT_EQ(d["function_shade"][i], color_shade(names[i])); }
  EXPECT_EQ(d["frame_function"], (std::vector<double>{0, 1, 2, 1, 3}));
  EXPECT_EQ(d.text(d["frame_file"][2]), "/src/step.h");
  EXPECT_EQ(d["frame_file"][4], kNone);
  EXPECT_EQ(d["frame_line"], (std::vector<double>{11, 22, 5, 23, 0}));
  EXPECT_EQ(d["frame_address"][0], 0x1010);
  EXPECT_EQ(d["frame_inlined"], (std::vector<double>{0, 0, 1, 0, 0}));
  EXPECT_TRUE(d.says("\"name\":\"[kernel]\",\"path\":\"[kernel]\",\"buildId\":\"\",\"kernel\":true"));
  EXPECT_TRUE(d.says("\"kinds\":[\"program\",\"libraries\","));
}

// Clones of a function have one name, and users see one function.
TEST(ViewerProfile, MergesFunctionsOfOneNameAndModule) {
  ProfileBuilder b;
  EventId e = b.event("cpu-clock", "ns");
  ThreadId t = b.add_thread(b.add_process(1, "app"), 1, "app");
  for (const char* raw : {"f", "f.constprop.0"}) {
    b.add_sample({.thread = t,
                  .stack = b.stack(b.frame({.function = b.function("f", raw, b.module("/bin/app"))}), {}),
                  .event = e,
                  .weight = 1});
  }
  Decoded d = decoded(std::move(b).build());
  EXPECT_EQ(d["function_name"].size(), 1U);
  EXPECT_EQ(d["frame_function"], (std::vector<double>{0, 0}));
}

// Two process names share `run`: each has rows of its own, and the second name's threads are one group.
TEST(ViewerProfile, StacksBeginWithTheProcessName) {
  ProfileBuilder b;
  EventId e = b.event("cpu-clock", "ns");
  StackId run = b.stack(b.frame({.function = b.function("run", {}, {})}), {});
  StackId leaf = b.stack(b.frame({.function = b.function("leaf", {}, {})}), run);
  b.stack(b.frame({.function = b.function("unused", {}, {})}), run);
  std::vector<ThreadId> threads = {b.add_thread(b.add_process(1, "sh"), 1, "sh"), b.add_thread(b.add_process(2, "cc"), 2, "cc"),
                                   b.add_thread(b.add_process(3, "cc"), 3, "cc"), b.add_thread(b.add_process(4, "idle"), 4, "x")};
  for (size_t i = 0; i < 3; ++i) { b.add_sample({.time_ns = i, .thread = threads[i], .stack = i == 0 ? run : leaf, .event = e}); }
  Decoded d = decoded(std::move(b).build());
  EXPECT_TRUE(d.says("\"groups\":[\"sh\",\"cc\"]"));
  EXPECT_EQ(d["stack_frame"], (std::vector<double>{kNone, kNone, 0, 0, 1}));
  EXPECT_EQ(d["stack_caller"], (std::vector<double>{kNone, kNone, 0, 1, 3}));
  EXPECT_EQ(d["sample_stack"], (std::vector<double>{2, 4, 4}));
  EXPECT_FALSE(d.says("idle"));
}

// A file of a few kilobytes can name one deep stack in many processes.
TEST(ViewerProfile, ManyProcessNamesShareStacks) {
  ProfileBuilder b;
  EventId e = b.event("cpu-clock", "ns");
  StackId deep;
  FrameId frame = b.frame({.function = b.function("f", {}, {})});
  constexpr uint32_t kDepth = 10'000, kProcesses = 2'000;
  for (uint32_t i = 0; i < kDepth; ++i) { deep = b.stack(frame, deep); }
  for (uint32_t i = 0; i < kProcesses; ++i) {
    b.add_sample(
        {.time_ns = i, .thread = b.add_thread(b.add_process(i, "p" + std::to_string(i)), i, ""), .stack = deep, .event = e});
  }
  Decoded d = decoded(std::move(b).build());
  EXPECT_LT(d["stack_frame"].size(), size_t{2} << 20);
  EXPECT_TRUE(d.says(",\"[other processes]\"]"));
  EXPECT_EQ(d["sample_stack"].size(), kProcesses);
  EXPECT_EQ(d.stack(d["sample_stack"].back()).size(), d.stack(d["sample_stack"][200]).size());
}

TEST(ViewerProfile, HostileNamesAreValidUtf8) {
  Decoded d = decoded(odd_profile());
  std::vector<std::string> names;
  for (double name : d["function_name"]) { names.push_back(d.text(name)); }
  EXPECT_EQ(names, (std::vector<std::string>{"f\"\\\x02</script>", "g\ufffd\ufffd;\n", "h\u2028,\r", "[unnamed]"}));
  EXPECT_TRUE(d.says("\"name\":\"t\ufffd(;\\n\\\"\""));
  EXPECT_EQ(d.header.find('\n'), std::string::npos);
}

TEST(ViewerProfile, ProfilesWithoutTimes) {
  Decoded d = decoded(timeless_profile());
  EXPECT_TRUE(d.says("\"hasTimes\":false"));
  EXPECT_TRUE(d.says("\"divisor\":1000000"));
  EXPECT_EQ(d["sample_time"], (std::vector<double>{0, 0}));
  EXPECT_EQ(d["sample_weight"], (std::vector<double>{3'000'000, 2'000'000}));
  EXPECT_EQ(d["sample_count"], (std::vector<double>{3, 2}));
}

TEST(ViewerProfile, ProfilesWithoutSamples) {
  ProfileBuilder b;
  b.event("cpu-clock", "ns", 1000);
  Decoded d = decoded(std::move(b).build());
  EXPECT_TRUE(d.says("\"events\":[{\"name\":\"cpu-clock\""));
  EXPECT_TRUE(d.says("\"groups\":[]"));
  EXPECT_EQ(d["segment_first"], (std::vector<double>{0}));
  EXPECT_TRUE(d["sample_stack"].empty());
  Decoded nothing = decoded(ProfileBuilder().build());
  EXPECT_TRUE(nothing.says("\"events\":[],\"defaultEvent\":0"));
}

// The page shows the instructions of one build.
TEST(ViewerProfile, AddressesOfOtherBuildsAreLeftOut) {
  ProfileBuilder b;
  EventId event = b.event("cpu-clock", "ns", 1000);
  ThreadId thread = b.add_thread(b.add_process(1, "app"), 1, "app");
  for (auto [build, address] : {std::pair("aa", 16), std::pair("bb", 16), std::pair("aa", 20)}) {
    FunctionId function = b.function("f", {}, b.module("/bin/app", build));
    StackId stack = b.stack(b.frame({.function = function, .address = static_cast<uint64_t>(address), .line = 7}), {});
    b.add_sample({.time_ns = 1, .thread = thread, .stack = stack, .event = event, .weight = 1});
  }
  Decoded d = decoded(std::move(b).build());
  EXPECT_EQ(d["frame_function"], (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(d["frame_line"], (std::vector<double>{7, 7, 7}));
  EXPECT_EQ(d["frame_address"], (std::vector<double>{16, 0, 20}));
}

TEST(ViewerProfile, BothSidesOfADifference) {
  ProfileBuilder b;
  b.about().is_difference = true;
  EventId before = b.event("before", "ns"), after = b.event("after", "ns");
  StackId stack = b.stack(b.frame({.function = b.function("f", {}, {})}), {});
  for (EventId event : {after, before}) {  // threads are those of one side
    ThreadId t = b.add_thread(b.add_process(1, "app"), 7, "app");
    b.add_sample({.time_ns = 2'000'000, .thread = t, .stack = stack, .event = event, .weight = 3});
  }
  Profile p = std::move(b).build();
  Decoded d = decoded(p, {}, {.sides = {"a.wick", "b.wick"}});
  EXPECT_TRUE(d.says("\"isDifference\":true,\"sides\":[\"a.wick\",\"b.wick\"]"));
  EXPECT_TRUE(d.says("\"title\":\"a.wick -> b.wick\""));
  EXPECT_TRUE(d.says("\"defaultEvent\":1"));
  EXPECT_TRUE(d.says("\"before: 1 sample in 2.0 ms, 1 thread, none lost\""));
  EXPECT_EQ(d["segment_event"], (std::vector<double>{0, 1}));
  EXPECT_EQ(d["segment_thread"], (std::vector<double>{1, 0}));
  EXPECT_EQ(d["sample_time"], (std::vector<double>{2000, 2000})) << "times count from the start of each recording";
  EXPECT_LT(d.header.find("\"side\":1"), d.header.find("\"side\":0"));
  Filter one{.event = "before"};
  std::string bytes;
  ViewerProfile(ExportView{p, one, {*select_samples(p, one)}}).write([&](std::string_view piece) {
    bytes += piece;
    return true;
  });
  EXPECT_TRUE(decode(bytes).says("\"isDifference\":false"));
}

TEST(ViewerProfile, WeightsOfAnySize) {
  Profile p = profile_of({"app;a 1", "app;b 1"});
  auto weights = [&](int64_t first, int64_t second) {
    return decoded(with_samples(p, [&](Sample& s) { s.weight = s.time_ns == 1'000'000 ? first : second; }))["sample_weight"];
  };
  EXPECT_EQ(weights(-5, 7), (std::vector<double>{-5, 7}));
  EXPECT_EQ(weights(UINT32_MAX, 7), (std::vector<double>{UINT32_MAX, 7}));
  EXPECT_EQ(weights(int64_t{1} << 40, 7), (std::vector<double>{1099511627776, 7}));
  EXPECT_EQ(weights(7, 7), (std::vector<double>{7, 7}));
  Decoded d = decoded(with_samples(p, [](Sample& s) { s.count = s.time_ns == 1'000'000 ? 300 : 0; }));
  EXPECT_EQ(d["sample_count"], (std::vector<double>{300, 0}));
}

TEST(ViewerProfile, LongRecordingsHaveACoarserClock) {
  ProfileBuilder b;
  b.set_start(1, 0);
  EventId e = b.event("cpu-clock", "ns");
  ThreadId t = b.add_thread(b.add_process(1, "app"), 1, "app");
  uint64_t week_ns = uint64_t{7} * 86400 * 1'000'000'000;
  for (uint64_t time_ns : {uint64_t{1}, week_ns}) { b.add_sample({.time_ns = time_ns, .thread = t, .event = e, .weight = 1}); }
  Decoded d = decoded(std::move(b).build());
  EXPECT_TRUE(d.says("\"timeUnitNs\":1000000,"));
  EXPECT_EQ(d["sample_time"], (std::vector<double>{0, 604'799'999}));
}

TEST(ViewerProfile, ShowsTheSelectionAndWhatIsMissing) {
  ProfileBuilder b(profile_of({"app;a 3", "worker;b 1"}));
  b.add_loss("lost.ring_full", 12, true);
  b.set_cpu_time({.counted = 5'000'000, .sampled = 4'000'000, .unsampled = 1'000'000});
  b.count_stack(StackWay::kCopied, 4);
  b.add_warning("the file is damaged");
  Decoded d = decoded(std::move(b).build(), {.thread = "worker"}, {.files = {"a.wick"}});
  EXPECT_EQ(d["sample_time"].size(), 1U);
  EXPECT_TRUE(d.says("\"showing 1 sample, thread worker\""));
  EXPECT_TRUE(d.says("\"quality\":[\"12 samples lost (ring full: 12)\",\"20.0% of 5.0 ms of CPU time was not sampled"));
  EXPECT_TRUE(d.says("\"warnings\":[\"the file is damaged\"]"));
  EXPECT_TRUE(d.says("\"stackWays\":{\"copied\":4,"));
  EXPECT_TRUE(d.says("\"cpuTime\":{\"counted\":5000000,\"sampled\":4000000,\"unsampled\":1000000}"));
  EXPECT_TRUE(d.says("\"files\":[\"a.wick\"]"));
}

TEST(ViewerProfile, HasInsights) {
  ProfileBuilder b;
  testing_profile::add_lines(b, {"app;main;parse;libc.so.6`malloc 80", "app;main;parse 120"});
  Decoded d = decoded(std::move(b).build());
  EXPECT_TRUE(d.says("{\"rule\":\"allocation\",\"title\":\"allocating and freeing memory\",\"share\":0.4,\"sure\":\"certain\""));
  EXPECT_TRUE(d.says("\"where\":[{\"name\":\"parse\",\"module\":\"app\",\"file\":\"\",\"line\":0,\"share\":0.4}]"));
  EXPECT_TRUE(decoded(small_profile()).says("\"insights\":[]"));
}

}  // namespace
}  // namespace wick
