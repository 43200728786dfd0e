// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff_table.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analyze/format.h"
#include "analyze/overview.h"

namespace wick {
namespace {

double share_of(int64_t part, int64_t whole) { return whole > 0 ? share(part, whole) : 0; }

// Most of both profiles is in functions that the other lacks: no program changes that much between two recordings.
void warn_if_strangers(const Profile& combined, const Sides& sides, DiffTable& table) {
  constexpr double kFew = 0.5;
  std::vector<bool> in[2];
  std::vector<FunctionId> same = compute_same_functions(combined);
  auto function = [&](StackId stack) { return same[combined[combined[stack].frame].function.value].value; };
  const Selection* selections[2] = {&sides.before, &sides.after};
  for (size_t side = 0; side < 2; ++side) {
    in[side].resize(combined.functions().size());
    std::vector<bool> seen(combined.stacks().size());
    for (uint32_t row : selections[side]->samples) {
      for (StackId at = combined.samples()[row].stack; at.valid() && !seen[at.value]; at = combined[at].caller) {
        seen[at.value] = true;
        in[side][function(at)] = true;
      }
    }
  }
  double shares[2];
  for (size_t side = 0; side < 2; ++side) {
    double common = 0, all = 0;
    for (uint32_t row : selections[side]->samples) {
      const Sample& s = combined.samples()[row];
      double weight = static_cast<double>(std::max<int64_t>(s.weight, 0));
      all += weight;
      common += in[1 - side][function(s.stack)] ? weight : 0;
    }
    if (all <= 0) { return; }
    shares[side] = common / all;
  }
  if (std::max(shares[0], shares[1]) >= kFew) { return; }
  table.warnings.push_back("the profiles have few functions in common: these account for " + format_percent(shares[0]) +
                           " of before and " + format_percent(shares[1]) + " of after");
}

Change verdict_of(double noise, double change) {
  if (noise >= kNoiseLevel || change == 0) { return Change::kNoise; }
  return change > 0 ? Change::kGrew : Change::kShrank;
}

}  // namespace

void judge_rows(DiffTable& table) {
  bool totals = is_code(table.by);
  std::vector<double*> costs, shares;
  auto test = [&](DiffCost& cost) {
    Costs before = table.costs_before(cost), after = table.costs_after(cost);
    // Too few samples to ever be significant: not tested, so it does not count for the correction.
    if (least_noise(before, after) > kNoiseLevel) { return; }
    cost.cost_noise = cost_noise(before, after);
    cost.share_noise = share_noise(before, after);
    costs.push_back(&cost.cost_noise);
    shares.push_back(&cost.share_noise);
  };
  auto is_leaf = [](const DiffRow& row) {
    return row.self.before.weight == row.total.before.weight && row.self.after.weight == row.total.after.weight;
  };
  for (DiffRow& row : table.rows) {
    if (!row.comparable) { continue; }
    test(row.self);
    if (totals && !is_leaf(row)) { test(row.total); }
  }
  correct_for_many(std::move(costs));
  correct_for_many(std::move(shares));
  for (DiffRow& row : table.rows) {
    if (!totals || is_leaf(row)) {  // self and total are the same comparison
      row.total.cost_noise = row.self.cost_noise;
      row.total.share_noise = row.self.share_noise;
    }
  }
}

double DiffTable::change(const DiffCost& cost) const {
  return static_cast<double>(cost.after.weight) - (normalized ? scale : 1) * static_cast<double>(cost.before.weight);
}

double DiffTable::share_change(const DiffCost& cost) const {
  return share_of(cost.after.weight, after.weight) - share_of(cost.before.weight, before.weight);
}

Change DiffTable::verdict(const DiffCost& cost) const {
  return normalized ? verdict_of(cost.share_noise, share_change(cost)) : verdict_of(cost.cost_noise, change(cost));
}

bool DiffTable::changed(const DiffRow& row) const {
  return verdict(row.self) != Change::kNoise || verdict(row.total) != Change::kNoise;
}

bool DiffTable::carries(const DiffRow& row) const {
  return verdict(row.self) == Change::kNoise && verdict(row.total) != Change::kNoise;
}

bool DiffTable::differs(const DiffRow& row) const {
  constexpr double kNothing = 0.5;  // of the smallest part of the unit
  return std::abs(change(row.self)) >= kNothing || std::abs(change(row.total)) >= kNothing;
}

DiffTable compute_diff(const Profile& combined, const Sides& sides, bool normalized, GroupBy by, SortBy sort) {
  CostTable before = compute_table(combined, sides.before, by), after = compute_table(combined, sides.after, by);
  DiffTable table;
  table.by = by;
  table.before = before.all;
  table.after = after.all;
  table.normalized = normalized;
  if (before.all.weight > 0 && after.all.weight > 0) {
    table.scale = static_cast<double>(after.all.weight) / static_cast<double>(before.all.weight);
  }
  tsl::robin_map<uint32_t, size_t> rows;
  auto row_of = [&](const CostRow& from) -> DiffRow& {
    auto [it, fresh] = rows.try_emplace(from.id, table.rows.size());
    if (fresh) { table.rows.push_back({.id = from.id}); }
    DiffRow& row = table.rows[it->second];
    row.inlining.called |= from.inlining.called;
    row.inlining.inlined |= from.inlining.inlined;
    return row;
  };
  for (const CostRow& from : before.rows) {
    DiffRow& row = row_of(from);
    row.self.before = from.self;
    row.total.before = from.total;
  }
  for (const CostRow& from : after.rows) {
    DiffRow& row = row_of(from);
    row.self.after = from.self;
    row.total.after = from.total;
  }
  judge_rows(table);
  warn_if_strangers(combined, sides, table);
  std::sort(table.rows.begin(), table.rows.end(), [&](const DiffRow& a, const DiffRow& b) {
    auto part = [&](const DiffRow& row) { return !table.changed(row) ? 2 : sort == SortBy::kSelf && table.carries(row) ? 1 : 0; };
    if (sort != SortBy::kName && part(a) != part(b)) { return part(a) < part(b); }
    auto size = [&](const DiffCost& cost) { return std::abs(table.change(cost)); };
    bool by_total = sort == SortBy::kTotal || (table.carries(a) && table.carries(b));
    const DiffCost DiffRow::* first = by_total ? &DiffRow::total : &DiffRow::self;
    const DiffCost DiffRow::* second = by_total ? &DiffRow::self : &DiffRow::total;
    if (sort != SortBy::kName && size(a.*first) != size(b.*first)) { return size(a.*first) > size(b.*first); }
    if (sort != SortBy::kName && size(a.*second) != size(b.*second)) { return size(a.*second) > size(b.*second); }
    CostRow x = a.named(), y = b.named();
    int order = row_name(combined, by, x).compare(row_name(combined, by, y));
    if (order == 0) { order = row_module(combined, by, x).compare(row_module(combined, by, y)); }
    return order != 0 ? order < 0 : a.id < b.id;
  });
  return table;
}

std::vector<Regression> find_regressions(const DiffTable& table, double allowed_share) {
  std::vector<Regression> found;
  auto grew = [&](const DiffCost& cost) {
    double by = table.share_change(cost);
    bool share = by > allowed_share && verdict_of(cost.share_noise, by) == Change::kGrew;
    return share && table.verdict(cost) == Change::kGrew;
  };
  for (uint32_t i = 0; i < table.rows.size(); ++i) {
    const DiffRow& row = table.rows[i];
    if (grew(row.self)) {
      found.push_back({i, true, table.share_change(row.self)});
    } else if (grew(row.total)) {
      found.push_back({i, false, table.share_change(row.total)});
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Regression& a, const Regression& b) {
    return a.self != b.self ? a.self : a.share_change > b.share_change;
  });
  return found;
}

std::string find_too_few_samples(const DiffTable& table) {
  std::string found;
  for (const auto& [name, all] : {std::pair("BEFORE", &table.before), std::pair("AFTER", &table.after)}) {
    if (all->samples >= kFewestSamples && all->weight > 0) { continue; }
    found += (found.empty() ? "" : ", ") + std::string(name) + " has ";
    found += all->empty() ? "no samples" : all->weight <= 0 ? "no cost" : "only " + count_of(all->samples, "sample");
  }
  return found;
}

Comparison choose_comparison(const DiffSide& before, const DiffSide& after) {
  if (!before.profile.command().empty() && !after.profile.command().empty()) { return {false, "both are complete runs"}; }
  auto tells_length = [](const Profile& p) { return p.has_times() || p.duration_ns() != 0; };
  if (!tells_length(before.profile) || !tells_length(after.profile)) { return {false, "the recording times are unknown"}; }
  constexpr double kSameLength = 0.05;
  uint64_t a = compute_overview(before.profile, before.selection.event).duration_ns;
  uint64_t b = compute_overview(after.profile, after.selection.event).duration_ns;
  auto length = [](uint64_t ns) { return format_duration(static_cast<int64_t>(std::min<uint64_t>(ns, INT64_MAX))); };
  double longer = static_cast<double>(std::max(a, b)), shorter = static_cast<double>(std::min(a, b));
  if (longer - shorter <= kSameLength * longer) { return {false, "both recordings have the same length"}; }
  return {true, "the recordings have different lengths, " + length(a) + " and " + length(b)};
}

}  // namespace wick
