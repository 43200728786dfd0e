// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analyze/stack_costs.h"

namespace wick {

// The stack table is a forest. To count a function (or a line, or any key of a frame) once per sample, subtree costs are added
// only where no caller has the same key. Whether one has takes one counter per key while walking the forest from root to leaf and
// back; searching each stack's callers would be quadratic in depth, too slow for recursion of 10,000 levels.
class OutermostWalk {
 public:
  static constexpr uint32_t kNoKey = UINT32_MAX;  // of frames that are not counted

  OutermostWalk(const Profile& profile, const std::vector<Cost>& subtree)
      : profile_(profile), first_child_(profile.stacks().size(), kNone), next_sibling_(profile.stacks().size(), kNone) {
    for (uint32_t i = static_cast<uint32_t>(profile.stacks().size()); i-- > 0;) {
      if (subtree[i].empty()) { continue; }
      StackId caller = profile.stacks()[i].caller;
      uint32_t& head = caller.valid() ? first_child_[caller.value] : first_root_;
      next_sibling_[i] = head;
      head = i;
    }
  }

  // Calls enter(row) for each stack with cost, before those that it calls, and leave(row) after them.
  template <typename Enter, typename Leave>
  void walk(Enter enter, Leave leave) const {
    std::vector<uint32_t> path;
    uint32_t next = first_root_;
    for (;;) {
      if (next != kNone) {
        enter(next);
        path.push_back(next);
        next = first_child_[next];
      } else if (!path.empty()) {
        uint32_t done = path.back();
        path.pop_back();
        leave(done);
        next = next_sibling_[done];
      } else {
        return;
      }
    }
  }

  // `key_of_frame`: less than `keys`. Calls visit(key, row of the stack).
  template <typename Visit>
  void run(const std::vector<uint32_t>& key_of_frame, size_t keys, Visit visit) const {
    std::vector<uint32_t> active(keys, 0);
    auto key = [&](uint32_t stack) { return key_of_frame[profile_.stacks()[stack].frame.value]; };
    walk(
        [&](uint32_t stack) {
          if (uint32_t k = key(stack); k != kNoKey && active[k]++ == 0) { visit(k, stack); }
        },
        [&](uint32_t stack) {
          if (uint32_t k = key(stack); k != kNoKey) { --active[k]; }
        });
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  const Profile& profile_;
  std::vector<uint32_t> first_child_, next_sibling_;
  uint32_t first_root_ = kNone;
};

}  // namespace wick
