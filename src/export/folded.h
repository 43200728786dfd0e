// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Folded stacks, the text that flame graph tools read: one line per distinct stack, "command;root;…;leaf COUNT".

#include <tsl/robin_map.h>

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
  bool recursive = false;  // a function that calls itself is one frame
  bool weights = false;    // COUNT is the cost in place of the number of samples
  uint64_t period = 0;     // not 0: a "sample" is so much of the cost, whatever one look or no look at all stands for
  FrameTextOptions frames{};
};

// Adds up what it is given and writes it in the end.
class FoldedStacks {
 public:
  explicit FoldedStacks(FoldedOptions options);

  // `after`: the other half of a difference; all lines then have two counts. Fails where costs are of different units or would
  // add up to too much.
  Status add(const Profile& profile, const Selection& selection, const Selection* after = nullptr);

  // See FrameTextOptions; for the profiles that are added from now on.
  void use_raw_names(bool use) { options_.frames.raw_names = use; }

  // Fails where deep stacks would make it a hundred thousand times the profile.
  Status check_size() const;
  // Hands the text over in pieces: all lines together can be far larger than the profile. Stops when `sink` returns false. Lines
  // are sorted frame by frame, or as the tools do that options.frames.compat names.
  void write(const std::function<bool(std::string_view)>& sink) const;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Node {
    uint32_t label, parent;
    Cost cost, after;
    uint32_t first_child = kNone, next_sibling = kNone, depth = 0;
  };
  struct KeyHash {
    size_t operator()(uint64_t key) const { return hash_pair(key, 0); }
  };
  class Adder;

  uint32_t label(std::string_view text);
  uint32_t child(uint32_t parent, uint32_t label);
  Status set_unit(const Profile& profile, EventId event);
  void write_count(std::string& out, const Cost& cost) const;

  FoldedOptions options_;
  std::vector<std::string> labels_;
  tsl::robin_map<std::string, uint32_t> label_ids_;
  std::vector<Node> nodes_;
  tsl::robin_map<uint64_t, uint32_t, KeyHash> node_ids_;  // parent << 32 | label
  std::string unit_;
  int64_t divisor_ = 0, factor_ = 1;  // of all; what the costs of the profile that is being added are multiplied with
  bool is_difference_ = false;
};

// What COUNT is where nobody says: a recording of ours tells how often it was seen; what other tools write is theirs to say.
inline bool folded_by_weights(const Profile& profile) { return !profile.imported_from().empty(); }
// Of recordings whose time is known exactly: samples then differ in what they stand for. 0: samples are simply counted.
uint64_t folded_period(const Profile& profile);

// Of one profile.
void write_folded(const Profile& profile, const Selection& selection, const FoldedOptions& options,
                  const std::function<bool(std::string_view)>& sink);

}  // namespace wick
