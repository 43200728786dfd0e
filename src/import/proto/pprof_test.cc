// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/proto/pprof.h"

#include <protozero/pbf_writer.hpp>
#include <string>
#include <vector>

#include "import/common/import_testing.h"

namespace wick {
namespace {
using namespace testing_import;
using protozero::pbf_writer;

class Strings {
 public:
  int64_t operator()(std::string_view text) {
    auto it = std::find(texts_.begin(), texts_.end(), text);
    if (it == texts_.end()) { it = texts_.insert(it, std::string(text)); }
    return it - texts_.begin();
  }
  void write(pbf_writer& to, uint32_t field) const {
    for (const std::string& text : texts_) { to.add_string(field, text); }
  }

 private:
  std::vector<std::string> texts_ = {""};
};

// A file with functions 1 main, 2 work, 3 inner; locations 1 main, 2 work with inner inlined, 3 without a symbol.
class PprofFile {
 public:
  PprofFile() : out_(text_) {}
  void type(std::string_view name, std::string_view unit) {
    pbf_writer m(out_, 1);
    m.add_int64(1, strings_(name));
    m.add_int64(2, strings_(unit));
  }
  void sample(std::vector<uint64_t> locations, std::vector<int64_t> values, std::string_view thread = {}, int64_t tid = 0,
              int64_t time_ns = 0) {
    pbf_writer m(out_, 2);
    m.add_packed_uint64(1, locations.begin(), locations.end());
    m.add_packed_int64(2, values.begin(), values.end());
    if (!thread.empty()) { label(m, "thread", strings_(thread), 0); }
    if (tid != 0) { label(m, "tid", 0, tid); }
    if (time_ns != 0) { label(m, "end_timestamp_ns", 0, time_ns); }
  }
  void labelled(std::vector<uint64_t> locations, std::vector<int64_t> values, std::string_view key, std::string_view text) {
    pbf_writer m(out_, 2);
    m.add_packed_uint64(1, locations.begin(), locations.end());
    m.add_packed_int64(2, values.begin(), values.end());
    label(m, key, strings_(text), 0);
  }
  void location(uint64_t id, uint64_t address, const std::vector<std::pair<uint64_t, int64_t>>& lines) {
    pbf_writer m(out_, 4);
    m.add_uint64(1, id);
    m.add_uint64(2, 1);
    m.add_uint64(3, address);
    for (const auto& [function, line] : lines) {
      pbf_writer l(m, 4);
      l.add_uint64(1, function);
      l.add_int64(2, line);
    }
  }
  void duration(int64_t ns) { out_.add_int64(10, ns); }
  void function_without_name(uint64_t id) {
    pbf_writer m(out_, 5);
    m.add_uint64(1, id);
    m.add_int64(2, 4711);
  }
  void comment(std::string_view text) { out_.add_int64(13, strings_(text)); }
  void drop_frames(std::string_view pattern) { out_.add_int64(7, strings_(pattern)); }
  void keep_frames(std::string_view pattern) { out_.add_int64(8, strings_(pattern)); }
  std::string finish(std::string_view default_type = {}) {
    {
      pbf_writer m(out_, 3);
      m.add_uint64(1, 1);
      m.add_uint64(2, 0x1000);
      m.add_uint64(3, 0x9000);
      m.add_int64(5, strings_("/bin/app"));
      m.add_int64(6, strings_("beef"));
    }
    int64_t id = 0;
    for (const char* name : {"main", "work", "inner"}) {
      pbf_writer m(out_, 5);
      m.add_uint64(1, static_cast<uint64_t>(++id));
      m.add_int64(2, strings_(name));
      m.add_int64(3, strings_(name));
      m.add_int64(4, strings_("a.c"));
    }
    location(1, 0x1100, {{1, 10}});
    location(2, 0x1200, {{3, 30}, {2, 20}});
    location(3, 0x1300, {});
    if (!default_type.empty()) { out_.add_int64(14, strings_(default_type)); }
    strings_.write(out_, 6);
    return text_;
  }

