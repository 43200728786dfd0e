// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A function's source and instructions with their costs.

#include <string>
#include <vector>

#include "analyze/code_costs.h"
#include "analyze/find_function.h"
#include "annotate/code_parts.h"
#include "annotate/code_rows.h"
#include "annotate/function_code.h"
#include "view/view.h"

namespace wick {

struct AnnotateQuery {
  std::string function{};  // as find_function understands it; empty: the one with the most self cost
  CodeOptions code{};
};

struct Annotated {
  View view;
  FoundFunction function;
  FunctionCode code;
  CodeCosts costs;
  std::string skid;              // describe_skid() of the event
  std::vector<ShownPart> parts;  // the function and what is inlined into it, the most cost first
};

Result<Annotated> load_annotated(ViewRequest request, AnnotateQuery query);

// Of functions that count as the same or have the same name, the one in the build with the most cost.
FunctionId find_main_build(const Profile& profile, const Selection& selection, const std::vector<FunctionId>& functions);
// The costs of `shown`, whose code this is. `functions`: all that count as it. Adds notes about what is not shown.
CodeCosts compute_shown_costs(const Profile& profile, const Selection& selection, const std::vector<FunctionId>& functions,
                              FunctionId shown, FunctionCode& code);

// docs/annotate-json.md
std::string annotated_json(const Annotated& shown);

}  // namespace wick
