// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/library_glue.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "analyze/function_table.h"
#include "model/profile_builder.h"

namespace wick {
namespace {

TEST(LibraryGlue, NamesOfTheLibrary) {
  for (const char* name :
       {"std::vector<int, std::allocator<int> >::operator[](unsigned long)", "std::max<int>(int const&, int const&)",
        "core::num::<impl u64>::overflowing_add", "<u64>::overflowing_add", "u64::wrapping_add", "_mm_movemask_epi8",
        "_mm256_cmpeq_epi8", "core::core_arch::x86::sse2::_mm_movemask_epi8", "hashbrown::raw::RawTable<T>::find",
        "<alloc::vec::Vec<T> as core::ops::index::Index<I>>::index", "<[T] as core::ops::index::Index<usize>>::index",
        "<core::ops::range::Range<u64> as core::iter::range::RangeIteratorImpl>::spec_next", "<&T as core::fmt::Debug>::fmt",
        "__gnu_cxx::__normal_iterator<int*, std::vector<int> >::operator*() const"}) {
    EXPECT_TRUE(is_library_glue(name)) << name;
  }
}

TEST(LibraryGlue, NamesOfTheProgram) {
  for (const char* name : {"main",
                           "app::stdx::run",
                           "my::std::vector<int>::operator[](unsigned long)",
                           "stdlib::f",
                           "corelib::core::f",
                           "u64x::f",
                           "u64",
                           "mm_movemask",
                           "_my_mm_add",
                           "alloc",
                           "<app::Key as core::hash::Hash>::hash",
                           "<alloc::vec::Vec<T> as app::Sum>::sum",
                           "<u64 as app::Bits>::ones",
                           "<app::Matrix>::at",
                           "std::hash<app::Key>::operator()(app::Key const&) const",
                           "std::hash::operator()",
                           "<",
                           "<a",
                           "",
                           "<F as app::Handler<fn(u8) -> u8>>::call"}) {
    EXPECT_FALSE(is_library_glue(name)) << name;
  }
}

struct Spec {
  const char* name;
  bool inlined;
};

Profile profile_of(const std::vector<std::pair<std::vector<Spec>, uint64_t>>& stacks) {
  ProfileBuilder b;
  EventId event = b.event("cpu-clock", "ns", 1000);
  ThreadId thread = b.add_thread(b.add_process(1, "app"), 1, "app");
  for (const auto& [frames, count] : stacks) {
    StackId stack;
    for (const Spec& f : frames) {
      FunctionId function = b.function(f.name, {}, b.module("/usr/bin/app"));
      stack = b.stack(b.frame({.function = function, .inlined = f.inlined}), stack);
    }
    b.add_sample({.thread = thread, .stack = stack, .event = event, .weight = static_cast<int64_t>(count), .count = count});
  }
  return std::move(b).build();
}

std::map<std::string, std::pair<int64_t, int64_t>> costs(const Profile& p) {
  std::map<std::string, std::pair<int64_t, int64_t>> out;
  for (const CostRow& row : compute_table(p, *select_samples(p)).rows) {
    out[row_name(p, GroupBy::kFunction, row)] = {row.self.weight, row.total.weight};
  }
  return out;
}

TEST(LibraryGlue, CountsTowardTheContainingFunction) {
  GlueFolded folded = fold_library_glue(profile_of({
      {{{"main", false}, {"sum", false}, {"std::vector<int>::operator[](unsigned long)", true}}, 50},
      {{{"main", false}, {"sum", false}, {"std::span<int>::operator[](unsigned long)", true}, {"std::get<int>()", true}}, 20},
      {{{"main", false}, {"sum", false}}, 5},
      // Inlined functions of the program stay, even inside library code.
      {{{"main", false}, {"std::for_each<F>(F)", true}, {"visit(int)", true}, {"std::abs(int)", true}}, 10},
      // Called library functions stay.
      {{{"main", false}, {"std::sort<int*>(int*, int*)", false}, {"std::swap<int>(int&, int&)", true}}, 7},
      {{{"std::thread::run", true}}, 3},
  }));
  EXPECT_TRUE(folded.any);
  check_profile(folded.profile);
  using Cost = std::pair<int64_t, int64_t>;
  EXPECT_EQ(costs(folded.profile), (std::map<std::string, Cost>{{"main", {0, 92}},
                                                                {"sum", {75, 75}},
                                                                {"visit(int)", {10, 10}},
                                                                {"std::sort<int*>(int*, int*)", {7, 7}},
                                                                {"std::thread::run", {3, 3}}}));
}

TEST(LibraryGlue, NothingToFold) {
  Profile p =
      profile_of({{{{"main", false}, {"helper", true}}, 5}, {{{"main", false}, {"std::sort<int*>(int*, int*)", false}}, 2}});
  auto before = costs(p);
  GlueFolded folded = fold_library_glue(std::move(p));
  EXPECT_FALSE(folded.any);
  EXPECT_EQ(costs(folded.profile), before);
}

}  // namespace
}  // namespace wick
