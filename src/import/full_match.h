// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A regular expression of a file that matches whole names. Files are not trusted: all states that a name can be in are followed
// at once (Thompson), so that the time is bound by the pattern's length times the name's. Refused: std::regex, which tries one
// after the other and can take until the end of days, or overflow the stack.
//
// Known: literals, ".", classes, groups, "|", "*", "+", "?", and the usual escapes; not: counts, anchors, flags.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace wick {

class FullMatch {
 public:
  // Nothing: not an expression, or one with what is not known here, or absurdly long.
  static std::optional<FullMatch> parse(std::string_view pattern);

  bool matches(std::string_view text) const;
  size_t size() const { return states_.size(); }

 private:
  friend class PatternParser;
  struct State {
    enum Kind : uint8_t { kByte, kAny, kClass, kFork, kEnd } kind = kEnd;
    uint8_t byte = 0;
    uint32_t set = 0;              // of kClass: a row of sets_
    uint32_t next = 0, other = 0;  // `other`: of kFork
  };
  struct Set {
    uint64_t bits[4] = {};
  };
  std::vector<State> states_;
  std::vector<Set> sets_;
  uint32_t start_ = 0;
};

}  // namespace wick