 private:
  void label(pbf_writer& sample, std::string_view key, int64_t text, int64_t number) {
    pbf_writer m(sample, 3);
    m.add_int64(1, strings_(key));
    if (text != 0) { m.add_int64(2, text); }
    if (number != 0) { m.add_int64(3, number); }
  }
  std::string text_;
  pbf_writer out_;
  Strings strings_;
};

TEST(Pprof, CpuProfileOfGo) {
  PprofFile f;
  f.type("samples", "count");
  f.type("cpu", "nanoseconds");
  f.sample({2, 1}, {3, 30'000'000}, "worker", 42);
  f.sample({3, 1}, {1, 10'000'000});
  f.sample({1}, {1, 0});
  f.sample({9}, {1, 1});
  f.sample({1}, {1});
  std::string text = f.finish();
  EXPECT_EQ(detected(text), "pprof");
  Profile p = good(kPprofReader, text);
  ASSERT_EQ(p.events().size(), 1u);
  EXPECT_EQ(p.text(p.events()[0].name), "cpu");
  EXPECT_EQ(p.text(p.events()[0].unit), "ns");
  EXPECT_EQ(lines_of(p), (Lines{"main 0/1", "main;[app+0x300] 10000000/1", "worker|main;work;~inner 30000000/3"}));
  ASSERT_EQ(p.places().size(), 1u);  // for frames without symbols
  EXPECT_EQ(p.places()[0].space, FramePlace::Space::kFileOffset);
  EXPECT_EQ(p.places()[0].value, 0x300u);
  EXPECT_EQ(warnings(p), "skipped 2 samples; first: sample 3: location 9 is not in the table");
  const Frame* inner = find_frame(p, "inner");
  EXPECT_EQ(inner->line, 30u);
  EXPECT_EQ(inner->address, 0x1200u);
  EXPECT_EQ(p.text(inner->file), "a.c");
  EXPECT_EQ(p.text(p[p[inner->function].module].build_id), "beef");
  EXPECT_EQ(p.threads()[0].tid, 42u);
  EXPECT_FALSE(p.has_times());
  expect_survives(kPprofReader, text);
}

TEST(Pprof, DurationLabelsAndMissingRows) {
  PprofFile f;
  f.type("samples", "count");
  f.sample({1}, {3});
  f.sample({4}, {1});
  f.sample({5}, {1});
  f.duration(2'500'000'000);
  f.location(4, 0x1400, {{9, 1}});  // no such function
  f.function_without_name(7);
  f.location(5, 0x1500, {{7, 1}});
  f.labelled({1}, {1}, "request", "login");
  Profile p = good(kPprofReader, f.finish());
  EXPECT_EQ(p.duration_ns(), 2'500'000'000u);
  EXPECT_TRUE(p.left_behind().labels);
  EXPECT_FALSE(p.losses_known());
  EXPECT_EQ(warnings(p), "2 lines of locations refer to a missing function or name");
}

TEST(Pprof, HeapProfileHasSeveralEvents) {
  PprofFile f;
  f.type("alloc_objects", "count");
  f.type("alloc_space", "bytes");
  f.type("inuse_objects", "count");
  f.type("inuse_space", "bytes");
  f.sample({1}, {10, 1000, 0, 0});
  f.sample({2, 1}, {4, 64, 2, 32});
  Profile p = good(kPprofReader, f.finish("inuse_space"));
  ASSERT_EQ(p.events().size(), 4u);
  EXPECT_EQ(p.text(p.events()[0].name), "inuse_space");
  EXPECT_EQ(lines_of(p, "inuse_space"), (Lines{"main;work;~inner 32/2"}));
  EXPECT_EQ(lines_of(p, "alloc_space"), (Lines{"main 1000/10", "main;work;~inner 64/4"}));
  EXPECT_EQ(lines_of(p, "alloc_objects"), (Lines{"main 10/10", "main;work;~inner 4/4"}));
}

TEST(Pprof, UnitsAndRowsOfSeveralEvents) {
  PprofFile f;
  f.type("samples", "count");
  f.type("wall", "milliseconds");
  f.type("cycles", "cycles");
  f.sample({1}, {2, 7, 0});
  f.sample({1}, {5, 0, 900});
  f.sample({1}, {1, INT64_MAX, 0});
  Profile p = good(kPprofReader, f.finish());
  EXPECT_EQ(lines_of(p, "wall"), (Lines{"main 7000000/2"}));
  EXPECT_EQ(lines_of(p, "cycles"), (Lines{"main 900/5"}));
  EXPECT_EQ(warnings(p), "skipped 1 sample; sample 2: its value is too large");
}

TEST(Pprof, OnlyCounts) {
  PprofFile f;
  f.type("samples", "count");
  f.sample({1}, {2});
  Profile p = good(kPprofReader, f.finish());
  EXPECT_EQ(lines_of(p, "samples"), (Lines{"main 2/2"}));
  EXPECT_EQ(p.text(p.events()[0].unit), "samples");
}

TEST(Pprof, ColumnsOfTheSameNameAreDifferentEvents) {
  PprofFile f;
  f.type("samples", "count");
  f.type("cpu", "nanoseconds");
  f.type("cpu", "nanoseconds");
  f.sample({1}, {2, 20, 0});
  f.sample({1}, {3, 0, 30});
  f.comment("event task-clock, unit ns");
  f.comment("event cpu-clock, unit ns");
  Profile p = good(kPprofReader, f.finish("cpu"));
  ASSERT_EQ(p.events().size(), 2u);
  EXPECT_EQ(lines_of(p, "task-clock"), (Lines{"main 20/2"}));
  EXPECT_EQ(lines_of(p, "cpu"), (Lines{"main 30/3"}));
  PprofFile same;
  same.type("x", "bytes");
  same.type("x", "bytes");
  same.sample({1}, {2, 3});
  p = good(kPprofReader, same.finish());
  EXPECT_EQ(lines_of(p, "x"), (Lines{"main 3/1"}));
  EXPECT_EQ(lines_of(p, "x (2)"), (Lines{"main 2/1"}));
}

// The event that wick wrote as "cpu" gets its name back, unless another column has it.
TEST(Pprof, TwoClocks) {
  PprofFile f;
  f.type("cpu", "nanoseconds");
  f.type("cpu-clock", "nanoseconds");
  f.sample({1}, {20, 0});
  f.sample({1}, {0, 30});
  f.comment("event task-clock, unit ns");
  f.comment("event cpu-clock, unit ns");
  Profile p = good(kPprofReader, f.finish("cpu"));
  EXPECT_EQ(lines_of(p, "task-clock"), (Lines{"main 20/1"}));
  EXPECT_EQ(lines_of(p, "cpu-clock"), (Lines{"main 30/1"}));
}

TEST(Pprof, SomeSamplesHaveTimes) {
  PprofFile f;
  f.type("cpu", "nanoseconds");
  f.sample({1}, {1});
  f.sample({1}, {2}, {}, 0, 7'000);
  f.sample({1}, {3}, {}, 0, 5'000);
  Profile p = good(kPprofReader, f.finish());
  EXPECT_TRUE(p.has_times());
  ASSERT_EQ(p.samples().size(), 3u);
  EXPECT_EQ(p.samples()[0].time_ns, 5'000u);
  EXPECT_EQ(p.samples()[0].weight, 1);
  EXPECT_EQ(p.samples()[2].time_ns, 7'000u);
  EXPECT_EQ(warnings(p), "1 sample has no time: shown at the beginning");
}

TEST(Pprof, DropFrames) {
  auto file = [](std::string_view drop, std::string_view keep = {}) {
    PprofFile f;
    f.type("cpu", "nanoseconds");
    f.sample({3, 2, 1}, {1});
    f.sample({3, 1, 1}, {2});
    f.sample({2}, {4});
    f.drop_frames(drop);
    if (!keep.empty()) { f.keep_frames(keep); }
    return good(kPprofReader, f.finish());
  };
  Profile p = file("wor.|x");  // with all its callees, but not at the root
  EXPECT_EQ(lines_of(p), (Lines{"main 1/1", "main;main;[app+0x300] 2/1", "work;~inner 4/1"}));
  EXPECT_EQ(warnings(p), "removed the innermost functions of 1 stack, as the file requests (drop_frames: wor.|x)");
  p = file("inn.*");  // only what is inlined at an address
  EXPECT_EQ(lines_of(p), (Lines{"main;main;[app+0x300] 2/1", "main;work 1/1", "work 4/1"}));
  p = file("wo.*", "work|y");
  EXPECT_EQ(lines_of(p)[1], "main;work;~inner;[app+0x300] 1/1");
  EXPECT_EQ(warnings(p), "");
  EXPECT_EQ(lines_of(file("^wor{1}k$")), lines_of(file("wor.")));
  p = file("wor(");
  EXPECT_EQ(warnings(p), "cannot apply the file's frame filter (wor(): showing all frames");
  // More work than allowed for a file of this size.
  p = file("((a{0,10}){0,10}){0,10}{0,10}");
  EXPECT_NE(warnings(p).find("cannot apply"), std::string::npos) << warnings(p);
}

// A location with many inlined functions, used repeatedly: frames would grow with the square of the file size.
TEST(Pprof, RejectsTooManyInlinedFunctions) {
  std::string text;
  pbf_writer out(text);
  {
    pbf_writer m(out, 1);
    m.add_int64(1, 1);
    m.add_int64(2, 1);
  }
  {
    pbf_writer m(out, 4);
    m.add_uint64(1, 1);
    for (int i = 0; i < 20000; ++i) {
      pbf_writer l(m, 4);
      l.add_uint64(1, 1);
      l.add_int64(2, i);
    }
  }
  for (int i = 0; i < 100; ++i) {
    pbf_writer m(out, 2);
    std::vector<uint64_t> ids(200, 1);
    std::vector<int64_t> values = {1};
    m.add_packed_uint64(1, ids.begin(), ids.end());
    m.add_packed_int64(2, values.begin(), values.end());
  }
  out.add_string(6, "");
  out.add_string(6, "x");
  std::string message = failure(kPprofReader, text);
  EXPECT_NE(message.find("too many inlined functions"), std::string::npos) << message;
}

TEST(Pprof, OtherFilesAreErrors) {
  EXPECT_EQ(
      failure(kPprofReader, "\x0a"),
      "as pprof profile: byte 0: damaged or truncated: expected a complete field of profile.proto (end of buffer exception)");
  EXPECT_EQ(failure(kPprofReader, ""), "as pprof profile: no sample types; expected field 1 of profile.proto");
  EXPECT_EQ(detected("\nsome text that begins with an empty line\nand goes on"), "");
  EXPECT_EQ(detected("\n\n\n\n"), "");
}

// --- OpenTelemetry ---

enum class Layout { kSlices, kStacks };

std::string otlp_file(Layout layout, bool times = true) {
  Strings strings;
  std::string text;
  pbf_writer out(text);
  {
    pbf_writer resource(out, 1);
    {
      pbf_writer attributes(resource, 1);
      pbf_writer pair(attributes, 1);
      pair.add_string(1, "process.pid");
      pbf_writer value(pair, 2);
      value.add_int64(3, 77);
    }
    pbf_writer scope(resource, 2);
    pbf_writer profile(scope, 2);
    {
      pbf_writer type(profile, 1);
      type.add_int64(1, strings("cpu"));
      type.add_int64(2, strings("milliseconds"));
    }
    std::vector<int64_t> values = {2, 3}, attributes = {1};
    std::vector<uint64_t> stamps = {5'000'000'100, 5'000'000'000};
    if (!times) { values = {5}; }
    if (layout == Layout::kStacks) {
      {
        pbf_writer sample(profile, 2);
        sample.add_int64(1, 1);
        sample.add_packed_int64(2, attributes.begin(), attributes.end());
        sample.add_packed_int64(4, values.begin(), values.end());
        if (times) { sample.add_packed_fixed64(5, stamps.begin(), stamps.end()); }
      }
      {
        pbf_writer sample(profile, 2);
        sample.add_int64(1, 9);
      }
      profile.add_fixed64(3, 4'000'000'000);
      profile.add_uint64(4, 3'000'000'000);
    } else {
      {
        pbf_writer sample(profile, 2);
        sample.add_int64(1, 1);
        sample.add_int64(2, 2);
        sample.add_packed_int64(3, values.begin(), values.end());
        sample.add_packed_int64(4, attributes.begin(), attributes.end());
        if (times) { sample.add_packed_uint64(6, stamps.begin(), stamps.end()); }
      }
      {
        pbf_writer sample(profile, 2);
        sample.add_int64(1, 2);
        sample.add_int64(2, 2);
      }
      std::vector<int64_t> slices = {0, 2, 1};
      profile.add_packed_int64(3, slices.begin(), slices.end());
      profile.add_int64(4, 4'000'000'000);
      profile.add_int64(5, 3'000'000'000);
    }
  }
  pbf_writer dictionary(out, 2);
  dictionary.add_message(1, std::string());
  {
    pbf_writer mapping(dictionary, 1);
    mapping.add_int64(4, strings("/bin/app"));
  }
  dictionary.add_message(2, std::string());
  for (int i = 1; i < 3; ++i) {  // 1 main, 2 work with inner
    pbf_writer location(dictionary, 2);
    location.add_int64(1, 1);
    if (i == 2) {
      pbf_writer line(location, 3);
      line.add_int64(1, 3);
    }
    pbf_writer line(location, 3);
    line.add_int64(1, i);
    line.add_int64(2, 10 * i);
  }
  dictionary.add_message(3, std::string());
  for (const char* name : {"main", "work", "inner"}) {
    pbf_writer function(dictionary, 3);
    function.add_int64(1, strings(name));
  }
  if (layout == Layout::kStacks) {
    dictionary.add_message(6, std::string());
    {
      pbf_writer attribute(dictionary, 6);
      attribute.add_int64(1, strings("thread.name"));
      pbf_writer value(attribute, 2);
      value.add_string(1, "worker");
    }
    dictionary.add_message(7, std::string());
    std::vector<int64_t> stack = {2, 1};
    pbf_writer row(dictionary, 7);
    row.add_packed_int64(1, stack.begin(), stack.end());
  } else {
    dictionary.add_message(6, std::string());
    pbf_writer attribute(dictionary, 6);
    attribute.add_string(1, "thread.name");
    pbf_writer value(attribute, 2);
    value.add_string(1, "worker");
  }
  strings.write(dictionary, 5);
  return text;
}

TEST(Otlp, BothLayouts) {
  for (Layout layout : {Layout::kStacks, Layout::kSlices}) {
    std::string text = otlp_file(layout);
    EXPECT_EQ(detected(text), "otlp");
    Profile p = good(kOtlpReader, text);
    EXPECT_EQ(lines_of(p), (Lines{"worker|main;work;~inner 5000000/2"}));
    EXPECT_TRUE(p.has_times());
    EXPECT_EQ(p.start_wall_ns(), 5'000'000'000u);
    ASSERT_EQ(p.samples().size(), 2u);
    EXPECT_EQ(p.samples()[1].time_ns, 100u);
    EXPECT_EQ(p.processes()[0].pid, 77u);
    EXPECT_EQ(p.text(p[p[find_frame(p, "inner")->function].module].name), "app");
    EXPECT_EQ(p.warnings().size(), 1u);
    Profile untimed = good(kOtlpReader, otlp_file(layout, false));
    EXPECT_FALSE(untimed.has_times());
    EXPECT_EQ(untimed.start_wall_ns(), 4'000'000'000u);
    EXPECT_EQ(untimed.duration_ns(), 3'000'000'000u);
    EXPECT_EQ(lines_of(untimed), (Lines{"worker|main;work;~inner 5000000/1"}));
    expect_survives(kOtlpReader, text);
  }
}

}  // namespace
}  // namespace wick
