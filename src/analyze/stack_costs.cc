// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/stack_costs.h"

#include <tsl/robin_map.h>

#include "base/hash.h"

namespace wick {

std::vector<Cost> compute_stack_self(const Profile& profile, const Selection& selection) {
  std::vector<Cost> costs(profile.stacks().size());
  for (uint32_t row : selection.samples) {
    const Sample& s = profile.samples()[row];
    costs[s.stack.value] += {s.weight, s.count};
  }
  return costs;
}

void add_up_callers(const Profile& profile, std::vector<Cost>& costs) {
  for (size_t i = profile.stacks().size(); i-- > 0;) {
    StackId caller = profile.stacks()[i].caller;
    if (caller.valid() && !costs[i].empty()) { costs[caller.value] += costs[i]; }
  }
}

std::vector<FunctionId> compute_same_functions(const Profile& profile, Sameness sameness) {
  tsl::robin_map<uint64_t, uint32_t, NumberHash> first;
  first.reserve(profile.functions().size());
  std::vector<FunctionId> same(profile.functions().size());
  for (uint32_t i = 0; i < profile.functions().size(); ++i) {
    const Function& f = profile.functions()[i];
    bool by_module = sameness == Sameness::kNameAndModule && f.module.valid();
    uint64_t key = uint64_t{f.name.value} << 32 | (by_module ? profile[f.module].name : StringId{}).value;
    same[i] = FunctionId{first.try_emplace(key, i).first->second};
  }
  return same;
}

}  // namespace wick
