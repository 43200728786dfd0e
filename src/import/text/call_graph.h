// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Converts a call graph (self costs of functions and costs of their calls) to stacks.
//
// A graph does not show what a function cost under which chain of callers, so a function is assumed to do the same for all
// callers, in proportion to the cost of their calls. Starting at functions that are called for less than they cost, the graph is
// unfolded into a tree, heaviest nodes first; each node distributes its cost to itself and its calls in proportion. Calls of
// functions that are already on the path are not followed, so there are no cycles. Unfolding stops where nodes cost little, or if
// the tree becomes large. Self costs that found no place in the tree (not unfolded, never called, rounded off) go below the chain
// of heaviest callers. So:
// - the self cost of each function, file and line is exact;
// - the total cost is exact if the graph has no cycles and was unfolded completely, and close otherwise.
// Rejected: one stack per function (its heaviest callers only) has exact self costs as well, but gives all of memcpy to one
// caller.

#include <cstdint>
#include <vector>

#include "import/common/foreign.h"

namespace wick {

class CallGraph {
 public:
  explicit CallGraph(size_t columns) : columns_(columns) {}

  struct Place {
    uint32_t file = UINT32_MAX, line = 0;  // value of a StringId
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  // With a valid thread it represents the thread and is not a frame.
  uint32_t add_function(FunctionId function, StringId file, ThreadId thread);
  void add_self(uint32_t function, Place place, const std::vector<int64_t>& costs);
  void add_call(uint32_t caller, uint32_t callee, const std::vector<int64_t>& costs);

  struct Column {
    EventId event{};         // invalid: only a number of samples
    bool counts = false;     // without a column of samples: each unit is a sample; else each row is one
    size_t samples = kNone;  // column with the number of samples
  };
  static constexpr size_t kNone = SIZE_MAX;
  void add_to(ProfileBuilder& b, const std::vector<Column>& columns, ThreadId thread) const;

 private:
  friend class GraphUnfolder;
  struct Self {
    Place place;
    size_t costs;  // index of the first
  };
  struct Call {
    uint32_t callee;
    size_t costs;
  };
  struct Row {
    FunctionId function;
    StringId file;
    ThreadId thread;
    std::vector<Self> self{};
    std::vector<Call> calls{};
  };

  size_t columns_;
  std::vector<Row> rows_;
  std::vector<int64_t> costs_;
  struct KeyHash {
    size_t operator()(const std::pair<uint64_t, uint64_t>& key) const { return hash_pair(key.first, key.second); }
  };
  tsl::robin_map<std::pair<uint64_t, uint64_t>, size_t, KeyHash> self_index_, call_index_;
};

}  // namespace wick
