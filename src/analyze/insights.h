// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the selected samples spend their time on, by the rules of analyze/insight_rules.h (docs/insights.md). Rules overlap: a
// sample counts once for each rule whose symptom it shows.
//
// One pass over the samples and a few over the stacks: 10 million samples with 100,000 different stacks take 0.3 s.

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/insight_rules.h"
#include "analyze/selection.h"
#include "analyze/stack_costs.h"

namespace wick {

// A function of the program, or a thread or process, with its part of the finding.
struct InsightPlace {
  FunctionId function{};  // invalid: a thread or process
  std::string name{};
  StringId file{};  // where most of it is from; invalid: unknown
  uint32_t line = 0;
  Cost cost{};
};

struct Insight {
  const InsightRule* rule = nullptr;
  Cost cost{};
  double share = 0;                        // of all selected samples
  std::vector<InsightPlace> where{};       // nearest callers that are code of the program, most expensive first, at most three
  std::vector<InsightPlace> frames{};      // the functions that show the symptom, likewise
  std::string next{};                      // arguments of wick that show more: `report --callers malloc`
};

struct Insights {
  std::vector<Insight> found{};  // largest share first
  // Why no rule was applied: few samples, or another event than CPU time; empty if rules were applied.
  std::string why_none{};
};

Insights compute_insights(const Profile& profile, const Selection& selection);

}  // namespace wick
