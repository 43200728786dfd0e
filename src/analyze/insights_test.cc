// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/insights.h"

#include <gtest/gtest.h>

#include <map>

#include "model/testing.h"

namespace wick {
namespace {

using testing_profile::profile_of;

Insights insights_of(const Profile& profile, const Filter& filter = {}) {
  Result<Selection> selection = select_samples(profile, filter);
  EXPECT_TRUE(selection.ok());
  return compute_insights(profile, *selection);
}

// Rules and their shares in percent.
std::map<std::string, int> found_in(const Profile& profile) {
  std::map<std::string, int> out;
  for (const Insight& i : insights_of(profile).found) { out[std::string(i.rule->id)] = static_cast<int>(100 * i.share + 0.5); }
  return out;
}
std::map<std::string, int> found_in(const std::vector<std::string>& lines) { return found_in(profile_of(lines)); }
using Found = std::map<std::string, int>;

// A stack that shows each rule with 40 of 100 samples, the same below another function, and one that only looks like it.
TEST(Insights, EachNamedRuleInBothDirections) {
  struct Case {
    const char *rule, *stack, *other;
  };
  const Case kCases[] = {
      {"exceptions", "f;libgcc_s.so.1`_Unwind_RaiseException;libgcc_s.so.1`[libgcc_s.so.1+0x100]", "f;throw_dice"},
      {"exceptions", "f;libgcc_s.so.1`_Unwind_RaiseException;libgcc_s.so.1`_Unwind_Find_FDE",
       "f;libc.so.6`backtrace;libgcc_s.so.1`_Unwind_Backtrace;libgcc_s.so.1`_Unwind_Find_FDE"},
      {"allocation", "f;libc.so.6`malloc;libc.so.6`[libc.so.6+0x100]", "f;my_malloc_stats"},
      {"allocation", "f;libc.so.6`malloc;[kernel]`exc_page_fault_like", "f;Arena::malloc"},
      {"growth", "f;std::vector<int>::_M_realloc_insert<int>(int*, int&&)",
       "f;std::vector<int>::reserve_like(int);Heavy::Heavy(int)"},
      {"copying", "f;libc.so.6`__memcpy_generic", "f;libc.so.6`__memcmp_generic"},
      {"hashing", "f;hashbrown::map::HashMap<K,V,S,A>::insert;core::hash::BuildHasher::hash_one", "f;rehash_password"},
      {"formatting", "f;libc.so.6`snprintf;libc.so.6`__vfprintf_internal", "f;formatter::format()"},
      {"parsing", "f;libc.so.6`strtod", "f;parse_number"},
      {"utf8", "f;core::str::converts::from_utf8", "f;check_utf8"},
      {"regex-compile", "f;libc.so.6`regcomp;libc.so.6`[libc.so.6+0x200]", "f;regex::compile()"},
      {"sorting", "f;libc.so.6`qsort;compare", "f;sort_order_lookup;compare"},
      {"lock-contention", "f;libc.so.6`pthread_cond_wait;[kernel]`do_thing;[kernel]`__arm64_sys_futex;[kernel]`schedule",
          "f;futex_table"},
      {"locking", "f;libc.so.6`pthread_mutex_lock", "f;lock_table"},
      {"page-faults", "f;[kernel]`exc_page_fault;[kernel]`clear_page_erms", "f;exc_page_fault"},
      {"clearing", "f;libc.so.6`__memset_avx2_unaligned_erms", "f;memset_table"},
      {"system-calls", "f;libc.so.6`getppid;[kernel]`do_syscall_64", "f;do_syscall_64"},
      {"logging", "f;libc.so.6`syslog;libc.so.6`send_like", "f;log_table"},
      {"garbage-collection", "runtime.gcBgMarkWorker;runtime.scanobject", "main.gcDrain"},
      {"call-glue", "f;std::function<int ()>::operator()() const", "f;std::function<int ()>::operator()() const;work"},
      {"unnamed-code", "f;[anon]`[anon]", "f;[anon]`[anon];work"},
  };
  for (const Case& c : kCases) {
    Found shown = found_in({std::string("app;main;") + c.stack + " 40", "app;main;work 60"});
    EXPECT_EQ(shown.count(c.rule) ? shown[c.rule] : 0, 40) << c.rule << " in " << c.stack;
    EXPECT_EQ(found_in({std::string("app;main;") + c.other + " 40", "app;main;work 60"}), Found{}) << c.other;
    // Too little of it.
    EXPECT_EQ(found_in({std::string("app;main;") + c.stack + " 40", "app;main;work 2000"}), Found{}) << c.stack;
  }
}

TEST(Insights, CodeOfTheProgramThatALibraryCallsIsNoCostOfTheLibrary) {
  EXPECT_EQ(found_in({"app;main;alloc::fmt::format;core::fmt::write;<app::Slow as core::fmt::Display>::fmt_like;burn 100"}),
      Found{});
  EXPECT_EQ(found_in({"app;main;std::vector<Heavy>::_M_realloc_insert<int>(Heavy*, int&&);Heavy::Heavy(int) 100"}), Found{});
  // But what that code spends in the library again is.
  EXPECT_EQ(found_in({"app;main;core::fmt::write;app::Slow::show;core::fmt::write 100"}), (Found{{"formatting", 100}}));
  // Comparisons belong to sorting.
  EXPECT_EQ(found_in({"app;main;void std::sort<int*>(int*, int*);app::less 100"}), (Found{{"sorting", 100}}));
}

TEST(Insights, KernelTimeOfLibraryFunctions) {
  // Writing is no part of formatting; page faults are a cost of allocating.
  EXPECT_EQ(found_in({"app;main;libc.so.6`printf;libc.so.6`__write_like;[kernel]`tty_write 40", "app;main;f 60"}), Found{});
  EXPECT_EQ(found_in({"app;main;libc.so.6`malloc;[kernel]`clear_page 40", "app;main;f 60"}), (Found{{"allocation", 40}}));
}

TEST(Insights, ASampleCountsOncePerRule) {
  Found found = found_in({"app;main;f;libc.so.6`realloc;libc.so.6`malloc;libc.so.6`_int_malloc 50", "app;main;f 50"});
  EXPECT_EQ(found, (Found{{"allocation", 50}, {"growth", 50}}));
  EXPECT_EQ(found_in({"app;main;libc.so.6`qsort;cmp;libc.so.6`qsort;cmp 100"}), (Found{{"sorting", 100}}));
}

TEST(Insights, WhereIsTheNearestCodeOfTheProgram) {
  Insights i = insights_of(profile_of({"app;main;parse;std::vector<int>::push_back(int&&);operator new(unsigned long);libc.so.6`malloc 60",
                                       "app;main;load;libz.so.1`inflate;libc.so.6`malloc 30",
                                           "app;main;seldom;libc.so.6`malloc 2",
                                       "app;main;parse 8"}));
  ASSERT_EQ(i.found.size(), 1u);
  const Insight& allocation = i.found[0];
  ASSERT_EQ(allocation.where.size(), 2u);  // the third is too small
  EXPECT_EQ(allocation.where[0].name, "parse");
  EXPECT_EQ(allocation.where[0].cost.samples, 60u);
  EXPECT_EQ(allocation.where[1].name, "inflate");
  ASSERT_EQ(allocation.frames.size(), 2u);
  EXPECT_EQ(allocation.frames[0].name, "operator new(unsigned long)");
  EXPECT_EQ(allocation.next, "report --callers 'operator new(unsigned long)'");
}

TEST(Insights, StrippedPrograms) {
  Found found = found_in({"app;app`[app+0x10];app`[app+0x20];libc.so.6`qsort;libc.so.6`[libc.so.6+0x1];app`[app+0x30] 60",
                          "app;app`[app+0x10];libstdc++.so.6`operator new(unsigned long);libc.so.6`malloc;libc.so.6`[libc.so.6+0x2] 40"});
  EXPECT_EQ(found, (Found{{"allocation", 40}, {"sorting", 60}}));
  // A static, stripped program has no names, and no findings.
  EXPECT_EQ(found_in({"app;app`[app+0x10];app`[app+0x20] 100"}), Found{});
}

TEST(Insights, SmallPieces) {
  std::string call = "app;main;copy;libc.so.6`write;[kernel]`do_syscall_64;[kernel]`__x64_sys_write;[kernel]`vfs_write";
  Found small = found_in({"app;main;copy;libc.so.6`write 20",
      "app;main;copy;libc.so.6`write;[kernel]`do_syscall_64 20", call + " 10",
                          call + ";[kernel]`tmpfs_write 50"});
  EXPECT_EQ(small["small-io"], 100);
  Found large = found_in({"app;main;copy;libc.so.6`write 5", "app;main;copy;libc.so.6`write;[kernel]`do_syscall_64 10",
                          call + ";[kernel]`copy_from_iter 85"});
  EXPECT_EQ(large.count("small-io"), 0u);
}

TEST(Insights, DeepRecursion) {
  auto levels = [](const std::string& names, int count) {
    std::string stack = "app;main";
    for (int i = 0; i < count; ++i) { stack += names; }
    return stack;
  };
  EXPECT_EQ(found_in({levels(";down", 250) + " 50", "app;main;f 50"}), (Found{{"deep-recursion", 50}}));
  EXPECT_EQ(found_in({levels(";ping;pong", 250) + " 50", "app;main;f 50"}), (Found{{"deep-recursion", 50}}));
  EXPECT_EQ(found_in({levels(";down", 150) + " 100"}), Found{});
  EXPECT_EQ(found_in({levels(";down", 250) + " 20", "app;main;f 80"}), Found{});  // cheap
  // Both sides of a fork in the recursion count, and what it calls.
  EXPECT_EQ(found_in({levels(";down", 220) + ";leaf 30", levels(";down", 210) + ";other 30",
      "app;main 40"}), (Found{{"deep-recursion", 60}}));
}

TEST(Insights, HotLine) {
  auto with_line = [](uint32_t other_line, bool own) {
    ProfileBuilder b;
    ModuleId app = b.module("/usr/bin/app"), libc = b.module("/usr/lib/libc.so.6");
    ThreadId t = b.add_thread(b.add_process(1, "app"), 1, "app");
    EventId e = b.event("cpu-clock", "ns", 1000);
    FunctionId f = b.function("f", {}, own ? app : libc), g = b.function("std::vector<int>::operator[](unsigned long)", {}, app);
    StackId main = b.stack(b.frame({.function = b.function("main", {}, app)}), {});
    for (uint32_t i = 0; i < 100; ++i) {
      // Half of them in inlined library code, which belongs to the line that contains it.
      StackId stack = b.stack(b.frame({.function = f, .address = i, .file = b.string("f.cc"),
          .line = i % 5 == 0 ? 9 : other_line}), main);
      if (i % 2 == 0) { stack = b.stack(b.frame({.function = g, .file = b.string("stl_vector.h"), .line = 1123,
          .inlined = true}), stack); }
      b.add_sample({.time_ns = i, .thread = t, .stack = stack, .event = e, .weight = 1'000'000});
    }
    return std::move(b).build();
  };
  Insights hot = insights_of(with_line(7, true));
  ASSERT_EQ(hot.found.size(), 1u);
  EXPECT_EQ(hot.found[0].rule->id, "hot-line");
  EXPECT_EQ(hot.found[0].cost.samples, 80u);
  EXPECT_EQ(hot.found[0].where.at(0).line, 7u);
  EXPECT_EQ(hot.found[0].next, "annotate f");
  EXPECT_TRUE(insights_of(with_line(7, false)).found.empty());  // not the program's own line
  EXPECT_TRUE(insights_of(with_line(0, true)).found.empty());   // unknown lines are not one line
}

TEST(Insights, DebugBuild) {
  auto with_inlining = [](bool inlined, bool recorded) {
    ProfileBuilder b;
    ModuleId app = b.module("/usr/bin/app");
    ThreadId t = b.add_thread(b.add_process(1, "app"), 1, "app");
    StackId main = b.stack(b.frame({.function = b.function("main", {}, app)}), {});
    StackId stack = b.stack(b.frame({.function = b.function("std::vector<int>::size() const", {}, app), .inlined = inlined}),
        main);
    for (uint32_t i = 0; i < 100; ++i) {
      b.add_sample({.time_ns = i, .thread = t, .stack = i % 4 == 0 ? stack : main, .event = b.event("cpu-clock",
          "ns"), .weight = 1});
    }
    if (recorded) { b.count_stack(StackWay::kCopied, 100); }
    return std::move(b).build();
  };
  EXPECT_EQ(found_in(with_inlining(false, true)), (Found{{"debug-build", 25}}));
  EXPECT_EQ(found_in(with_inlining(true, true)), Found{});
  EXPECT_EQ(found_in(with_inlining(false, false)), Found{});  // other tools' files do not say what was inlined
}

Profile with_threads(size_t waiting, uint64_t end_ns, uint64_t work_of_others, bool lives = true) {
  ProfileBuilder b;
  ProcessId p = b.add_process(1, "app", 0, 0, end_ns);
  StackId main = b.stack(b.frame({.function = b.function("main", {}, b.module("/usr/bin/app"))}), {});
  EventId e = b.event("cpu-clock", "ns", 1000);
  std::vector<ThreadId> threads = {b.add_thread(p, 1, "app", 1, end_ns)};
  for (size_t i = 0; i < waiting; ++i) {
    threads.push_back(b.add_thread(p, static_cast<uint32_t>(2 + i), "worker", 1, lives ? end_ns : end_ns / 10));
  }
  for (uint32_t i = 0; i < 1000; ++i) {
    size_t thread = i < work_of_others * waiting ? 1 + i % waiting : 0;
    b.add_sample({.time_ns = i * end_ns / 1000, .thread = threads[thread], .stack = main, .event = e, .weight = 1'000'000});
  }
  b.count_stack(StackWay::kCopied, 1000);
  return std::move(b).build();
}

TEST(Insights, OneBusyThread) {
  constexpr uint64_t kSecond = 1'000'000'000;
  EXPECT_EQ(found_in(with_threads(4, kSecond, 0)), (Found{{"one-busy-thread", 100}}));
  EXPECT_EQ(found_in(with_threads(4, kSecond, 5)), (Found{{"one-busy-thread", 98}}));
  EXPECT_EQ(found_in(with_threads(0, kSecond, 0)), Found{});         // a program with one thread
  EXPECT_EQ(found_in(with_threads(1, kSecond, 0)), Found{});         // and a helper
  EXPECT_EQ(found_in(with_threads(3, kSecond, 200)), Found{});       // all work
  EXPECT_EQ(found_in(with_threads(4, kSecond, 0, false)), Found{});  // threads that are gone do not wait
  // Only this thread was selected: that says nothing about the others.
  Profile even = with_threads(3, kSecond, 200);
  EXPECT_TRUE(insights_of(even, {.thread = "app"}).found.empty());
}

TEST(Insights, ShortProcesses) {
  auto with_processes = [](uint32_t count, uint64_t life_ns) {
    ProfileBuilder b;
    StackId main = b.stack(b.frame({.function = b.function("main", {}, b.module("/usr/bin/app"))}), {});
    EventId e = b.event("cpu-clock", "ns", 1000);
    uint64_t time_ns = 1;
    for (uint32_t i = 0; i < count; ++i) {
      ThreadId t = b.add_thread(b.add_process(10 + i, "true", 1, time_ns, time_ns + life_ns), 10 + i, "true", time_ns,
          time_ns + life_ns);
      for (int n = 0; n < 5; ++n) { b.add_sample({.time_ns = time_ns += 1000, .thread = t, .stack = main, .event = e,
          .weight = 1'000'000}); }
      time_ns += life_ns;
    }
    return std::move(b).build();
  };
  Insights storm = insights_of(with_processes(40, 5'000'000));
  ASSERT_EQ(storm.found.size(), 1u);
  EXPECT_EQ(storm.found[0].rule->id, "short-processes");
  EXPECT_EQ(storm.found[0].where.at(0).name, "true (40 processes)");
  EXPECT_EQ(found_in(with_processes(25, 5'000'000)), Found{});
  EXPECT_EQ(found_in(with_processes(40, 500'000'000)), Found{});
}

TEST(Insights, NeedTimeAndSamples) {
  Profile few = profile_of({"app;main;libc.so.6`malloc 99"});
  EXPECT_TRUE(insights_of(few).found.empty());
  EXPECT_NE(insights_of(few).why_none, "");
  ProfileBuilder b;
  ThreadId t = b.add_thread(b.add_process(1, "app"), 1, "app");
  StackId stack = b.stack(b.frame({.function = b.function("malloc", {}, b.module("libc.so.6"))}), {});
  EventId e = b.event("page-faults", "faults");
  for (uint32_t i = 0; i < 200; ++i) { b.add_sample({.time_ns = i, .thread = t, .stack = stack, .event = e, .weight = 1}); }
  Profile faults = std::move(b).build();
  EXPECT_TRUE(insights_of(faults).found.empty());
  EXPECT_NE(insights_of(faults).why_none, "");
  EXPECT_EQ(insights_of(profile_of({"app;main;f 200"})).why_none, "");
}

TEST(Insights, KernelTimeIsOmittedIfSystemCallsAreAllOfIt) {
  EXPECT_EQ(found_in({"app;main;[kernel]`do_syscall_64;[kernel]`work 80", "app;main 20"}), (Found{{"system-calls", 80}}));
  EXPECT_EQ(found_in({"app;main;[kernel]`interrupt;[kernel]`work 80", "app;main 20"}), (Found{{"kernel-time", 80}}));
  EXPECT_EQ(found_in({"app;main;[kernel]`interrupt;[kernel]`work 40", "app;main 60"}), Found{});
}

}  // namespace
}  // namespace wick
