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
  bool empty() const { return samples == 0 && weight == 0; }  // unsampled time has no samples
};

// Whether functions had frames or were inlined into their callers; merged functions may have been both.
struct Inlining {
  bool called = false, inlined = false;

  void add(const Frame& frame) { (frame.inlined ? inlined : called) = true; }
  bool all() const { return inlined && !called; }
  bool some() const { return inlined && called; }
};

// The selected samples, summed per row of Profile::stacks.
std::vector<Cost> compute_stack_self(const Profile& profile, const Selection& selection);

// Adds the cost of callees: in place, one pass from callees to callers.
void add_up_callers(const Profile& profile, std::vector<Cost>& costs);

enum class Sameness { kNameAndModule, kName };

// For each function the first one with the same name (and module name). Compilers create several functions from one (clones,
// repeated generics), and a library may exist in several places (host and container); users see one name, so all views merge
// them.
std::vector<FunctionId> compute_same_functions(const Profile& profile, Sameness sameness = Sameness::kNameAndModule);

}  // namespace wick
