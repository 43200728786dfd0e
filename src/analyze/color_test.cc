// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/color.h"

#include <gtest/gtest.h>

#include <set>

#include "model/profile_builder.h"

namespace wick {
namespace {

TEST(Color, ShadesDiffer) {
  for (Theme theme : {Theme::kLight, Theme::kDark}) {
    std::set<int> seen;
    for (unsigned shade = 0; shade < kShades; ++shade) {
      Rgb c = color(CodeKind::kProgram, shade, theme);
      seen.insert(c.r << 16 | c.g << 8 | c.b);
    }
    EXPECT_EQ(seen.size(), kShades);
  }
  std::set<unsigned> used;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"}) {
    used.insert(color_shade(name));
  }
  EXPECT_GE(used.size(), 4u);
}

TEST(Color, KindsOfCode) {
  ProfileBuilder b;
  ModuleId app = b.module("/home/me/app"), libc = b.module("/lib/x86_64-linux-gnu/libc.so.6"), zlib = b.module("/lib/libz.so.1");
  ModuleId cxx = b.module("/lib/libstdc++.so.6"), kernel = b.module("[kernel]", "", true), vdso = b.module("[vdso]");
  struct Case {
    FunctionId function;
    CodeKind kind;
  };
  std::vector<Case> cases = {
      {b.function("main", "", app), CodeKind::kProgram},
      {b.function("standard::thing", "", app), CodeKind::kProgram},
      {b.function("std::vector<int>::push_back(int)", "", app), CodeKind::kStandard},
      {b.function("core::slice::sort", "", app), CodeKind::kStandard},
      {b.function("<alloc::vec::Vec<T> as core::ops::Drop>::drop", "", app), CodeKind::kStandard},
      {b.function("whatever", "", cxx), CodeKind::kStandard},
      {b.function("memcpy", "", libc), CodeKind::kSystem},
      {b.function("clock_gettime", "", vdso), CodeKind::kSystem},
      {b.function("inflate", "", zlib), CodeKind::kLibrary},
      {b.function("vfs_read", "", kernel), CodeKind::kKernel},
      {b.function("[kernel]", "", kernel, false), CodeKind::kKernel},
      {b.function("[app]", "", app, false), CodeKind::kUnknown},
      {b.function("[truncated]", "", {}, false), CodeKind::kUnknown},
      {b.function("who knows", "", {}), CodeKind::kUnclassified},
      {b.function("std::sort", "", {}), CodeKind::kStandard},
  };
  Profile p = std::move(b).build();
  for (const Case& c : cases) { EXPECT_EQ(code_kind(p, c.function), c.kind) << p.text(p[c.function].name); }
}

}  // namespace
}  // namespace wick
