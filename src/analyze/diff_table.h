// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What grew and what shrank: the tables of function_table.h of both sides of a combined profile (diff_profile.h), row by row, and
// for each change whether noise explains it (diff_noise.h).

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/diff_noise.h"
#include "analyze/diff_profile.h"
#include "analyze/function_table.h"

namespace wick {

enum class Change : uint8_t { kNoise, kGrew, kShrank };

// A row's cost by itself, or with what it called.
struct DiffCost {
  Cost before, after;
  // How likely noise alone would do as much, corrected for the number of rows.
  double cost_noise = 1, share_noise = 1;
};

struct DiffRow {
  uint32_t id = UINT32_MAX;  // as in CostRow
  DiffCost self{}, total{};
  Inlining inlining{};

  // What row_name() and row_module() ask for.
  CostRow named() const {
    CostRow row;
    row.id = id;
    return row;
  }
};

struct DiffTable {
  GroupBy by = GroupBy::kFunction;
  Cost before, after;  // of everything
  // What is compared: costs as they were recorded, or shares. `scale` brings `before` to the total of `after`.
  bool normalized = false;
  double scale = 1;
  std::vector<DiffRow> rows;
  std::vector<std::string> notes;     // what was done to make the two comparable, for people
  std::vector<std::string> warnings;  // why they may not be

  // After minus before, in the event's unit, `before` scaled where normalized.
  double change(const DiffCost& cost) const;
  // Of the share of everything, from -1 to 1.
  double share_change(const DiffCost& cost) const;
  // What is shown as changed: of what is compared.
  Change verdict(const DiffCost& cost) const;
  bool changed(const DiffRow& row) const;  // by itself or with what it called
  bool carries(const DiffRow& row) const;  // only what it called changed
  bool differs(const DiffRow& row) const;
  Costs costs_before(const DiffCost& cost) const { return {cost.before, before}; }
  Costs costs_after(const DiffCost& cost) const { return {cost.after, after}; }
};

// Rows that changed beyond noise first, those whose own cost did before those that only called them (sorted by total: all in
// one); each part with the largest changes first. Or all by name. `combined` is not normalized, where costs are compared: that
// needs what was recorded.
DiffTable compute_diff(const Profile& combined, const Sides& sides, bool normalized, GroupBy by = GroupBy::kFunction,
                       SortBy sort = SortBy::kSelf);

// A row whose share grew by more than was allowed, beyond noise; and whose cost did too, where costs are compared: what takes a
// larger share only because something else became faster is none.
struct Regression {
  uint32_t row = 0;  // of DiffTable::rows
  bool self = true;  // else with what it called
  double share_change = 0;
};
// Those that grew by themselves first, each by size.
std::vector<Regression> find_regressions(const DiffTable& table, double allowed_share);

// Why "no regression" would say nothing: a side has no samples, or too few to show one. Empty: it does not.
constexpr uint64_t kFewestToJudge = 100;
std::string find_too_few_samples(const DiffTable& table);

// One of the two that are compared, as it was loaded.
struct DiffSide {
  std::string file;
  const Profile& profile;
  const Selection& selection;
};

// Whether to compare shares, where the user did not say, and why: words for people.
struct Comparison {
  bool normalized = false;
  std::string why;
};
Comparison choose_comparison(const DiffSide& before, const DiffSide& after);

}  // namespace wick
