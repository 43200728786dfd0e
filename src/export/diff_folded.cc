// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/diff_folded.h"

#include <algorithm>
#include <string>
#include <vector>

#include "analyze/stack_costs.h"
#include "base/text.h"
#include "export/folded.h"

namespace wick {
namespace {

constexpr uint32_t kNone = UINT32_MAX;
constexpr size_t kPieceBytes = 1 << 16;

// "12", "0.5": as few decimals as it takes.
std::string short_decimal(double value, int decimals) {
  std::string text = strf("%.*f", decimals, value);
  if (text.find('.') != std::string::npos) { text.erase(text.find_last_not_of('0') + 1); }
  if (text.ends_with('.')) { text.pop_back(); }
  return text;
}

std::string weight_text(int64_t weight, uint64_t divisor, int decimals) {
  auto parts = static_cast<int64_t>(divisor);
  if (weight % parts == 0) { return std::to_string(weight / parts); }
  return short_decimal(static_cast<double>(weight) / static_cast<double>(divisor), decimals);
}

std::string count_text(uint64_t count, double scale, int decimals) {
  return scale == 1 ? std::to_string(count) : short_decimal(static_cast<double>(count) * scale, decimals);
}

}  // namespace

void write_diff_folded(const Profile& combined, const Sides& sides, const DiffFoldedOptions& options,
                       const std::function<bool(std::string_view)>& sink) {
  std::vector<Cost> before = compute_stack_self(combined, sides.before), after = compute_stack_self(combined, sides.after);
  std::vector<std::string> texts;
  for (const Function& f : combined.functions) { texts.push_back(folded_name(combined.text(f.name))); }
  auto text_of = [&](uint32_t stack) -> const std::string& {
    return texts[combined[combined.stacks[stack].frame].function.value];
  };
  auto numbers = [&](uint32_t stack) {
    const Cost &b = before[stack], &a = after[stack];
    int decimals = options.decimals;
    if (options.samples) {
      return count_text(b.samples, options.scale_before, decimals) + " " + count_text(a.samples, 1, decimals);
    }
    return weight_text(b.weight, combined.events[0].divisor, decimals) + " " +
           weight_text(a.weight, combined.events[1].divisor, decimals);
  };

  // A forest as lists of children, walked depth first.
  size_t all = combined.stacks.size();
  std::vector<uint32_t> first_child(all, kNone), next_sibling(all, kNone), todo, children, open;
  uint32_t first_root = kNone;
  for (uint32_t i = 0; i < all; ++i) {
    StackId caller = combined.stacks[i].caller;
    uint32_t& head = caller.valid() ? first_child[caller.value] : first_root;
    next_sibling[i] = head;
    head = i;
  }
  auto push = [&](uint32_t first) {
    children.clear();
    for (uint32_t c = first; c != kNone; c = next_sibling[c]) { children.push_back(c); }
    std::sort(children.begin(), children.end(), [&](uint32_t a, uint32_t b) { return text_of(a) > text_of(b); });
    todo.insert(todo.end(), children.begin(), children.end());  // the last goes first
  };
  std::string path, piece;
  std::vector<size_t> ends;  // of the open stacks' texts in `path`, outermost first
  push(first_root);
  while (!todo.empty()) {
    uint32_t at = todo.back();
    todo.pop_back();
    StackId caller = combined.stacks[at].caller;
    while (!open.empty() && (!caller.valid() || open.back() != caller.value)) {
      open.pop_back();
      ends.pop_back();
    }
    path.resize(ends.empty() ? 0 : ends.back());
    if (!path.empty()) { path += ';'; }
    path += text_of(at);
    open.push_back(at);
    ends.push_back(path.size());
    if (!before[at].empty() || !after[at].empty()) {
      piece += path + ' ' + numbers(at) + '\n';
      if (piece.size() >= kPieceBytes) {
        if (!sink(piece)) { return; }
        piece.clear();
      }
    }
    push(first_child[at]);
  }
  if (!piece.empty()) { sink(piece); }
}

}  // namespace wick
