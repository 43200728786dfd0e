// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Renders the output of `wick annotate`.

#include <string>
#include <string_view>
#include <vector>

#include "annotate/code_parts.h"
#include "annotate/code_rows.h"
#include "annotate/row_costs.h"
#include "term/style.h"

namespace wick {

struct CodeViewOptions {
  bool source = true, instructions = true;
  size_t context = 3;  // lines before and after those with cost
  std::string skid{};  // of the addresses (describe_skid)
};

// A source line with tabs as in editors; everything else that is not printable is escaped.
std::string source_text(std::string_view line);

// The function, its cost, and the notes. `all`: the cost of the whole selection.
std::string render_function_line(const FunctionCode& code, const CodeCosts& costs, const Cost& all, const Style& style);

// `all`: the cost of the whole selection.
std::string render_code(const FunctionCode& code, const std::vector<CodeRow>& rows, const std::vector<RowCost>& costs,
                        const Cost& all, const CodeViewOptions& options, const Style& style);

// The function and what is inlined into it, each with its lines.
std::string render_parts(const std::vector<ShownPart>& parts, const Cost& all, const Style& style);

}  // namespace wick
