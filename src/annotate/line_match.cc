// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "annotate/line_match.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "base/text.h"

namespace wick {
namespace {

// Most cells of the table of a longest common subsequence. Larger parts without any unique line stay unmatched.
constexpr size_t kMostCells = size_t{4} << 20;
constexpr uint32_t kMostLevels = 100;

class LineMatcher {
 public:
  LineMatcher(const std::vector<std::string>& before, const std::vector<std::string>& after) {
    std::unordered_map<std::string_view, uint32_t> numbers;
    auto to_numbers = [&](const std::vector<std::string>& lines, std::vector<uint32_t>& out) {
      for (const std::string& line : lines) {
        out.push_back(numbers.try_emplace(trim(line), static_cast<uint32_t>(numbers.size())).first->second);
      }
    };
    to_numbers(before, before_);
    to_numbers(after, after_);
    uses_.resize(numbers.size());
    matched_.assign(before.size(), kNoLine);
  }

  std::vector<uint32_t> match() {
    match(0, static_cast<uint32_t>(before_.size()), 0, static_cast<uint32_t>(after_.size()), 0);
    return std::move(matched_);
  }

 private:
  struct Pair {
    uint32_t before, after;
  };
  struct Use {
    uint32_t before = 0, after = 0, at = 0;  // how often the line occurs, and where in `after`
  };

  void match(uint32_t b, uint32_t b_end, uint32_t a, uint32_t a_end, uint32_t level) {
    for (; b < b_end && a < a_end && before_[b] == after_[a]; ++b, ++a) { matched_[b] = a; }
    for (; b < b_end && a < a_end && before_[b_end - 1] == after_[a_end - 1]; --b_end, --a_end) {
      matched_[b_end - 1] = a_end - 1;
    }
    if (b == b_end || a == a_end) { return; }
    std::vector<Pair> anchors = level < kMostLevels ? find_anchors(b, b_end, a, a_end) : std::vector<Pair>{};
    if (anchors.empty()) { return match_longest(b, b_end, a, a_end); }
    for (const Pair& anchor : anchors) {
      matched_[anchor.before] = anchor.after;
      match(b, anchor.before, a, anchor.after, level + 1);
      b = anchor.before + 1;
      a = anchor.after + 1;
    }
    match(b, b_end, a, a_end, level + 1);
  }

  // Lines that occur once in each part, in the same order in both: the longest increasing sequence.
  std::vector<Pair> find_anchors(uint32_t b, uint32_t b_end, uint32_t a, uint32_t a_end) {
    for (uint32_t i = a; i < a_end; ++i) {
      ++uses_[after_[i]].after;
      uses_[after_[i]].at = i;
    }
    for (uint32_t i = b; i < b_end; ++i) { ++uses_[before_[i]].before; }
    std::vector<Pair> unique;
    for (uint32_t i = b; i < b_end; ++i) {
      const Use& use = uses_[before_[i]];
      if (use.before == 1 && use.after == 1) { unique.push_back({i, use.at}); }
    }
    for (uint32_t i = a; i < a_end; ++i) { uses_[after_[i]] = {}; }
    for (uint32_t i = b; i < b_end; ++i) { uses_[before_[i]] = {}; }
    std::vector<uint32_t> last, previous(unique.size(), kNoLine);  // ends of sequences by length
    for (uint32_t i = 0; i < unique.size(); ++i) {
      auto at = std::lower_bound(last.begin(), last.end(), unique[i].after,
                                 [&](uint32_t k, uint32_t line) { return unique[k].after < line; });
      if (at != last.begin()) { previous[i] = *(at - 1); }
      at == last.end() ? last.push_back(i) : void(*at = i);
    }
    std::vector<Pair> anchors;
    for (uint32_t i = last.empty() ? kNoLine : last.back(); i != kNoLine; i = previous[i]) { anchors.push_back(unique[i]); }
    std::reverse(anchors.begin(), anchors.end());
    return anchors;
  }

  void match_longest(uint32_t b, uint32_t b_end, uint32_t a, uint32_t a_end) {
    size_t rows = b_end - b, columns = a_end - a;
    if (rows * columns > kMostCells) { return; }
    std::vector<uint32_t> length((rows + 1) * (columns + 1));
    auto at = [&](size_t i, size_t k) -> uint32_t& { return length[i * (columns + 1) + k]; };
    for (size_t i = rows; i-- > 0;) {
      for (size_t k = columns; k-- > 0;) {
        at(i, k) = before_[b + i] == after_[a + k] ? at(i + 1, k + 1) + 1 : std::max(at(i + 1, k), at(i, k + 1));
      }
    }
    for (size_t i = 0, k = 0; i < rows && k < columns;) {
      if (before_[b + i] == after_[a + k]) {
        matched_[b + i++] = a + static_cast<uint32_t>(k++);
      } else {
        at(i + 1, k) >= at(i, k + 1) ? ++i : ++k;
      }
    }
  }

  std::vector<uint32_t> before_, after_;  // lines by number; the same text has the same number
  std::vector<Use> uses_;
  std::vector<uint32_t> matched_;
};

}  // namespace

std::vector<uint32_t> match_lines(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  return LineMatcher(before, after).match();
}

}  // namespace wick
