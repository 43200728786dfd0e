// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/diff_folded.h"

#include <gtest/gtest.h>

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

TEST(DiffFolded, EveryStackOfEitherSorted) {
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

TEST(DiffFolded, StopsWhenNobodyReads) {
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
