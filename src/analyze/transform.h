// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Transforms of interactive views: focus on a function, merge it into its callers, collapse a library, … They change stacks, not
// samples. A StackShape has the stacks of a profile after some transforms, and tells where each stack of the profile went; so
// changing the selected time or threads does not apply the transforms again. The viewer's page has the same ones
// (web/src/engine/transforms.ts).

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/selection.h"
#include "base/result.h"
#include "model/profile.h"

namespace wick {

struct Transform {
  enum class Op : uint8_t {
    kFocusFunction,  // only stacks with it, from its outermost occurrence on
    kFocusSubtree,   // only stacks below the node `path`
    kFocusSelf,      // only samples that end in it
    kMergeFunction,  // removes it from stacks; its self cost goes to its caller
    kMergeNode,      // the same for one node
    kDropFunction,   // drops samples that have it
    kCollapseSubtree,
    kCollapseRecursion,  // only its outermost occurrence stays
    kCollapseDirectRecursion,
    kCollapseModule,  // neighbors of its module become one frame
    kKeepMatching,    // only samples with a function whose name matches `pattern`
  };
  Op op = Op::kFocusFunction;
  FunctionId function{};           // kCollapseModule: one of the module
  std::vector<FunctionId> path{};  // from the outermost function to the node; inverted: from the innermost
  bool inverted = false;
  std::string pattern{};

  bool operator==(const Transform&) const = default;
};

struct StackShape {
  static constexpr StackId kDropped{UINT32_MAX};

  Profile profile;  // no samples; functions and frames have the IDs of the original profile, new ones come behind them
  std::vector<StackId> stacks;  // by stack of the original
};

// Without transforms.
StackShape shape_of(const Profile& profile);

// Fails if the pattern is not a regular expression.
Result<StackShape> transform_stacks(const StackShape& shape, const Transform& transform);

// "focus on parse", for people.
std::string describe_transform(const Profile& profile, const Transform& transform);

// One flag per function: whether its name matches. Ignores case unless the pattern has an upper-case letter.
Result<std::vector<bool>> match_functions(const Profile& profile, const std::string& pattern);

}  // namespace wick
