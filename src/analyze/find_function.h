// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyze/stack_costs.h"

namespace wick {

struct FoundFunction {
  std::string name;
  std::vector<FunctionId> functions;
  Cost self;
};

// The function that a person means by `wanted`, among those on the selected stacks: its whole name, else the name without
// parameters and templates, else without its scope too, else a part of that, else a part of the whole; each only if one name
// fits. Functions of one name in several modules are found together. An error names what was near or what fits, best first: a
// whole word of the function's own name, its beginning, any part of it, of its scope.
Result<FoundFunction> find_function(const Profile& profile, const Selection& selection, std::string_view wanted);

}  // namespace wick
