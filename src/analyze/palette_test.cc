// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/palette.h"

#include <gtest/gtest.h>

#include <array>

#include <cstdlib>
#include <string>

namespace wick {
namespace {

// The common name of the hue.
std::string hue(Rgb c) {
  if (c.r == c.g && c.g == c.b) { return "grey"; }
  if (c.b == 0) { return "orange"; }
  if (c.r == c.g) { return c.b > c.r ? "blue" : "yellow"; }
  if (c.g == c.b) { return c.r > c.g ? "red" : "aqua"; }
  if (c.r == c.b) { return c.g > c.r ? "green" : "purple"; }
  return "other";
}
std::string hue_of(const char* palette, std::string_view name) {
  MarkedName marked = split_mark(name);
  return hue(palette_color(*find_palette(palette), marked.name, marked.mark, vary_by_name(marked.name)));
}

TEST(Palette, AllNamesAreKnown) {
  EXPECT_EQ(palette_names().size(), 17u);
  for (const std::string& name : palette_names()) { EXPECT_TRUE(find_palette(name).has_value()) << name; }
  EXPECT_FALSE(find_palette("hott").has_value());
  for (const char* name : {"red", "green", "blue", "aqua", "yellow", "purple", "orange"}) {
    EXPECT_EQ(hue_of(name, "main"), name);
  }
  EXPECT_EQ(hue_of("wakeup", "main"), "aqua");
  EXPECT_EQ(hue_of("io", "main"), "blue");
  EXPECT_EQ(hue_of("hot", "--"), "grey");
}

TEST(Palette, MarksAreSplitOff) {
  EXPECT_EQ(split_mark("vfs_read_[k]").name, "vfs_read");
  EXPECT_EQ(split_mark("vfs_read_[k]").mark, 'k');
  EXPECT_EQ(split_mark("a[k]").mark, 0);
  EXPECT_EQ(split_mark("_[k]").mark, 0);  // nothing would remain
  EXPECT_EQ(split_mark("x_[z]").name, "x_[z]");
}

TEST(Palette, DistinguishesLanguages) {
  EXPECT_EQ(hue_of("java", "java/lang/String:hash_[j]"), "green");
  EXPECT_EQ(hue_of("java", "Lorg/apache/Foo:run"), "green");
  EXPECT_EQ(hue_of("java", "java/lang/String:hash_[i]"), "aqua");
  EXPECT_EQ(hue_of("java", "JavaCalls::call"), "yellow");
  EXPECT_EQ(hue_of("java", "vfs_read_[k]"), "orange");
  EXPECT_EQ(hue_of("java", "malloc"), "red");
  EXPECT_EQ(hue_of("js", "LazyCompile:~run /srv/app.js:12_[j]"), "green");
  EXPECT_EQ(hue_of("js", "Builtin:ArrayPush_[j]"), "aqua");
  EXPECT_EQ(hue_of("js", "v8::internal::Run"), "yellow");
  EXPECT_EQ(hue_of("js", "Stub:CEntry"), "aqua");
  EXPECT_EQ(hue_of("js", "tcp_sendmsg_[k]"), "orange");
  EXPECT_EQ(hue_of("perl", "Perl_pp_match"), "green");
  EXPECT_EQ(hue_of("perl", "main::run"), "yellow");
  EXPECT_EQ(hue_of("perl", "malloc"), "red");
  EXPECT_EQ(hue_of("chain", "schedule"), "blue");
  EXPECT_EQ(hue_of("chain", "wake_[w]"), "aqua");
  EXPECT_EQ(hue_of("rust", "<alloc::vec::Vec<T> as core::ops::Drop>::drop"), "orange");
  EXPECT_EQ(hue_of("rust", "app::server::run"), "aqua");
  EXPECT_EQ(hue_of("rust", "malloc"), "yellow");
  EXPECT_EQ(hue_of("python", "read (/usr/lib/python3.11/json/decoder.py:12)"), "yellow");
  EXPECT_EQ(hue_of("python", "dot (/x/site-packages/numpy/a.py:3)"), "aqua");
  EXPECT_EQ(hue_of("python", "main (app.py:3)"), "red");
}

TEST(Palette, SimilarNamesGetSimilarColors) {
  Variation a = vary_by_letters("tcp_sendmsg"), b = vary_by_letters("tcp_recvmsg"), c = vary_by_letters("__alloc_pages");
  EXPECT_LT(std::abs(a.a - b.a), 0.1);
  EXPECT_GT(std::abs(a.a - c.a), 0.05);
  EXPECT_EQ(vary_by_letters("libc.so.6`read").a, vary_by_letters("read").a);
}

// As in flamegraph.pl --hash and inferno-flamegraph --hash.
TEST(Palette, HashColorsAreThoseOfOtherTools) {
  auto color = [](const char* palette, const char* name) {
    Rgb c = palette_color(*find_palette(palette), name, 0, vary_by_letters(name));
    return std::array<int, 3>{c.r, c.g, c.b};
  };
  EXPECT_EQ(color("hot", "JavaMain"), (std::array<int, 3>{247, 120, 46}));
  EXPECT_EQ(color("hot", "a`b"), (std::array<int, 3>{235, 127, 33}));
}

TEST(Palette, RandomColorsAreReproducible) {
  RandomVariation one, two;
  for (int i = 0; i < 100; ++i) {
    Variation a = one.draw(), b = two.draw();
    EXPECT_EQ(a.a, b.a);
    EXPECT_EQ(a.c, b.c);
    EXPECT_GE(a.b, 0);
    EXPECT_LT(a.b, 1);
  }
}

}  // namespace
}  // namespace wick
