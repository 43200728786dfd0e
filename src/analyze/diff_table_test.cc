// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "model/testing.h"

namespace wick {
namespace {

using testing_profile::edited;
using testing_profile::profile_of;
using Lines = std::vector<std::string>;

struct Difference {
  Profile combined;
  DiffTable table;

  const DiffRow& row(const std::string& name) const {
    for (const DiffRow& row : table.rows) {
      if (row_name(combined, table.by, row.named()) == name) { return row; }
    }
    ADD_FAILURE() << "no row " << name;
    return table.rows[0];
  }
  Change self(const std::string& name) const { return table.verdict(row(name).self); }
  Change total(const std::string& name) const { return table.verdict(row(name).total); }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const DiffRow& row : table.rows) { out.push_back(row_name(combined, table.by, row.named())); }
    return out;
  }
};

Difference diff(const Profile& a, const Profile& b, bool normalized = false, GroupBy by = GroupBy::kFunction,
                SortBy sort = SortBy::kSelf) {
  Difference d{*combine_profiles(a, *select_samples(a), b, *select_samples(b)), {}};
  d.table = compute_diff(d.combined, *select_sides(d.combined), normalized, by, sort);
  return d;
}

TEST(DiffTable, GrewVanishedAndUnchanged) {
  Profile a = profile_of({"app;main;parse 60", "app;main;render 40", "app;main;vanished 20"});
  Profile b = profile_of({"app;main;parse 60", "app;main;render 140"});
  Difference d = diff(a, b);
  EXPECT_EQ(d.names(), (Lines{"render", "vanished", "main", "parse"}));
  EXPECT_EQ(d.self("render"), Change::kGrew);
  EXPECT_EQ(d.self("vanished"), Change::kShrank);
  EXPECT_EQ(d.self("parse"), Change::kNoise);
  EXPECT_EQ(d.total("main"), Change::kGrew);
  EXPECT_EQ(d.self("main"), Change::kNoise);
  EXPECT_DOUBLE_EQ(d.table.change(d.row("render").self), 100e6);
  EXPECT_DOUBLE_EQ(d.table.share_change(d.row("render").self), 140 / 200.0 - 40 / 120.0);
  EXPECT_FALSE(d.table.differs(d.row("parse")));
  EXPECT_TRUE(d.table.differs(d.row("main")));

  Difference shares = diff(a, b, true);
  EXPECT_EQ(shares.self("render"), Change::kGrew);
  EXPECT_EQ(shares.self("parse"), Change::kShrank);
  EXPECT_EQ(shares.total("main"), Change::kNoise);
  EXPECT_NEAR(shares.table.change(shares.row("render").self), 140e6 - 40e6 * 200 / 120, 1);
}

TEST(DiffTable, Orders) {
  Profile a = profile_of({"t;b;x 10", "t;a 30"}), b = profile_of({"t;b;x 40", "t;a 31", "t;b 5"});
  EXPECT_EQ(diff(a, b).names(), (Lines{"x", "b", "a"}));
  EXPECT_EQ(diff(a, b, false, GroupBy::kFunction, SortBy::kTotal).names(), (Lines{"b", "x", "a"}));
  EXPECT_EQ(diff(a, b, false, GroupBy::kFunction, SortBy::kName).names(), (Lines{"a", "b", "x"}));
}

// A row marked only for its callees has no self change to sort by and would end up below noise.
TEST(DiffTable, MarkedRowsComeFirst) {
  Profile a = profile_of({"t;big 1000", "t;outer;x 10"}), b = profile_of({"t;big 1020", "t;outer;x 100"});
  EXPECT_EQ(diff(a, b).names(), (Lines{"x", "outer", "big"}));
  EXPECT_EQ(diff(a, b, false, GroupBy::kFunction, SortBy::kName).names(), (Lines{"big", "outer", "x"}));
}

TEST(DiffTable, OtherRows) {
  Profile a = profile_of({"main;f 100", "worker;libx.so`g 100"}), b = profile_of({"main;f 100", "worker;libx.so`g 300"});
  EXPECT_EQ(diff(a, b, false, GroupBy::kThread).self("worker"), Change::kGrew);
  EXPECT_EQ(diff(a, b, false, GroupBy::kThread).self("main"), Change::kNoise);
  EXPECT_EQ(diff(a, b, false, GroupBy::kModule).self("libx.so"), Change::kGrew);
  EXPECT_EQ(diff(a, b, false, GroupBy::kProcess).names(), (Lines{"main"}));
}

