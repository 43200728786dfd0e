// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analyze/selection.h"
#include "model/profile.h"

namespace wick {

struct Cost {
  int64_t weight = 0;  // in the event's unit
  uint64_t samples = 0;

  Cost& operator+=(const Cost& o) {
    weight += o.weight;
    samples += o.samples;
    return *this;
  }
  Cost& operator-=(const Cost& o) {
    weight -= o.weight;
    samples -= o.samples;
    return *this;
  }
  bool empty() const { return samples == 0 && weight == 0; }  // time that was not sampled has no samples
};

// Whether functions had frames of their own or were inlined into their callers: what is shown as one may have been both.
struct Inlining {
  bool called = false, inlined = false;

  void add(const Frame& frame) { (frame.inlined ? inlined : called) = true; }
  bool all() const { return inlined && !called; }
  bool some() const { return inlined && called; }
};

// The selected samples, added up per row of Profile::stacks.
std::vector<Cost> compute_stack_self(const Profile& profile, const Selection& selection);

// The same including everything that the stack called: in place, one pass from callees to callers.
void add_up_callers(const Profile& profile, std::vector<Cost>& costs);

enum class Sameness { kNameAndModule, kName };

// For each function the first one with the same name (and module's name). Compilers make several functions of one (clones, the
// same generic twice), and a library may be there in several places (the host's and a container's); people see one name, so all
// views count them as one.
std::vector<FunctionId> compute_same_functions(const Profile& profile, Sameness sameness = Sameness::kNameAndModule);

}  // namespace wick
