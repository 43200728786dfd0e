// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Exact counts of instructions, and simulated caches and branch predictors, from valgrind's cachegrind.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "stat/figure.h"

namespace wick::stat {

struct CachegrindTotals {
  std::string command;
  std::vector<std::string> events;  // "Ir", "I1mr", …
  std::vector<uint64_t> totals;
};
// Reads the lines "events:" and "summary:" of a cachegrind.out file.
Result<CachegrindTotals> parse_cachegrind(std::string_view text);
// Adds up those of several processes.
Status add_totals(CachegrindTotals& sum, const CachegrindTotals& more);
// `bound` and `note` of all counts.
Figures simulated_figures(const CachegrindTotals& totals, Bound bound = Bound::kExact, const std::string& note = "");

// The command that runs `command` under cachegrind, with one file for each process in `folder`.
std::vector<std::string> cachegrind_command(const std::vector<std::string>& command, const std::string& folder);
// Totals of all files in the folder. cachegrind counts a forked process from the start of its parent, and a process that calls
// exec only from then on.
struct SimulatedRun {
  CachegrindTotals totals;
  size_t processes = 0;
  size_t forked = 0;  // with the command of their parent, so probably without an exec
};
Result<SimulatedRun> load_simulated(const std::string& folder);
// The process that started it, from the log of valgrind; 0 if unknown.
uint64_t parse_valgrind_parent(std::string_view log);

}  // namespace wick::stat
