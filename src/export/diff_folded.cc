// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/diff_folded.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <deque>
#include <functional>
#include <iterator>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "analyze/diff_name.h"
#include "analyze/stack_costs.h"
#include "base/hash.h"
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

namespace {

// As a stack of both is written: frame by frame what combine_profiles() and the writer above make of a name.
std::string written_stack(std::string_view stack, bool strip) {
  std::string out;
  for (size_t begin = 0; begin <= stack.size();) {
    size_t end = std::min(stack.find(';', begin), stack.size());
    std::string name = name_without_hash(stack.substr(begin, end - begin));
    if (strip) { name = strip_hex(name); }
    if (begin > 0) { out += ';'; }
    out += folded_name(name);
    begin = end + 1;
  }
  return out;
}

// Only what ASCII can print, eight characters at a time.
bool is_plain(std::string_view text) {
  constexpr uint64_t kOnes = 0x0101010101010101, kHigh = 0x80 * kOnes;
  uint64_t other = 0;
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    other |= ((word - 0x20 * kOnes) | word | (word + kOnes)) & kHigh;
  }
  for (; at < text.size(); ++at) { other |= text[at] < ' ' || text[at] > '~'; }
  return other == 0;
}

// Whether that may be something else: nearly all stacks stay as they are, and need not be copied.
bool may_be_rewritten(std::string_view stack, bool strip) {
  if (strip && stack.find("0x") != stack.npos) { return true; }
  if (!is_plain(stack)) { return true; }
  for (size_t begin = 0; begin <= stack.size();) {
    size_t end = std::min(stack.find(';', begin), stack.size());
    if (end == begin) { return true; }
    if (has_hash(stack.substr(begin, end - begin))) { return true; }
    begin = end + 1;
  }
  return false;
}

// The texts hold what was rewritten.
void rewrite(std::vector<CountedStack>& rows, bool strip, std::deque<std::string>& texts) {
  for (CountedStack& row : rows) {
    if (may_be_rewritten(row.stack, strip)) { row.stack = texts.emplace_back(written_stack(row.stack, strip)); }
  }
}
// Both at a time, where it is worth a thread.
void rewrite_both(std::vector<CountedStack>& before, std::vector<CountedStack>& after, bool strip,
                  std::deque<std::string> (&texts)[2]) {
  constexpr size_t kMany = 10'000;
  std::thread helper;
  if (before.size() >= kMany && after.size() >= kMany) {
    try {
      helper = std::thread([&] { rewrite(before, strip, texts[0]); });
    } catch (const std::system_error&) {}  // no more threads: one after the other
  }
  rewrite(after, strip, texts[1]);
  if (helper.joinable()) {
    helper.join();
  } else {
    rewrite(before, strip, texts[0]);
  }
}

struct JoinedStack {
  std::string_view stack;
  int64_t before = 0, after = 0;
};
std::vector<JoinedStack> join(const std::vector<CountedStack>& before, const std::vector<CountedStack>& after) {
  struct Hash {
    size_t operator()(std::string_view text) const { return hash_text(text); }
  };
  tsl::robin_map<std::string_view, uint32_t, Hash, std::equal_to<>, std::allocator<std::pair<std::string_view, uint32_t>>, true>
      rows;
  std::vector<JoinedStack> out;
  size_t most = std::max(before.size(), after.size());
  rows.reserve(most);
  out.reserve(most);
  for (bool is_after : {false, true}) {
    for (const CountedStack& from : is_after ? after : before) {
      auto [it, fresh] = rows.try_emplace(from.stack, static_cast<uint32_t>(out.size()));
      if (fresh) { out.push_back({from.stack}); }
      JoinedStack& row = out[it->second];
      (is_after ? row.after : row.before) += from.weight;
    }
  }
  auto comes_before = [](const JoinedStack& a, const JoinedStack& b) { return stack_comes_before(a.stack, b.stack); };
  if (!std::is_sorted(out.begin(), out.end(), comes_before)) { std::sort(out.begin(), out.end(), comes_before); }
  return out;
}

bool fits(const std::vector<CountedStack>& rows) {
  int64_t sum = 0;
  return std::none_of(rows.begin(), rows.end(),
                      [&](const CountedStack& row) { return __builtin_add_overflow(sum, row.weight, &sum); });
}

}  // namespace

bool write_diff_folded(std::vector<CountedStack>& before, std::vector<CountedStack>& after, uint64_t divisor, bool strip_hex,
                       const std::function<bool(std::string_view)>& sink) {
  if (!fits(before) || !fits(after)) { return false; }
  std::deque<std::string> texts[2];
  rewrite_both(before, after, strip_hex, texts);
  constexpr int kDecimals = 6;
  std::string piece;
  auto number = [&](int64_t weight) {
    piece += ' ';
    if (divisor == 1) {
      char digits[24];
      piece.append(digits, std::to_chars(std::begin(digits), std::end(digits), weight).ptr);
    } else {
      piece += weight_text(weight, divisor, kDecimals);
    }
  };
  for (const auto& [stack, in_before, in_after] : join(before, after)) {
    piece += stack;
    number(in_before);
    number(in_after);
    piece += '\n';
    if (piece.size() >= kPieceBytes) {
      if (!sink(piece)) { return true; }
      piece.clear();
    }
  }
  if (!piece.empty()) { sink(piece); }
  return true;
}

}  // namespace wick
