// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What grew and what shrank: the tables of function_table.h for both sides of a combined profile (diff_profile.h), and for each
// change whether noise explains it (diff_noise.h).

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/diff_noise.h"
#include "analyze/diff_profile.h"
#include "analyze/function_table.h"

namespace wick {

enum class Change : uint8_t { kNoise, kGrew, kShrank };

// A row's self or total cost.
struct DiffCost {
  Cost before, after;
  // The probability that noise alone explains the difference, corrected for the number of rows.
  double cost_noise = 1, share_noise = 1;
};

struct DiffRow {
  uint32_t id = UINT32_MAX;  // as in CostRow
  DiffCost self{}, total{};
  Inlining inlining{};
  bool comparable = true;  // false: both costs may belong to different code, so the row gets no verdict

  // For row_name() and row_module().
  CostRow named() const {
    CostRow row;
    row.id = id;
    return row;
  }
};

struct DiffTable {
  GroupBy by = GroupBy::kFunction;
  Cost before, after;  // total
  // What is compared: costs as recorded, or shares. `scale` converts `before` to the total of `after`.
  bool normalized = false;
  double scale = 1;
  std::vector<DiffRow> rows;
  std::vector<std::string> notes;     // what was done to make them comparable
  std::vector<std::string> warnings;  // why they may not be comparable

  // After minus before, in the event's unit, with `before` scaled if normalized.
  double change(const DiffCost& cost) const;
  // Change of the share, from -1 to 1.
  double share_change(const DiffCost& cost) const;
  // The verdict shown, for costs or shares.
  Change verdict(const DiffCost& cost) const;
  bool changed(const DiffRow& row) const;  // self or total
  bool carries(const DiffRow& row) const;  // only its callees changed
  bool differs(const DiffRow& row) const;
  Costs costs_before(const DiffCost& cost) const { return {cost.before, before}; }
  Costs costs_after(const DiffCost& cost) const { return {cost.after, after}; }
};

// Sets the noise of all rows, from the costs of the table and its rows.
void judge_rows(DiffTable& table);

// Rows that changed beyond noise come first, those with a changed self cost before their callers (sorted by total: all together);
// within each part, the largest changes first. Or all by name. To compare costs, `combined` must not be normalized.
DiffTable compute_diff(const Profile& combined, const Sides& sides, bool normalized, GroupBy by = GroupBy::kFunction,
                       SortBy sort = SortBy::kSelf);

// A row whose share grew by more than allowed, beyond noise; if costs are compared, its cost must have grown as well: a share
// that grew only because something else became faster is not a regression.
struct Regression {
  uint32_t row = 0;  // in DiffTable::rows
  bool self = true;  // else including callees
  double share_change = 0;
};
// Those with a grown self cost first, each part sorted by size.
std::vector<Regression> find_regressions(const DiffTable& table, double allowed_share);

// Why "no regression" would prove nothing: a side has no samples, or too few. Empty otherwise.
constexpr uint64_t kFewestSamples = 100;
std::string find_too_few_samples(const DiffTable& table);

// One of the compared profiles, as loaded.
struct DiffSide {
  std::string file;
  const Profile& profile;
  const Selection& selection;
};

// Whether to compare shares by default, and the reason as a phrase.
struct Comparison {
  bool normalized = false;
  std::string why;
};
Comparison choose_comparison(const DiffSide& before, const DiffSide& after);

}  // namespace wick
