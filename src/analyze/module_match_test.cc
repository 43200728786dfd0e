// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/module_match.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <set>

#include "analyze/diff_table.h"
#include "model/testing.h"

namespace wick {
namespace {

struct ModuleSpec {
  std::string path, build_id;
  std::vector<std::string> functions;  // "[" begins a placeholder for a missing symbol
};

// One sample of each function, in a process named after the first module.
Profile profile_of(std::vector<std::string> command, const std::vector<ModuleSpec>& modules, uint64_t count = 100) {
  ProfileBuilder b;
  b.set_command(std::move(command));
  EventId event = b.event("cpu-clock", "ns", 1000);
  std::string_view process = std::string_view(modules[0].path).substr(modules[0].path.rfind('/') + 1).substr(0, 15);
  ThreadId thread = b.add_thread(b.add_process(10, process), 10, process);
  for (const ModuleSpec& m : modules) {
    ModuleId module = b.module(m.path, m.build_id);
    for (const std::string& name : m.functions) {
      FunctionId f = b.function(name, {}, module, !name.starts_with('['));
      b.add_sample({.time_ns = 1,
                    .thread = thread,
                    .stack = b.stack(b.frame({.function = f}), {}),
                    .event = event,
                    .weight = 1'000'000,
                    .count = count});
    }
  }
  return std::move(b).build();
}

// "name" if both sides have it, "name!" if only one has.
std::set<std::string> rows(const Profile& a, const Profile& b, GroupBy by = GroupBy::kFunction) {
  Profile both = *combine_profiles(a, *select_samples(a), b, *select_samples(b));
  DiffTable table = compute_diff(both, *select_sides(both), false, by);
  std::set<std::string> out;
  for (const DiffRow& row : table.rows) {
    bool one = row.total.before.empty() || row.total.after.empty();
    out.insert(row_name(both, by, row.named()) + (one ? "!" : ""));
  }
  return out;
}
using Rows = std::set<std::string>;
const std::vector<std::string> kFunctions = {"main", "parse", "render", "flush"};

TEST(ModuleMatch, ProgramUnderAnotherName) {
  Profile a = profile_of({"./app.old", "-x"}, {{"/b/app.old", "01", kFunctions}});
  Profile b = profile_of({"./app", "-x"}, {{"/b/app", "02", kFunctions}});
  EXPECT_EQ(rows(a, b), (Rows{"main", "parse", "render", "flush"}));
  EXPECT_EQ(rows(a, b, GroupBy::kModule), Rows{"app"});
  EXPECT_EQ(rows(a, b, GroupBy::kThread), Rows{"app"});
  EXPECT_EQ(rows(a, b, GroupBy::kProcess), Rows{"app"});
  EXPECT_EQ(ModuleMatch(a, b).notes(), std::vector<std::string>{"comparing app.old (before) with app (after)"});
  Profile both = *combine_profiles(a, *select_samples(a), b, *select_samples(b));
  EXPECT_TRUE(find_regressions(compute_diff(both, *select_sides(both), false), 0).empty());
}

TEST(ModuleMatch, ProgramWithAnyName) {
  Profile a = profile_of({"./baseline"}, {{"/b/baseline", "", kFunctions}});
  EXPECT_EQ(rows(a, profile_of({"/x/candidate"}, {{"/x/candidate", "", kFunctions}}), GroupBy::kModule), Rows{"candidate"});
  // Started by a launcher that both have.
  ModuleSpec timeout{"/usr/bin/timeout", "", {"main"}};
  EXPECT_EQ(rows(profile_of({"timeout", "5", "./v1"}, {timeout, {"/b/v1", "", kFunctions}}),
                 profile_of({"sh", "-c", "timeout 5 ./v2"}, {timeout, {"/b/v2", "", kFunctions}}), GroupBy::kModule),
            (Rows{"timeout", "v2"}));
  // Attached: there is no command, only the process name, truncated to 15 bytes.
  EXPECT_EQ(rows(profile_of({}, {{"/b/server-with-a-long-name", "", kFunctions}}),
                 profile_of({}, {{"/b/other-with-a-long-name", "", kFunctions}}), GroupBy::kModule),
            Rows{"other-with-a-long-name"});
}

TEST(ModuleMatch, BuildIdsComeFirst) {
  // app of before is app.old of after: the names are swapped, the code is not.
  Profile a = profile_of({"./app"}, {{"/b/app", "01", {"main", "old_way"}}});
  Profile b = profile_of({"./app"}, {{"/b/app", "02", {"main", "new_way"}}, {"/b/app.old", "01", {"main", "old_way"}}});
  ModuleMatch match(a, b);
  EXPECT_EQ(match.name(0, ModuleId{0}), "app.old");
  EXPECT_EQ(match.name(1, ModuleId{0}), "app");
  // Conversely, an unrelated module keeps its name.
  ModuleMatch back(b, a);
  EXPECT_EQ(back.name(0, ModuleId{1}), "app");
  EXPECT_EQ(back.name(0, ModuleId{0}), "app (before)");
}

TEST(ModuleMatch, MatchesCopiesOfOneBuildOneByOne) {
  Profile a = profile_of({"./a"}, {{"/b/a", "01", kFunctions}});
  Profile b = profile_of({"./a"}, {{"/b/copy", "01", kFunctions}, {"/b/a", "01", kFunctions}});
  EXPECT_EQ(rows(a, b, GroupBy::kModule), (Rows{"a", "copy!"}));
}

TEST(ModuleMatch, AddressesWithoutSymbols) {
  Profile a = profile_of({"./app.old"}, {{"/b/app.old", "01", {"[app.old+0x10]", "[app.old+0x20]"}}});
  Profile same = profile_of({"./app"}, {{"/b/app", "01", {"[app+0x10]", "[app+0x20]"}}});
  EXPECT_EQ(rows(a, same), (Rows{"[app+0x10]", "[app+0x20]"}));
  Profile other = profile_of({"./app"}, {{"/b/app", "02", {"[app+0x18]"}}});
  EXPECT_EQ(rows(a, other), Rows{"[app]"});
  // Neither functions nor names connect these programs.
  Profile stranger = profile_of({"./find"}, {{"/b/find", "02", {"[find+0x18]"}}});
  EXPECT_EQ(rows(a, stranger), (Rows{"[app.old]!", "[find]!"}));
}

TEST(ModuleMatch, VersionsAndHashes) {
  const std::map<std::string, std::string> stems = {{"libfoo.so.1.2", "libfoo.so"},
                                                    {"libfoo.so.1.3", "libfoo.so"},
                                                    {"libfoo.so", "libfoo.so"},
                                                    {"libc-2.31.so", "libc.so"},
                                                    {"libc.so.6", "libc.so"},
                                                    {"liblua5.4.so.0", "liblua.so"},
                                                    {"libstd-5563368f93f04a18.so", "libstd.so"},
                                                    {"bench-0123456789abcdef", "bench"},
                                                    {"python3.11", "python"},
                                                    {"app (deleted)", "app"},
                                                    {"worker-1", "worker-1"},
                                                    {"libplugin-2.so", "libplugin-2.so"},
                                                    {"libgtk-3.so.0", "libgtk-3.so"},
                                                    {"cc1", "cc1"},
                                                    {"a-deadbeef", "a-deadbeef"},
                                                    {"1.2", "1.2"},
                                                    {"-0123456789abcdef", "-0123456789abcdef"},
                                                    {"", ""},
                                                    {".so.1", ".so.1"},
                                                    {"app.sources", "app.sources"}};
  for (const auto& [name, stem] : stems) { EXPECT_EQ(module_stem(name), stem) << name; }
  ModuleSpec app{"/b/app", "", kFunctions};
  auto with = [&](std::initializer_list<ModuleSpec> more) {
    std::vector<ModuleSpec> all = {app};
    all.insert(all.end(), more);
    return profile_of({"./app"}, all);
  };
  EXPECT_EQ(
      rows(with({{"/l/libfoo.so.1.2", "", {"foo", "bar"}}}), with({{"/l/libfoo.so.1.3", "", {"foo", "baz"}}}), GroupBy::kModule),
      (Rows{"app", "libfoo.so.1.3"}));
  // Started by cargo, so the command does not name it.
  EXPECT_EQ(rows(profile_of({"cargo", "bench"}, {{"/t/deps/bench-0123456789abcdef", "", kFunctions}}),
                 profile_of({"cargo", "bench"}, {{"/t/deps/bench-fedcba9876543210", "", kFunctions}}), GroupBy::kModule),
            Rows{"bench-fedcba9876543210"});
}

// Similar modules stay separate, so that a change is never hidden between two modules.
TEST(ModuleMatch, DifferentModulesAreNeverMerged) {
  std::vector<std::string> shared = {"fold", "parse_type", "emit", "gimplify"};
  ModuleSpec make{"/usr/bin/make", "", {"main", "update_file"}};
  // Mostly the same functions, but neither is the recorded program.
  EXPECT_EQ(rows(profile_of({"make"}, {make, {"/l/cc1", "", shared}}), profile_of({"make"}, {make, {"/l/cc1plus", "", shared}}),
                 GroupBy::kModule),
            (Rows{"make", "cc1!", "cc1plus!"}));
  // Two programs that share startup code and the standard library.
  std::vector<std::string> std_only = {"main", "_start", "std::vector<int>::push_back", "core::fmt::write"};
  std::vector<std::string> one = std_only, two = std_only;
  one.insert(one.end(), {"sort_rows", "read_rows"});
  two.insert(two.end(), {"find_path", "visit"});
  EXPECT_EQ(rows(profile_of({"./sorter"}, {{"/b/sorter", "", one}}), profile_of({"./finder"}, {{"/b/finder", "", two}}),
                 GroupBy::kModule),
            (Rows{"sorter!", "finder!"}));
  // Two versions of a library at once: the third could match either.
  ModuleSpec app{"/b/app", "", kFunctions};
  auto ssl = [](const char* path) { return ModuleSpec{path, "", {"SSL_read", "SSL_write"}}; };
  EXPECT_EQ(rows(profile_of({"./app"}, {app, ssl("/l/libssl.so.1"), ssl("/l/libssl.so.2")}),
                 profile_of({"./app"}, {app, ssl("/l/libssl.so.3")}), GroupBy::kModule),
            (Rows{"app", "libssl.so.1!", "libssl.so.2!", "libssl.so.3!"}));
  EXPECT_EQ(rows(profile_of({"./app"}, {app, ssl("/l/libssl.so.1"), ssl("/l/libssl.so.3")}),
                 profile_of({"./app"}, {app, ssl("/l/libssl.so.3")}), GroupBy::kModule),
            (Rows{"app", "libssl.so.1!", "libssl.so.3"}));
  // Numbered plugins are not versions of each other.
  auto plugin = [](const char* path) { return ModuleSpec{path, "", {"plugin_init", "plugin_run"}}; };
  EXPECT_EQ(rows(profile_of({"./app"}, {app, plugin("/l/libplugin-1.so")}),
                 profile_of({"./app"}, {app, plugin("/l/libplugin-2.so")}), GroupBy::kModule),
            (Rows{"app", "libplugin-1.so!", "libplugin-2.so!"}));
  // Test programs of two crates, both named main.
  EXPECT_EQ(rows(profile_of({"cargo", "test"}, {{"/t/main-0123456789abcdef", "", {"main", "crate_a::run"}}}),
                 profile_of({"cargo", "test"}, {{"/t/main-fedcba9876543210", "", {"main", "crate_b::run"}}}), GroupBy::kModule),
            (Rows{"main-0123456789abcdef!", "main-fedcba9876543210!"}));
}

}  // namespace
}  // namespace wick
