// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Folded stacks, for flame graph tools: one line per distinct stack, "command;root;…;leaf COUNT".

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/selection.h"
#include "analyze/stack_costs.h"
#include "base/hash.h"
#include "export/folded_names.h"

namespace wick {

struct FoldedOptions {
  bool pid = false;        // command-PID
  bool tid = false;        // command-PID/TID
  bool recursive = false;  // merge recursive calls into one frame
  bool weights = false;    // COUNT is the cost, not the number of samples
  uint64_t period = 0;     // if not 0: without `weights`, COUNT is the cost divided by this
  FrameTextOptions frames{};
};

// Accumulates profiles, then writes them.
class FoldedStacks {
 public:
  explicit FoldedStacks(FoldedOptions options);
  FoldedStacks(const FoldedStacks&) = delete;  // the table of nodes points into this object
  FoldedStacks& operator=(const FoldedStacks&) = delete;

  // `after`: the second half of a difference; all lines then have two counts. Fails if units differ or costs overflow.
  Status add(const Profile& profile, const Selection& selection, const Selection* after = nullptr);

  // See FrameTextOptions; for profiles added from now on.
  void use_raw_names(bool use) { options_.frames.raw_names = use; }

  // Fails if deep stacks would make the text a hundred thousand times larger than the profile.
  Status check_size() const;
  // Writes the text in pieces, since it can be far larger than the profile. Stops if `sink` returns false. Lines are sorted frame
  // by frame, or as the tools of options.frames.compat do.
  void write(const std::function<bool(std::string_view)>& sink) const;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  // Unlike stacks make millions of nodes, few of which have costs.
  struct Node {
    uint32_t label, parent;
    uint32_t first_child = kNone, next_sibling = kNone, child_count = 0;
    uint32_t costs = kNone;  // row of costs_
  };
  struct NodeCosts {
    Cost cost, after;
  };
  struct NodeKey {
    uint32_t parent, label;
  };
  struct NodeHash {
    using is_transparent = void;
    const std::vector<Node>* nodes;
    size_t operator()(const NodeKey& key) const { return hash_pair(uint64_t{key.parent} << 32 | key.label, 0); }
    size_t operator()(uint32_t node) const { return (*this)(NodeKey{(*nodes)[node].parent, (*nodes)[node].label}); }
  };
  struct NodeEqual {
    using is_transparent = void;
    const std::vector<Node>* nodes;
    bool operator()(uint32_t a, uint32_t b) const { return a == b; }
    bool operator()(const NodeKey& a, uint32_t b) const { return a.parent == (*nodes)[b].parent && a.label == (*nodes)[b].label; }
    bool operator()(uint32_t a, const NodeKey& b) const { return (*this)(b, a); }
  };
  class Adder;

  uint32_t label(std::string_view text);
  uint32_t child(uint32_t parent, uint32_t label);
  NodeCosts& costs_of(uint32_t node);
  bool has_costs(const Node& node) const;
  Status set_unit(const Profile& profile, EventId event);
  bool has_rounded_counts() const { return !options_.weights && options_.period != 0; }
  std::vector<uint64_t> rounded_counts(Cost NodeCosts::* which) const;
  void write_count(std::string& out, const Cost& cost) const;

  FoldedOptions options_;
  std::vector<std::string> labels_;
  tsl::robin_map<std::string, uint32_t> label_ids_;
  std::vector<Node> nodes_;
  std::vector<NodeCosts> costs_;
  // Children of nodes that have many; those of others are found along the list.
  static constexpr uint32_t kFewChildren = 8;
  tsl::robin_set<uint32_t, NodeHash, NodeEqual, std::allocator<uint32_t>, true> node_ids_{0, NodeHash{&nodes_},
                                                                                          NodeEqual{&nodes_}};
  std::string unit_;
  int64_t divisor_ = 0, factor_ = 1;  // common divisor; factor for the costs of the profile being added
  bool is_difference_ = false;
};

// The default COUNT: samples for wick recordings, costs for files of other tools.
inline bool folded_by_weights(const Profile& profile) { return !profile.imported_from().empty(); }
// For recordings whose time is known exactly, so that samples represent different amounts. 0: count samples.
uint64_t folded_period(const Profile& profile, EventId event);

// Writes one profile.
void write_folded(const Profile& profile, const Selection& selection, const FoldedOptions& options,
                  const std::function<bool(std::string_view)>& sink);

}  // namespace wick