TEST(DiffTable, NothingInCommon) {
  Difference d = diff(profile_of({"t;f 50"}), profile_of({"t;g 50"}));
  EXPECT_EQ(d.self("f"), Change::kShrank);
  EXPECT_EQ(d.self("g"), Change::kGrew);
}

TEST(DiffTable, EmptySides) {
  ProfileBuilder builder;
  Profile none = std::move(builder).build(), some = profile_of({"t;f 50"});
  EXPECT_TRUE(diff(none, none).table.rows.empty());
  EXPECT_EQ(diff(none, some).self("f"), Change::kGrew);
  EXPECT_EQ(diff(some, none).self("f"), Change::kShrank);
  EXPECT_EQ(diff(some, none, true).self("f"), Change::kNoise);  // nothing has no shares
  EXPECT_TRUE(find_regressions(diff(none, some).table, 0).empty());
}

// ------------------------------------------------------------------------------------------------- --fail-above

Lines failing(const Difference& d, double percent) {
  Lines out;
  for (const Regression& r : find_regressions(d.table, percent / 100)) {
    out.push_back(row_name(d.combined, d.table.by, d.table.rows[r.row].named()) + (r.self ? "" : " with callees"));
  }
  return out;
}

TEST(DiffTable, FindsRegressions) {
  Profile a = profile_of({"app;main;parse 60", "app;main;draw;render 40", "app;main;vanished 20"});
  Profile b = profile_of({"app;main;parse 60", "app;main;draw;render 140"});
  EXPECT_EQ(failing(diff(a, b), 5), (Lines{"render", "draw with callees"}));
  EXPECT_EQ(failing(diff(a, b), 36), (Lines{"render", "draw with callees"}));
  EXPECT_EQ(failing(diff(a, b), 37), Lines{});
  EXPECT_EQ(failing(diff(b, a), 5), (Lines{"vanished"}));
  EXPECT_EQ(failing(diff(a, a), 0), Lines{});
}

TEST(DiffTable, LargerShareAtTheSameCostIsNoRegression) {
  Profile a = profile_of({"t;slow 1000", "t;same 1000"}), b = profile_of({"t;slow 200", "t;same 1000"});
  EXPECT_EQ(failing(diff(a, b), 5), Lines{});
  EXPECT_EQ(failing(diff(a, b, true), 5), Lines{"same"});  // shares alone cannot tell
}

TEST(DiffTable, SlowerMachineIsNoRegression) {
  Profile a = profile_of({"t;f 1000", "t;g 500"}), b = profile_of({"t;f 1500", "t;g 750"});
  EXPECT_EQ(failing(diff(a, b), 0), Lines{});
  EXPECT_EQ(diff(a, b).self("f"), Change::kGrew);
}

// ------------------------------------------------------------------------------------------------------------- properties

struct Program {
  std::vector<std::string> stacks;
  std::vector<double> shares;
};

Program random_program(std::mt19937& random, size_t stacks) {
  Program p;
  double sum = 0;
  for (size_t i = 0; i < stacks; ++i) {
    std::string text = "main";
    for (unsigned depth = random() % 5; depth > 0; --depth) { text += ";f" + std::to_string(random() % 12); }
    p.stacks.push_back(text + ";leaf" + std::to_string(i));
    p.shares.push_back(std::exp(static_cast<double>(random() % 1000) / 200));
    sum += p.shares.back();
  }
  for (double& s : p.shares) { s /= sum; }
  return p;
}

Profile recorded(std::mt19937& random, const Program& program, unsigned samples) {
  std::discrete_distribution<size_t> pick(program.shares.begin(), program.shares.end());
  std::map<size_t, unsigned> counts;
  for (unsigned i = 0; i < samples; ++i) { ++counts[pick(random)]; }
  ProfileBuilder b;
  EventId event = b.event("cpu-clock", "ns", 1000);
  ThreadId thread = b.add_thread(b.add_process(1, "t"), 1, "t");
  for (const auto& [i, n] : counts) {
    StackId stack;
    for (std::string_view name : split(program.stacks[i], ';')) {
      stack = b.stack(b.frame({.function = b.function(name, {}, b.module("/bin/app"))}), stack);
    }
    b.add_sample({.thread = thread, .stack = stack, .event = event, .weight = int64_t{n} * 1'000'000, .count = n});
  }
  return std::move(b).build();
}

