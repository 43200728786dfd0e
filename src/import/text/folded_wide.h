// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Folded stacks for a picture: what is too narrow to be seen (ImportOptions::least_share) is not taken apart.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "model/profile_builder.h"

namespace wick {

class WideStacks {
 public:
  // `text`: where the lines are, if they stay there; else empty, and what is needed later is copied. `release` gets parts of it
  // that are not needed soon. While there are no more than `few_stacks`, all of them count as wide.
  WideStacks(ProfileBuilder& builder, double least_share, Bytes text = {}, std::function<void(Bytes)> release = {},
             size_t few_stacks = kFewStacks);

  // False: it is not added, since the total or the copies would become too large.
  bool add(std::string_view line, uint64_t count);

  enum class Until : uint8_t {
    kNarrow,  // a stack may end at its first frame that has less than the least share of the total; the leaf follows it directly
    kLeaf,    // stacks are complete
  };
  // What each of the builder's stacks has itself, when all lines are added.
  std::vector<uint64_t> finish(Until until) &&;

  static constexpr size_t kFewStacks = size_t{32} << 10;
  static constexpr size_t kMostCopiedBytes = size_t{256} << 20;

 private:
  // A line that has gone as far as `stack`, and is counted there.
  struct Waiting {
    const char* rest;  // the frames that follow
    uint32_t rest_size;
    StackId stack;
    FrameId leaf;
    uint64_t count;
  };
  // A frame of the last line: where it ends there, and its stack.
  struct Step {
    size_t end;
    StackId stack;
  };

  bool is_in_text(std::string_view line) const {
    const auto* at = reinterpret_cast<const uint8_t*>(line.data());
    return std::less_equal<>()(text_.data(), at) && std::less<>()(at, text_.data() + text_.size());
  }
  bool is_wide(StackId stack) const { return static_cast<double>(totals_[stack.value]) >= least_; }
  void count(StackId stack, uint64_t count) {
    if (stack.value == totals_.size()) { totals_.push_back(0); }
    totals_[stack.value] += count;
  }
  void estimate_least(std::string_view line);
  void remember(std::string_view line);
  const char* copy(std::string_view text);
  void release_until(const char* at);
  template <typename Visit>
  bool go_down(std::string_view& rest, StackId& stack, uint64_t weight, Until until, const Visit& visit);
  bool move_on(Until until);

  ProfileBuilder& b_;
  const double least_share_;
  const Bytes text_;
  const std::function<void(Bytes)> release_;
  const uint8_t* released_;  // the end of what was released
  const size_t few_stacks_;
  uint64_t total_ = 0;
  size_t read_bytes_ = 0;
  double least_ = 0;              // of a wide stack; an estimate while the total is not known
  std::vector<uint64_t> totals_;  // of each stack
  std::vector<Waiting> waiting_;  // in the order of the text
  std::string_view last_;         // line
  std::string last_copy_;
  std::vector<Step> path_;  // of it, as far as it went
  std::vector<std::unique_ptr<char[]>> copies_;
  size_t copied_bytes_ = 0, room_bytes_ = 0;  // room at the end of the last block
  char* room_ = nullptr;
};

}  // namespace wick
