// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/diff_folded.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <functional>
#include <iterator>
#include <string>
#include <system_error>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analyze/diff_name.h"
#include "analyze/stack_costs.h"
#include "base/hash.h"
#include "base/safe_sort.h"
#include "base/text.h"
#include "export/folded.h"
#include "export/folded_lines.h"

namespace wick {
namespace {

constexpr uint32_t kNone = UINT32_MAX;
constexpr size_t kPieceBytes = 1 << 16;

// "12", "0.5": with as few decimals as possible.
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
  for (const Function& f : combined.functions()) { texts.push_back(folded_name(combined.text(f.name))); }
  auto text_of = [&](uint32_t stack) -> const std::string& {
    return texts[combined[combined.stacks()[stack].frame].function.value];
  };
  auto numbers = [&](uint32_t stack) {
    const Cost &b = before[stack], &a = after[stack];
    int decimals = options.decimals;
    if (options.samples) {
      return count_text(b.samples, options.scale_before, decimals) + " " + count_text(a.samples, 1, decimals);
    }
    return weight_text(b.weight, combined.events()[0].divisor, decimals) + " " +
           weight_text(a.weight, combined.events()[1].divisor, decimals);
  };

  // A forest as lists of children, visited depth first.
  size_t all = combined.stacks().size();
  std::vector<uint32_t> first_child(all, kNone), next_sibling(all, kNone), todo, children, open;
  uint32_t first_root = kNone;
  for (uint32_t i = 0; i < all; ++i) {
    StackId caller = combined.stacks()[i].caller;
    uint32_t& head = caller.valid() ? first_child[caller.value] : first_root;
    next_sibling[i] = head;
    head = i;
  }
  auto push = [&](uint32_t first) {
    children.clear();
    for (uint32_t c = first; c != kNone; c = next_sibling[c]) { children.push_back(c); }
    std::sort(children.begin(), children.end(), [&](uint32_t a, uint32_t b) { return text_of(a) > text_of(b); });
    todo.insert(todo.end(), children.begin(), children.end());  // the last is visited first
  };
  std::string path, piece;
  std::vector<size_t> ends;  // lengths of the open stacks' texts in `path`, outermost first
  push(first_root);
  while (!todo.empty()) {
    uint32_t at = todo.back();
    todo.pop_back();
    StackId caller = combined.stacks()[at].caller;
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

// A stack as written for two profiles: the same changes to names as combine_profiles() and the writer above.
std::string written_stack(std::string_view stack, bool strip, const Renamed& renamed) {
  std::string out, name;
  bool is_first = true;
  each_frame(stack, [&](std::string_view frame) {
    name = frame;
    if (auto it = renamed.find(name); it != renamed.end()) { name = it->second; }
    if (strip) { name = strip_hex(name); }
    if (!std::exchange(is_first, false)) { out += ';'; }
    out += folded_name(name);
  });
  return out;
}

// Whether a frame is written differently, or may be; adds names that has_hash() to `hashed`. Nearly all stacks are unchanged and
// need no copy.
bool may_be_rewritten(std::string_view stack, bool strip, std::unordered_set<std::string>& hashed) {
  bool may = (strip && stack.find("0x") != stack.npos) || !is_plain(stack);
  each_frame(stack, [&](std::string_view frame) {
    may = may || frame.empty();
    if (!has_hash(frame)) { return; }
    hashed.emplace(frame);
    may = true;
  });
  return may;
}

// One of two sides, each on a separate thread if worthwhile.
struct Side {
  std::vector<CountedStack>& rows;
  std::vector<uint32_t> suspects{};             // rows that may be written differently
  std::deque<std::string> texts{};              // rewritten texts
  std::unordered_set<std::string> has_plain{};  // requested names that this side has
};

template <typename Work>
void on_both(Side& before, Side& after, const Work& work) {
  constexpr size_t kMany = 10'000;
  std::thread helper;
  if (before.rows.size() >= kMany && after.rows.size() >= kMany) {
    try {
      helper = std::thread([&] { work(before, 0); });
    } catch (const std::system_error&) {}  // no more threads: one after another
  }
  work(after, 1);
  if (helper.joinable()) {
    helper.join();
  } else {
    work(before, 0);
  }
}

void rewrite_both(Side& before, Side& after, bool strip) {
  std::array<std::unordered_set<std::string>, 2> hashed;
  on_both(before, after, [&](Side& side, size_t i) {
    for (uint32_t row = 0; row < side.rows.size(); ++row) {
      if (may_be_rewritten(side.rows[row].stack, strip, hashed[i])) { side.suspects.push_back(row); }
    }
  });
  // Frames of all stacks are examined only if a name with a hash is on one side only.
  std::unordered_set<std::string> wanted;
  for (size_t i : {0, 1}) {
    for (const std::string& name : hashed[i]) {
      if (hashed[1 - i].count(name) == 0) { wanted.insert(name_without_hash(name)); }
    }
  }
  if (!wanted.empty()) {
    on_both(before, after, [&](Side& side, size_t) {
      std::string name;
      for (const CountedStack& row : side.rows) {
        each_frame(row.stack, [&](std::string_view frame) {
          name = frame;
          if (wanted.count(name) > 0) { side.has_plain.insert(name); }
        });
      }
    });
  }
  std::array<Renamed, 2> renamed = match_hashed_names(
      hashed, [&](size_t side, const std::string& name) { return (side == 0 ? before : after).has_plain.count(name) > 0; });
  on_both(before, after, [&](Side& side, size_t i) {
    for (uint32_t row : side.suspects) {
      CountedStack& counted = side.rows[row];
      counted.stack = side.texts.emplace_back(written_stack(counted.stack, strip, renamed[i]));
    }
  });
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
  safe_sort(out, comes_before);
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
  Side both[2] = {{before}, {after}};
  rewrite_both(both[0], both[1], strip_hex);
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
