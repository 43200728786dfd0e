// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/diff_folded.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "model/testing.h"

namespace wick {
namespace {

using testing_profile::profile_of;

std::string folded(const Profile& a, const Profile& b, const DiffFoldedOptions& options = {}, bool normalize = false) {
  Result<Profile> both = combine_profiles(a, *select_samples(a), b, *select_samples(b), {.normalize = normalize, .flat = true});
  std::string text;
  write_diff_folded(*both, *select_sides(*both), options, [&](std::string_view piece) {
    text += piece;
    return true;
  });
  return text;
}

TEST(DiffFolded, AllStacksSorted) {
  Profile a = profile_of({"app;main;parse 60", "app;main;vanished 20", "app;main 1", "zz;a 2"});
  Profile b = profile_of({"app;main;render 140", "app;main;parse 60", "app;liba.so`main;libb.so`parse 3"});
  EXPECT_EQ(folded(a, b),
            "app;main 1 0\n"
            "app;main;parse 60 63\n"
            "app;main;render 0 140\n"
            "app;main;vanished 20 0\n"
            "zz;a 2 0\n");
  ProfileBuilder empty;
  Profile none = std::move(empty).build();
  EXPECT_EQ(folded(none, none), "");
}

TEST(DiffFolded, Scaled) {
  Profile a = profile_of({"t;f 1", "t;g 2"}), b = profile_of({"t;f 10"});
  EXPECT_EQ(folded(a, b, {.samples = true, .scale_before = 10 / 3.0, .decimals = 2}), "t;f 3.33 10\nt;g 6.67 0\n");
}

TEST(DiffFolded, Costs) {
  auto profile = [](int64_t f, int64_t g) {
    ProfileBuilder b;
    ThreadId t = b.add_thread(b.add_process(0, ""), 0, "");
    auto add = [&](const char* name, int64_t weight) {
      StackId s = b.stack(b.frame({.function = b.function(name, {}, {})}), {});
      b.add_sample({.thread = t, .stack = s, .event = b.event("samples", "samples", 0, 1'000'000), .weight = weight});
    };
    add("a;b", f), add("g", g);
    return std::move(b).build();
  };
  Profile a = profile(500'000, 3'000'000), b = profile(1'250'000, 4'000'000);
  EXPECT_EQ(folded(a, b, {.samples = false}), "a:b 0.5 1.25\ng 3 4\n");
  EXPECT_EQ(folded(a, b, {.samples = false}, true), "a:b 0.75 1.25\ng 4.5 4\n");
}

// Whole lines give the same result as frames.
TEST(DiffFolded, JoinsLinesLikeProfiles) {
  using Rows = std::vector<std::pair<std::string, int64_t>>;
  Rows before = {{"main;run::h0123456789abcdef;f", 3},
                 {"main;a.b;z", 1},
                 {"main;a;z", 2},
                 {"main", 5},
                 {"main;f.constprop.0", 7},
                 {"main;both.part.0", 1},
                 {"main;both", 2},
                 {"main;only::h0123456789abcdef", 3},
                 {"main;f [clone .isra.1];g", 1},
                 {"_ZN3run17h0123456789abcdefE;x", 4},
                 {"main;;\x01\xff", 2},
                 {"caf\xc3\xa9;f", 1},
                 {"main;a;z", 2}};
  Rows after = {{"main;run::hfedcba9876543210;f", 4},
                {"main;f", 1},
                {"zz", 9},
                {"main;a b;0x12", 6},
                {"main;both.part.0", 3},
                {"main;both", 4}};
  for (bool strip : {false, true}) {
    auto profile = [&](const Rows& rows) {
      ProfileBuilder b;
      ThreadId t = b.add_thread(b.add_process(0, ""), 0, "");
      for (const auto& [text, weight] : rows) {
        StackId stack;
        for (std::string_view name : split(text, ';')) { stack = b.stack(b.named_frame(name), stack); }
        b.add_sample({.thread = t, .stack = stack, .event = b.event("samples", "samples"), .weight = weight});
      }
      return std::move(b).build();
    };
    Profile a = profile(before), b = profile(after);
    Profile both = *combine_profiles(a, *select_samples(a), b, *select_samples(b), {.strip_hex = strip, .flat = true});
    std::string by_frames, by_lines;
    auto append_to = [](std::string& text) {
      return [&text](std::string_view piece) {
        text += piece;
        return true;
      };
    };
    write_diff_folded(both, *select_sides(both), {.samples = false}, append_to(by_frames));
    std::vector<CountedStack> x, y;
    for (const auto& [stack, weight] : before) { x.push_back({stack, weight}); }
    for (const auto& [stack, weight] : after) { y.push_back({stack, weight}); }
    EXPECT_TRUE(write_diff_folded(x, y, 1, strip, append_to(by_lines)));
    EXPECT_EQ(by_lines, by_frames);
    for (const char* line : {"main;run;f 3 4\n", "main;both 2 4\n", "main;both.part.0 1 3\n", "main;f 7 1\n",
                             "main;only::h0123456789abcdef 3 0\n"}) {
      EXPECT_NE(by_lines.find(line), std::string::npos) << line << by_lines;
    }
  }
  std::vector<CountedStack> huge = {{"a", INT64_MAX}, {"b", 1}}, none;
  EXPECT_FALSE(write_diff_folded(huge, none, 1, false, [](std::string_view) { return true; }));
  std::vector<CountedStack> half = {{"a", 1'500'000}};
  std::string text;
  EXPECT_TRUE(write_diff_folded(half, none, 1'000'000, false, [&](std::string_view piece) {
    text += piece;
    return true;
  }));
  EXPECT_EQ(text, "a 1.5 0\n");
}

TEST(DiffFolded, ManyLines) {
  std::vector<std::string> texts;
  for (int i = 0; i < 12'000; ++i) { texts.push_back("main;f" + std::to_string(i * 7919 % 12'000)); }
  std::vector<CountedStack> before, after;
  for (const std::string& text : texts) {
    before.push_back({text, 1});
    after.push_back({text, 2});
  }
  std::vector<std::string> lines;
  EXPECT_TRUE(write_diff_folded(before, after, 1, false, [&](std::string_view piece) {
    for (std::string_view line : split(piece, '\n')) {
      if (!line.empty()) { lines.emplace_back(line); }
    }
    return true;
  }));
  EXPECT_EQ(lines.size(), texts.size());
  EXPECT_TRUE(std::is_sorted(lines.begin(), lines.end()));
  EXPECT_EQ(lines[0], "main;f0 1 2");
}

TEST(DiffFolded, StopsIfTheReaderStops) {
  std::vector<std::string> lines;
  for (int i = 0; i < 5000; ++i) { lines.push_back("t;a_function_with_a_name_that_is_not_short_" + std::to_string(i) + " 1"); }
  Profile p = profile_of(lines);
  Result<Profile> both = combine_profiles(p, *select_samples(p), p, *select_samples(p), {.flat = true});
  int pieces = 0;
  write_diff_folded(*both, *select_sides(*both), {}, [&](std::string_view) { return ++pieces < 2; });
  EXPECT_EQ(pieces, 2);
}

}  // namespace
}  // namespace wick
