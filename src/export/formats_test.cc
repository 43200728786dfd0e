// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/formats.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "export/export_testing.h"
#include "export/folded.h"
#include "export/gzip.h"
#include "model/profile_builder.h"
#include "model/testing.h"

namespace wick {
namespace {

using testing_export::small_profile;
using testing_export::timeless_profile;
using testing_profile::edited;
using testing_profile::with_samples;

std::string name_of(std::string_view file) {
  const ExportFormat* format = format_of_file_name(file);
  return format == nullptr ? "none" : std::string(format->name);
}

TEST(Formats, ByFileName) {
  EXPECT_EQ(name_of("out.folded"), "folded");
  EXPECT_EQ(name_of("/tmp/x.y/OUT.SVG"), "svg");
  EXPECT_EQ(name_of("a.pb.gz"), "pprof");
  EXPECT_EQ(name_of("a.json.gz"), "firefox");
  EXPECT_EQ(name_of("a.speedscope.json"), "speedscope");
  EXPECT_EQ(name_of("a.trace.json"), "chrome-trace");
  EXPECT_EQ(name_of("a.cpuprofile"), "cpuprofile");
  EXPECT_EQ(name_of("dir/callgrind.out.4711"), "callgrind");
  EXPECT_EQ(name_of("a.csv"), "csv");
  EXPECT_EQ(name_of("a.wick.json"), "json");
  EXPECT_EQ(name_of("a.json"), "none");
  EXPECT_EQ(name_of("folded"), "none");
  EXPECT_EQ(name_of(""), "none");
  for (const ExportFormat& format : export_formats()) {
    EXPECT_EQ(name_of("profile" + std::string(format.extension)), format.name);
    EXPECT_EQ(find_export_format(format.name), &format);
  }
}

std::vector<std::string> remarks(const char* format, const Profile& p, bool all_events = false) {
  Filter filter;
  ExportView view{p, filter, {*select_samples(p, filter)}};
  if (all_events) { view.selections.push_back(*select_samples(p, filter, EventId{1})); }
  return export_remarks(*find_export_format(format), view);
}

TEST(Formats, RemarksOnLostData) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(remarks("json", small_profile(), true), Lines{});
  EXPECT_EQ(remarks("pprof", small_profile(), true), Lines{"pprof cannot store: times, CPUs"});
  EXPECT_EQ(remarks("firefox", small_profile(), true), Lines{"firefox cannot store: CPUs, sample counts"});
  EXPECT_EQ(remarks("html", small_profile(), true), Lines{});
  EXPECT_EQ(remarks("folded", small_profile()),
            Lines{"folded cannot store: times, CPUs, costs, modules, source lines, addresses, inlining, build IDs"});
  EXPECT_EQ(remarks("folded", timeless_profile()), Lines{});
  Profile added_up =
      edited(timeless_profile(), [](ProfileBuilder& b) { b.leave_behind({.times = true, .cpus = true, .labels = true}); });
  EXPECT_EQ(remarks("pprof", added_up), (Lines{"pprof cannot store: times, CPUs", "sample labels are not exported"}));
  Profile imported = edited(small_profile(), [](ProfileBuilder& b) { b.about().imported_from = "perf script text"; });
  EXPECT_EQ(remarks("folded", imported)[0],
            "folded cannot store: times, CPUs, sample counts, modules, source lines, addresses, inlining, build IDs");
  EXPECT_EQ(remarks("perf-script", timeless_profile()), Lines{"the samples have no times; writing them one after another"});
  Profile many = with_samples(timeless_profile(), [](Sample& s) {
    if (s.count != 3) { return; }
    s.count = 1'000'000'000'000;
    s.weight = 1'000'000'000'000'000'000;
  });
  EXPECT_EQ(remarks("cpuprofile", many).size(), 1u);
  EXPECT_LT(testing_export::written(write_cpuprofile, many).size(), 2000u);
}

// Differences of other tools have some; these formats do not support them.
TEST(Formats, CountsNegativeCosts) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(remarks("cpuprofile", timeless_profile()), Lines{});
  Profile p = timeless_profile("root", -3'000'000);
  for (const char* format : {"callgrind", "cpuprofile", "chrome-trace"}) {
    EXPECT_EQ(remarks(format, p).back(), "3 samples have negative costs, written as 0") << format;
  }
  EXPECT_EQ(remarks("pprof", p), Lines{});
}

