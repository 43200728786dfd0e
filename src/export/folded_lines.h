// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Folded stacks as lines, for folded text whose frames stay as they are. Splitting lines into frames and joining them again takes
// three times as long if stacks have little in common, and twice the memory.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "export/piece_writer.h"
#include "model/stack_text.h"

namespace wick {

// Calls see(frame) for each frame of "root;caller;leaf".
template <typename See>
void each_frame(std::string_view stack, const See& see) {
  for (size_t begin = 0; begin <= stack.size();) {
    size_t end = std::min(stack.find(';', begin), stack.size());
    see(stack.substr(begin, end - begin));
    begin = end + 1;
  }
}

// Whether all characters are printable ASCII, so that folded_name() changes only empty names.
bool is_plain(std::string_view text);

// "12", "0.25": a cost in parts of `divisor`, exactly.
void append_cost(std::string& out, int64_t weight, int64_t divisor);

// The distinct stacks of `rows`, in the order of FoldedStacks.
class FoldedLines {
 public:
  // False: the costs add up to more than 2^63, or a name is longer than a profile holds. The texts of `rows` must outlive this.
  bool add(std::vector<CountedStack> rows);
  // Adds up equal stacks. Call once, before write().
  void sort();
  void write(uint64_t divisor, const Sink& sink) const;

 private:
  std::vector<CountedStack> rows_;
  std::deque<std::string> changed_;  // stacks that are not written as they were read
  int64_t total_ = 0;
};

}  // namespace wick
