// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A figure is a number about a run: counted, read from /proc, simulated, or computed from others. Its name is that of perf's event
// where there is one ("task-clock"), and is the same in the terminal, in JSON and in the rules of meaning.h.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wick::stat {

enum class Unit { kCount, kNanoseconds, kBytes, kRatio, kShare };
enum class Scope { kTarget, kMachine, kSimulated };  // kMachine: everything that ran meanwhile, not only the target
enum class Bound { kExact, kAtLeast, kAtMost };

struct Figure {
  std::string name;
  std::string core;  // the type of cores that it was counted on, if there are several
  Unit unit = Unit::kCount;
  Scope scope = Scope::kTarget;
  double value = 0;
  double counted = 1;  // share of the time during which the counter ran: below 1, the value is scaled
  Bound bound = Bound::kExact;
  std::string note{};  // what it covers, if not everything
};

using Figures = std::vector<Figure>;

// nullptr if there is none. `core`: of that type of cores.
const Figure* find_figure(const Figures& figures, std::string_view name, std::string_view core = {});

const char* unit_name(Unit unit);    // "count", "ns", "bytes", "ratio", "share"
const char* scope_name(Scope scope);  // "target", "machine", "simulated"
const char* bound_name(Bound bound);  // "exact", "at_least", "at_most"

// Adds what follows from the counts of one group, which are from the same time: IPC, shares of misses and of stalled cycles,
// top-down shares.
void add_ratios(Figures& figures, uint32_t slots_per_cycle);
// Adds the CPU time per elapsed time.
void add_cpu_use(Figures& figures);

}  // namespace wick::stat
