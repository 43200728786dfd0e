// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/folded.h"

#include <gtest/gtest.h>

#include "model/testing.h"

namespace wick {
namespace {

using testing_profile::profile_of;

std::string folded(const Profile& p, const FoldedOptions& options = {}, const Filter& filter = {}) {
  std::string out;
  write_folded(p, *select_samples(p, filter), options, [&](std::string_view piece) {
    out += piece;
    return true;
  });
  return out;
}

TEST(Folded, CountsSamplesPerStack) {
  Profile p = profile_of({"app;main;b 2", "app;main;a;c 3", "app;main 1", "worker;main;b 4", "app;main;b 1"});
  EXPECT_EQ(folded(p), "app;main 1\napp;main;a;c 3\napp;main;b 3\nworker;main;b 4\n");
  EXPECT_EQ(folded(p, {}, {.thread = "worker"}), "worker;main;b 4\n");
}

TEST(Folded, PidAndTid) {
  Profile p = profile_of({"app;main 1", "worker;main 2"});
  EXPECT_EQ(folded(p, {.pid = true}), "app-100;main 1\nworker-100;main 2\n");
  EXPECT_EQ(folded(p, {.tid = true}), "app-100/100;main 1\nworker-100/101;main 2\n");
  EXPECT_EQ(folded(p, {.pid = true, .tid = true}), folded(p, {.tid = true}));
}

TEST(Folded, NamesThatWouldBreakALine) {
  ProfileBuilder b;
  EventId e = b.event("cpu-clock", "ns");
  ThreadId t = b.add_thread(b.add_process(1, "x"), 1, "a;b\n");
  StackId s = b.stack(b.frame({.function = b.function("f<';'>\x01\xff", "", {})}), {});
  s = b.stack(b.frame({.function = b.function("", "", {})}), s);
  b.add_sample({.time_ns = 1, .thread = t, .stack = s, .event = e, .weight = 1});
  Profile p = std::move(b).build();
  EXPECT_EQ(folded(p), "a:b\\n;f<':'>\\x01\xef\xbf\xbd;[unnamed] 1\n");
}

TEST(Folded, SameNameInTwoModulesIsOneLine) {
  Profile p = profile_of({"t;liba.so`f;g 1", "t;libb.so`f;g 2"});
  EXPECT_EQ(folded(p), "t;f;g 3\n");
}

TEST(Folded, DeepStacksAndAnEarlyEnd) {
  std::string deep = "t;main";
  for (int i = 0; i < 20000; ++i) { deep += ";descend"; }
  Profile p = profile_of({deep + " 5"});
  EXPECT_EQ(folded(p), deep + " 5\n");
  int pieces = 0;
  Profile q = profile_of({deep + " 5", deep + ";a 1", deep + ";b 1"});
  write_folded(q, *select_samples(q), {}, [&](std::string_view) {
    ++pieces;
    return false;
  });
  EXPECT_EQ(pieces, 1);
}

TEST(Folded, Empty) { EXPECT_EQ(folded(std::move(ProfileBuilder()).build()), ""); }

}  // namespace
}  // namespace wick
