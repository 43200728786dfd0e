// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// V8's CPU profile, as in .cpuprofile files and, in pieces, in Chrome's traces: a call tree, the node of each sample, and the
// microseconds between samples. A sample lasts until the next.

#include <tsl/robin_map.h>

#include <cstdint>
#include <vector>

#include "base/hash.h"
#include "import/common/foreign.h"
#include "import/json/json.h"

namespace wick {

class V8Profile {
 public:
  // Nodes, samples, timeDeltas of one piece; any may be missing.
  void add_nodes(ProfileBuilder& b, JsonValue nodes);
  void add_samples(JsonValue samples, JsonValue time_deltas);

  size_t node_count() const { return table_.frame.size(); }
  size_t sample_count() const { return samples_.size(); }
  // Adds samples if there are some (times count from the profile's start), else one per node with hits.
  struct Target {
    ThreadId thread;
    EventId time, hits;        // for samples, for nodes with hits
    uint64_t start_ns = 0;     // added to times
    int64_t duration_ns = -1;  // of the whole profile; the last sample lasts until then. Negative: unknown
  };
  void add_to(ProfileBuilder& b, const Target& target, SkippedRows& skipped);

 private:
  ForeignStacks table_;
  std::vector<int64_t> parent_id_;                    // as in the file; -1: none
  std::vector<std::pair<size_t, int64_t>> children_;  // (row, id of its child)
  std::vector<int64_t> hits_;
  tsl::robin_map<int64_t, size_t, NumberHash> row_of_id_;
  std::vector<int64_t> samples_, deltas_ns_;
};

}  // namespace wick
