// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The cost of each source line and each instruction of a function, for views of its code.

#include <cstdint>
#include <span>
#include <vector>

#include "analyze/stack_costs.h"

namespace wick {

// `self`: the sample was taken there. `total`: there, or in a function called from there; a sample whose stack has a line several
// times (recursion) counts once.
struct LineCost {
  StringId file;
  uint32_t line = 0;
  Cost self, total;
};

// By instruction. A function that is inlined into this one is part of its instructions, so its cost is self cost here.
struct InstructionCost {
  uint64_t address = 0;
  Cost self, total;
};

struct CodeCosts {
  Cost self, total;   // of the function
  Cost code;          // self cost with inlined functions: of all its instructions
  Cost other_builds;  // part of `code` that is in other builds
  Cost outside;       // part of `code` that is in this build, but not in CodeQuery::instructions
  // By file (ID) and line. Frames without a line have an invalid file, unless their address is in CodeQuery::instructions.
  std::vector<LineCost> lines;
  std::vector<InstructionCost> instructions;  // by address; frames without an address are left out
};

struct AddressSpan {
  uint64_t begin = 0, end = 0;
};

struct CodeQuery {
  std::vector<FunctionId> functions;  // count as one (compute_same_functions)
  // Lines and instructions are those of this module's build: a line or an address of another build is different code.
  ModuleId module{};
  // By address. An address inside of one counts as its begin: the address of a calling frame is inside of the call.
  std::vector<AddressSpan> instructions{};
};

CodeCosts compute_code_costs(const Profile& profile, const Selection& selection, const CodeQuery& query);

// Whether both are the same file, or copies of it.
bool is_same_build(const Profile& profile, ModuleId a, ModuleId b);

}  // namespace wick
