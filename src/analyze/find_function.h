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

// Finds the function that a user means by `wanted` on the selected stacks: by full name, else without parameters and templates,
// else also without its scope, else by a part of that, else by a part of the full name; each only if one name matches. Functions
// of the same name in several modules are found together. An error lists similar or matching names, best first: a whole word of
// the function's name, its prefix, any part of it, of its scope. `command`: the hint's, before a name.
Result<FoundFunction> find_function(const Profile& profile, const Selection& selection, std::string_view wanted,
                                    std::string_view command = "wick report --callers");

}  // namespace wick
