// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff_match.h"

#include <gtest/gtest.h>

#include "analyze/diff_table.h"
#include "model/testing.h"

namespace wick {
namespace {

using testing_profile::profile_of;

Profile imported(const std::vector<std::string>& lines) {
  ProfileBuilder b;
  testing_profile::add_lines(b, lines);
  b.set_imported("perf script text", true);
  return std::move(b).build();
}
Profile folded(const std::vector<std::string>& lines) {
  ProfileBuilder b;
  b.set_imported("folded stacks", false);
  ThreadId t = b.add_thread(b.add_process(0, ""), 0, "");
  for (const std::string& line : lines) {
    StackId stack;
    for (std::string_view name : split(line, ';')) { stack = b.stack(b.named_frame(name), stack); }
    b.add_sample({.thread = t, .stack = stack, .event = b.event("samples", "ns"), .weight = 1'000'000});
  }
  return std::move(b).build();
}

// "module`name" of all rows; "!" if only one side has it.
std::set<std::string> rows(const Profile& a, const Profile& b) {
  Profile both = *combine_profiles(a, *select_samples(a), b, *select_samples(b));
  check_profile(both);
  DiffTable table = compute_diff(both, *select_sides(both), false);
  std::set<std::string> out;
  for (const DiffRow& row : table.rows) {
    std::string module(row_module(both, table.by, row.named()));
    bool one = row.total.before.empty() || row.total.after.empty();
    out.insert((one ? "!" : "") + (module.empty() ? "" : module + "`") + row_name(both, table.by, row.named()));
  }
  return out;
}
using Rows = std::set<std::string>;

TEST(DiffMatch, KernelHasManyNames) {
  Profile ours = profile_of({"t;[kernel]`do_syscall_64 3"});
  for (const char* name : {"[kernel.kallsyms]", "[kernel.vmlinux]", "[guest.kernel.kallsyms]", "vmlinux-6.1.0"}) {
    EXPECT_EQ(rows(ours, imported({"t;" + std::string(name) + "`do_syscall_64 3"})), Rows{"[kernel]`do_syscall_64"}) << name;
  }
  EXPECT_EQ(common_module_name("[ext4]"), "[ext4]");
  EXPECT_EQ(common_module_name("libvmlinux.so"), "libvmlinux.so");
}

TEST(DiffMatch, ParametersAndAliasesAcrossTools) {
  EXPECT_EQ(rows(profile_of({"t;demo::mix<int>(int, long) 3"}), imported({"t;demo::mix<int> 3"})), Rows{"app`demo::mix<int>"});
  EXPECT_EQ(rows(profile_of({"t;f(int) 3", "t;f(long) 2"}), imported({"t;f 5"})), Rows{"app`f"});
  EXPECT_EQ(rows(profile_of({"t;libc.so.6`write 3"}), imported({"t;libc.so.6`__GI___libc_write 3"})),
            Rows{"libc.so.6`__GI___libc_write"});
  EXPECT_EQ(loose_name("_IO_fwrite"), "fwrite");
  EXPECT_EQ(loose_name("cfree@GLIBC_2.2.5"), "cfree");
  EXPECT_EQ(loose_name("vfs_write_[k]"), "vfs_write");
  EXPECT_EQ(loose_name("___"), "_");
  // Both sides distinguish them, so they stay separate.
  EXPECT_EQ(rows(profile_of({"t;f(int) 3", "t;f(long) 2"}), imported({"t;f(int) 3"})), (Rows{"app`f(int)", "!app`f(long)"}));
}

TEST(DiffMatch, NamesOfOneToolAreExact) {
  EXPECT_EQ(rows(profile_of({"t;f<int>() 3"}), profile_of({"t;f<long>() 3"})), (Rows{"!app`f<int>()", "!app`f<long>()"}));
  EXPECT_EQ(rows(profile_of({"t;liba.so`f 3"}), profile_of({"t;libb.so`f 3"})), (Rows{"!liba.so`f", "!libb.so`f"}));
}

TEST(DiffMatch, ModulesMissingOnOneSide) {
  ProfileBuilder b;
  StackId main = b.stack(b.frame({.function = b.function("main", {}, b.module("/usr/bin/app"))}), {});
  ThreadId t = b.add_thread(b.add_process(100, "t"), 100, "t");
  EventId e = b.event("cpu-clock", "ns", 1000);
  b.add_sample({.time_ns = 1, .thread = t, .stack = b.stack(b.named_frame("g"), main), .event = e, .weight = 1'000'000});
  b.set_imported("perf script text", true);
  Profile p = std::move(b).build();
  EXPECT_EQ(rows(profile_of({"t;main;libx.so`g 1"}), p), (Rows{"app`main", "libx.so`g"}));
  EXPECT_EQ(rows(profile_of({"t;main;[vdso]`g 1"}), imported({"t;main;linux-vdso.so.1`g 1"})),
            (Rows{"app`main", "linux-vdso.so.1`g"}));
}

TEST(DiffMatch, CommandsAreNotFunctions) {
  Profile ours = profile_of({"my app;main;f 3", "worker;run 1"});
  EXPECT_EQ(rows(ours, folded({"my_app;main;f", "worker;run"})), (Rows{"f", "main", "run"}));
  EXPECT_EQ(rows(folded({"my_app-100/100;main;f", "worker-?;run"}), ours), (Rows{"f", "main", "run"}));
  EXPECT_EQ(rows(ours, folded({"main;f", "run"})), (Rows{"f", "main", "run"}));
  EXPECT_EQ(rows(ours, folded({"other;main;f", "other;run"})), (Rows{"f", "main", "run", "!other"}));
  // A thread named like a function.
  EXPECT_EQ(rows(profile_of({"main;main;f 3"}), folded({"main;f"})), (Rows{"f", "main"}));
  // Only a command.
  EXPECT_EQ(rows(ours, folded({"my_app;main;f", "worker"})), (Rows{"f", "main", "!run", "![unknown]"}));
}

TEST(DiffMatch, InlinedFunctionsMissingOnOneSide) {
  ProfileBuilder b;
  ThreadId t = b.add_thread(b.add_process(1, "app"), 1, "app");
  StackId main = b.stack(b.frame({.function = b.function("main", {}, {})}), {});
  StackId inner = b.stack(b.frame({.function = b.function("inner", {}, {}), .inlined = true}), main);
  b.add_sample({.time_ns = 1, .thread = t, .stack = inner, .event = b.event("e", "ns"), .weight = 1});
  b.add_sample({.time_ns = 2, .thread = t, .stack = main, .event = b.event("e", "ns"), .weight = 1});
  Profile ours = std::move(b).build();
  EXPECT_EQ(rows(ours, folded({"main"})), Rows{"main"});
  EXPECT_EQ(rows(ours, folded({"main;inner"})), (Rows{"main", "inner"}));  // present, but not marked
  Profile same_tool = profile_of({"t;main 1"});
  EXPECT_EQ(rows(ours, same_tool), (Rows{"main", "!inner"}));
}

TEST(DiffMatch, WarnsOfUnrelatedProfiles) {
  auto warnings = [](const Profile& a, const Profile& b) {
    Profile both = *combine_profiles(a, *select_samples(a), b, *select_samples(b));
    return compute_diff(both, *select_sides(both), false).warnings;
  };
  Profile a = profile_of({"t;f 30", "t;g 10"}), b = profile_of({"t;x 20", "t;y 60", "t;g 20"});
  EXPECT_EQ(warnings(a, b), std::vector<std::string>{"the profiles have few functions in common: these account for "
                                                     "25.0% of before and 20.0% of after"});
  EXPECT_TRUE(warnings(a, a).empty());
  EXPECT_TRUE(warnings(a, profile_of({"t;f 1", "t;new 99"})).empty());  // before is known
}

}  // namespace
}  // namespace wick
