// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A call graph (what functions cost by themselves, what their calls cost) as stacks.
//
// A graph does not say what a function cost under which chain of callers; it is taken that a function does the same for all its
// callers, in proportion to what their calls cost. From the functions that are called less than they cost, the graph is unfolded
// into a tree, the heaviest nodes first, each node giving its cost to itself and to its calls in proportion. Calls of what is on
// the path already are not followed, so there are no circles. The tree is cut where nodes cost little, or where it has become
// large. What a function's own cost has not found a place in the tree then (what was cut, what nothing calls, parts of a unit
// that were rounded off) goes below its heaviest caller's heaviest caller and so on. So:
// - what each function, file and line costs by itself is exact;
// - what it costs with its calls is exact where the graph has no circles and nothing was cut, and near where not.
// Refused: one stack a function (its heaviest callers only) is exact for own costs too, but gives all of memcpy to one caller.

#include <cstdint>
#include <vector>

#include "import/common/foreign.h"

namespace wick {

class CallGraph {
 public:
  explicit CallGraph(size_t columns) : columns_(columns) {}

  struct Place {
    uint32_t file = UINT32_MAX, line = 0;  // a StringId's value
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  uint32_t add_function(FunctionId function, StringId file, ThreadId thread);  // thread valid: it stands for one, and is no frame
  void add_self(uint32_t function, Place place, const std::vector<int64_t>& costs);
  void add_call(uint32_t caller, uint32_t callee, const std::vector<int64_t>& costs);

  struct Column {
    EventId event{};         // invalid: only a number of samples
    bool counts = false;     // where no column has that number: each unit is a sample; else each row is one
    size_t samples = kNone;  // the column that has that number
  };
  static constexpr size_t kNone = SIZE_MAX;
  void add_to(ProfileBuilder& b, const std::vector<Column>& columns, ThreadId thread) const;

 private:
  friend class GraphUnfolder;
  struct Self {
    Place place;
    size_t costs;  // the first of them
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