TEST(DiffTable, ProfileAgainstItselfHasNoDifferences) {
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    Profile p = recorded(random, random_program(random, 30), 500);
    for (bool normalized : {false, true}) {
      for (GroupBy by : {GroupBy::kFunction, GroupBy::kModule, GroupBy::kThread}) {
        Difference d = diff(p, p, normalized, by);
        for (const DiffRow& row : d.table.rows) {
          EXPECT_FALSE(d.table.differs(row));
          EXPECT_EQ(row.self.cost_noise, 1);
          EXPECT_EQ(row.total.share_noise, 1);
        }
        EXPECT_TRUE(find_regressions(d.table, 0).empty());
      }
    }
  }
}

TEST(DiffTable, SwappingNegatesAndSumsAddUp) {
  std::mt19937 random(2);
  for (int round = 0; round < 20; ++round) {
    Program program = random_program(random, 30);
    Profile a = recorded(random, program, 500), b = recorded(random, random_program(random, 30), 700);
    for (bool normalized : {false, true}) {
      Difference there = diff(a, b, normalized), back = diff(b, a, normalized);
      ASSERT_EQ(there.table.rows.size(), back.table.rows.size());
      double sum = 0, shares = 0;
      for (const DiffRow& row : there.table.rows) {
        std::string name = row_name(there.combined, GroupBy::kFunction, row.named());
        const DiffRow& other = back.row(name);
        EXPECT_NEAR(there.table.share_change(row.self), -back.table.share_change(other.self), 1e-12);
        EXPECT_NEAR(there.table.share_change(row.total), -back.table.share_change(other.total), 1e-12);
        if (!normalized) { EXPECT_EQ(there.table.change(row.total), -back.table.change(other.total)); }
        EXPECT_NEAR(row.total.cost_noise, other.total.cost_noise, 1e-9);
        Change x = there.table.verdict(row.self), y = back.table.verdict(other.self);
        EXPECT_EQ(x == Change::kNoise, y == Change::kNoise) << name;
        EXPECT_TRUE(x == Change::kNoise || x != y) << name;
        sum += there.table.change(row.self);
        shares += there.table.share_change(row.self);
      }
      double all = static_cast<double>(there.table.after.weight) - static_cast<double>(there.table.before.weight);
      EXPECT_NEAR(sum, normalized ? 0 : all, 1e-3);
      EXPECT_NEAR(shares, 0, 1e-9);
    }
  }
}

// The guarantee of the marks: fewer than 1 of 100 comparisons of the same program mark anything.
TEST(DiffTable, NoiseIsAlmostNeverMarked) {
  std::mt19937 random(3);
  int marked = 0, failed = 0;
  constexpr int kRounds = 150;
  for (int round = 0; round < kRounds; ++round) {
    Program program = random_program(random, 60);
    Profile a = recorded(random, program, 1000), b = recorded(random, program, round % 2 == 0 ? 1000 : 2500);
    Difference d = diff(a, b, round % 2 == 1);
    bool any = std::any_of(d.table.rows.begin(), d.table.rows.end(), [&](const DiffRow& row) {
      return d.table.verdict(row.self) != Change::kNoise || d.table.verdict(row.total) != Change::kNoise;
    });
    marked += any;
    failed += !find_regressions(d.table, 0).empty();
  }
  EXPECT_LE(marked, kRounds / 100 + 2);
  EXPECT_LE(failed, marked);
}

