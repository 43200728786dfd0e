// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The rows of views that are lists, for moving in them and for drawing them.

#include <cstddef>
#include <string>
#include <vector>

#include "tui/data.h"
#include "tui/state.h"

namespace wick::tui {

// What the call tree, and each side of callers and callees, shows.
std::vector<TreeRow> tree_rows(const State& state, Data& data);
std::vector<TreeRow> side_rows(const State& state, Data& data, bool callees);

size_t help_rows(bool live);

// The function of callers and callees: the chosen one, else the hottest.
FunctionId around_function(const State& state, Data& data);

// Lines of the recording view.
std::vector<std::string> quality_lines(Data& data, const State& state);

}  // namespace wick::tui