// COUNT is the same as in `wick collapse`: samples for wick recordings, costs for other tools' files.
TEST(Formats, FoldedCountsLikeCollapse) {
  Profile p = small_profile();
  const ExportFormat& folded = *find_export_format("folded");
  EXPECT_EQ(testing_export::written(folded.write, p),
            "app;main;work;step 2\napp;main;work;work 1\nworker;main;work;work;do_fault 1\n");
  p = edited(p, [](ProfileBuilder& b) { b.about().imported_from = "perf script text"; });
  EXPECT_EQ(testing_export::written(folded.write, p),
            "app;main;work;step 2000000\napp;main;work;work 1000500\nworker;main;work;work;do_fault 1000000\n");
}

// Each frame of a deep stack is a sample's leaf: no problem for formats with a table of stacks.
TEST(Formats, RejectsTextThatRepeatsDeepStacks) {
  ProfileBuilder b;
  EventId e = b.event("samples", "samples");
  ThreadId t = b.add_thread(b.add_process(1, "x"), 1, "x");
  FrameId f = b.named_frame("f");
  StackId s;
  for (int i = 0; i < 400'000; ++i) {
    s = b.stack(f, s);
    b.add_sample({.thread = t, .stack = s, .event = e, .weight = 1});
  }
  Profile p = std::move(b).build();
  Filter filter;
  ExportView view{p, filter, {*select_samples(p, filter)}};
  for (const ExportFormat& format : export_formats()) {
    bool spells = format.name == "folded" || format.name == "speedscope" || format.name == "perf-script";
    EXPECT_EQ(check_export_size(format, view).ok(), !spells) << format.name;
  }
  EXPECT_EQ(check_export_size(*find_export_format("folded"), view).error().message(),
            "folded would contain 80,000,200,000 frames: it repeats the stack, up to 400,000 frames, for each sample");
  FoldedStacks folded({});
  ASSERT_TRUE(folded.add(p, view.first()).ok());
  EXPECT_NE(folded.check_size().error().message().find("they have up to 400,001 frames each"), std::string::npos);
  FoldedStacks recursive({.recursive = true});
  ASSERT_TRUE(recursive.add(p, view.first()).ok());
  EXPECT_TRUE(recursive.check_size().ok());
}

TEST(Gzip, RoundTrips) {
  std::string text;
  for (uint64_t i = 0; i < 50'000; ++i) { text += std::to_string(i * i); }
  std::string packed;
  write_gzip(
      [&](std::string_view piece) {
        packed += piece;
        return true;
      },
      [&](const Sink& out) {
        for (size_t at = 0; at < text.size(); at += 1000) { out(std::string_view(text).substr(at, 1000)); }
      });
  EXPECT_LT(packed.size(), text.size());
  std::string back(text.size() + 1, '\0');
  z_stream z{};
  ASSERT_EQ(inflateInit2(&z, 16 + MAX_WBITS), Z_OK);
  z.next_in = reinterpret_cast<Bytef*>(packed.data());
  z.avail_in = static_cast<uInt>(packed.size());
  z.next_out = reinterpret_cast<Bytef*>(back.data());
  z.avail_out = static_cast<uInt>(back.size());
  EXPECT_EQ(inflate(&z, Z_FINISH), Z_STREAM_END);
  inflateEnd(&z);
  back.resize(z.total_out);
  EXPECT_TRUE(back == text);
}

TEST(ExportView, PartsAddUp) {
  for (int64_t weight : {0L, 10L, -7L, INT64_MAX}) {
    int64_t sum = 0;
    for (uint64_t i = 0; i < 3; ++i) { sum += part_of(weight, i, 3); }
    EXPECT_EQ(sum, weight);
  }
  EXPECT_EQ(whole_units(1'499'999, 1'000'000), 1);
  EXPECT_EQ(whole_units(1'500'000, 1'000'000), 2);
  EXPECT_EQ(whole_units(-1'500'000, 1'000'000), -2);
}

}  // namespace
}  // namespace wick