TEST(DiffTable, RealChangesAreMarked) {
  std::mt19937 random(4);
  int found = 0, wrong = 0;
  constexpr int kRounds = 50;
  for (int round = 0; round < kRounds; ++round) {
    Program program = random_program(random, 60);
    program.stacks.push_back("main;culprit");
    program.shares.push_back(0.10);  // relative to the total of the others
    Profile a = recorded(random, program, 2000);
    program.shares.back() = 0.20;
    Profile b = recorded(random, program, 2182);  // (1 + 0.2) / (1 + 0.1) as much
    Difference d = diff(a, b);
    found += d.self("culprit") == Change::kGrew;
    for (const DiffRow& row : d.table.rows) {
      bool is_culprit = row_name(d.combined, GroupBy::kFunction, row.named()) == "culprit";
      wrong += !is_culprit && d.table.verdict(row.self) != Change::kNoise;
    }
  }
  EXPECT_GE(found, kRounds * 9 / 10);
  EXPECT_LE(wrong, 2);
}

// -------------------------------------------------------------------------------------------------- costs or shares

Profile attached(unsigned samples) {
  ProfileBuilder b;
  testing_profile::add_lines(b, {"t;f " + std::to_string(samples)});
  return std::move(b).build();
}

TEST(DiffTable, ChoosesCostsOrShares) {
  auto choose = [](const Profile& a, const Profile& b) {
    Selection x = *select_samples(a), y = *select_samples(b);
    return choose_comparison({"a", a, x}, {"b", b, y});
  };
  EXPECT_FALSE(choose(profile_of({"t;f 100"}), profile_of({"t;f 900"})).normalized);
  EXPECT_FALSE(choose(attached(1000), attached(1010)).normalized);
  Comparison different = choose(attached(1000), attached(2000));
  EXPECT_TRUE(different.normalized);
  EXPECT_EQ(different.why, "the recordings have different lengths, 999 ms and 2.00 s");
  Profile no_times = edited(attached(1000), [](ProfileBuilder& b) { b.about().has_times = false; });
  EXPECT_FALSE(choose(no_times, attached(5000)).normalized);
  no_times = edited(no_times, [](ProfileBuilder& b) { b.set_duration(1'000'000'000); });  // as in pprof files
  EXPECT_TRUE(choose(no_times, attached(5000)).normalized);
}

// Without enough samples, finding nothing does not pass.
TEST(DiffTable, TooFewSamplesDoNotPass) {
  auto reason = [](const Profile& a, const Profile& b) {
    Profile both = *combine_profiles(a, *select_samples(a), b, *select_samples(b));
    DiffTable table = compute_diff(both, *select_sides(both), false);
    EXPECT_TRUE(find_regressions(table, 0).empty());
    return find_too_few_samples(table);
  };
  ProfileBuilder builder;
  Profile none = std::move(builder).build(), three = profile_of({"t;f 3"}), enough = profile_of({"t;f 100"});
  EXPECT_EQ(reason(enough, enough), "");
  EXPECT_EQ(reason(enough, none), "AFTER has no samples");
  EXPECT_EQ(reason(none, enough), "BEFORE has no samples");
  EXPECT_EQ(reason(none, none), "BEFORE has no samples, AFTER has no samples");
  EXPECT_EQ(reason(enough, three), "AFTER has only 3 samples");
  EXPECT_EQ(reason(profile_of({"t;f 99"}), enough), "BEFORE has only 99 samples");
}

// Callers of a cause come after it, however much their self cost differs.
TEST(DiffTable, CausesComeBeforeTheirCallers) {
  Profile a = profile_of({"t;_start;main 1000", "t;_start;main;hot 20", "t;_start;main;same 300", "t;other 400"});
  Profile b = profile_of({"t;_start;main 1050", "t;_start;main;hot 60", "t;_start;main;same 700", "t;other 430"});
  Profile both = *combine_profiles(a, *select_samples(a), b, *select_samples(b));
  auto names = [&](SortBy sort) {
    DiffTable table = compute_diff(both, *select_sides(both), false, GroupBy::kFunction, sort);
    Lines out;
    for (const DiffRow& row : table.rows) {
      out.push_back((table.carries(row)   ? "carries "
                     : table.changed(row) ? "changed "
                                          : "") +
                    row_name(both, table.by, row.named()));
    }
    return out;
  };
  // main's self cost grew by 50, more than hot's 40, but by less than two runs differ.
  EXPECT_EQ(names(SortBy::kSelf), (Lines{"changed same", "changed hot", "carries main", "carries _start", "other"}));
  EXPECT_EQ(names(SortBy::kTotal), (Lines{"carries main", "carries _start", "changed same", "changed hot", "other"}));
}

}  // namespace
}  // namespace wick
