// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A flame graph of 200,000 stacks shows some thousand boxes, but telling all frames of all stacks apart is most of the work. So a
// line goes down the tree only as far as stacks are wide, and waits where it stops. How wide that is depends on the total, which
// is known at the end: lines are added by an estimate, and passes over those that wait in stacks that became wide follow. Passes
// go through the text in its order, so that pages behind them can be released. Sorting the lines instead, which makes every stack
// a range of lines, took twice the time where they did not come sorted.

#include "import/text/folded_wide.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace wick {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 20;

size_t common_size(std::string_view a, std::string_view b) {
  size_t common = 0, limit = std::min(a.size(), b.size());
  while (common + 8 <= limit && std::memcmp(a.data() + common, b.data() + common, 8) == 0) { common += 8; }
  while (common < limit && a[common] == b[common]) { ++common; }
  return common;
}

}  // namespace

WideStacks::WideStacks(ProfileBuilder& builder, double least_share, Bytes text, std::function<void(Bytes)> release,
                       size_t few_stacks)
    : b_(builder),
      least_share_(least_share),
      text_(text),
      release_(std::move(release)),
      released_(text.data()),
      few_stacks_(few_stacks) {
  constexpr size_t kShortLine = 128;
  waiting_.reserve(text.size() / kShortLine);
}

bool WideStacks::add(std::string_view line, uint64_t weight) {
  constexpr uint64_t kMostTotal = uint64_t{1} << 62;
  bool is_too_much = weight > kMostTotal - total_ || line.size() > kMostCopiedBytes - copied_bytes_;
  if (is_too_much) { return false; }
  if (weight == 0) { return true; }
  total_ += weight;
  estimate_least(line);
  release_until(line.data());
  // Lines are often sorted: frames that a line has in common with the last one are not looked up.
  size_t common = common_size(line, last_), kept = 0;
  remember(line);
  StackId stack{};
  bool waits = false;
  for (; kept < path_.size() && !waits; ++kept) {
    size_t end = path_[kept].end;
    bool is_same = end < common || (end == common && (end == line.size() || line[end] == ';'));
    if (!is_same) { break; }
    stack = path_[kept].stack;
    count(stack, weight);
    if (end == line.size()) {
      path_.resize(kept + 1);
      return true;
    }
    waits = !is_wide(stack);
  }
  path_.resize(kept);
  std::string_view rest = line.substr(kept == 0 ? 0 : path_.back().end + 1);
  if (!waits) {
    waits = go_down(rest, stack, weight, Until::kNarrow,
                    [&](const char* end, StackId at) { path_.push_back({static_cast<size_t>(end - line.data()), at}); });
  }
  if (!waits) { return true; }
  FrameId leaf = b_.named_frame(rest.substr(rest.rfind(';') + 1));
  waiting_.push_back({is_in_text(rest) ? rest.data() : copy(rest), static_cast<uint32_t>(rest.size()), stack, leaf, weight});
  return true;
}

std::vector<uint64_t> WideStacks::finish(Until until) && {
  least_ = until == Until::kLeaf ? 0 : least_share_ * static_cast<double>(total_);
  // Deep stacks could take as many passes as they have frames. The few lines that are left go on to their leaves.
  constexpr int kPasses = 3;
  for (int i = 0; i < kPasses && move_on(Until::kNarrow); ++i) {}
  move_on(Until::kLeaf);
  for (const Waiting& w : waiting_) { count(b_.stack(w.leaf, w.stack), w.count); }
  std::vector<Waiting>().swap(waiting_);
  copies_.clear();
  const std::vector<Stack>& stacks = b_.so_far().stacks();
  totals_.resize(stacks.size());
  for (size_t i = 0; i < stacks.size(); ++i) {  // callers come first, so totals_[i] is still a total
    if (stacks[i].caller.valid()) { totals_[stacks[i].caller.value] -= totals_[i]; }
  }
  return std::move(totals_);
}

// Text of unknown size is assumed to be large: a waiting line costs less than a stack too narrow to be drawn. While there are few
// stacks, stacks cost less than waiting lines.
void WideStacks::estimate_least(std::string_view line) {
  constexpr size_t kLarge = size_t{16} << 20;
  read_bytes_ += line.size();
  size_t all = text_.empty() ? std::max(kLarge, 2 * read_bytes_) : text_.size();
  double share_read = static_cast<double>(read_bytes_) / static_cast<double>(all);
  least_ = totals_.size() < few_stacks_ ? 0 : least_share_ * static_cast<double>(total_) / share_read;
}

void WideStacks::release_until(const char* at) {
  constexpr ptrdiff_t kPiece = ptrdiff_t{4} << 20;
  if (!release_ || !is_in_text({at, 0})) { return; }
  const auto* now = reinterpret_cast<const uint8_t*>(at);
  if (now - released_ < kPiece) { return; }
  release_(Bytes(released_, now));
  released_ = now;
}

void WideStacks::remember(std::string_view line) {
  if (is_in_text(line)) {
    last_ = line;
    return;
  }
  last_copy_ = line;
  last_ = last_copy_;
}

const char* WideStacks::copy(std::string_view text) {
  if (text.size() > room_bytes_) {
    room_bytes_ = std::max(kBlockBytes, text.size());
    copies_.push_back(std::make_unique_for_overwrite<char[]>(room_bytes_));
    room_ = copies_.back().get();
  }
  char* place = room_;
  std::memcpy(place, text.data(), text.size());
  room_ += text.size();
  room_bytes_ -= text.size();
  copied_bytes_ += text.size();
  return place;
}

// Follows the frames of `rest`, which `stack` calls, to the first that is not wide; `rest` and `stack` are what is left then.
// False: to the last. Calls visit(end, stack) for each.
template <typename Visit>
bool WideStacks::go_down(std::string_view& rest, StackId& stack, uint64_t weight, Until until, const Visit& visit) {
  for (;;) {
    size_t end = std::min(rest.find(';'), rest.size());
    stack = b_.stack(b_.named_frame(rest.substr(0, end)), stack);
    count(stack, weight);
    visit(rest.data() + end, stack);
    if (end == rest.size()) { return false; }
    rest.remove_prefix(end + 1);
    if (until == Until::kNarrow && !is_wide(stack)) { return true; }
  }
}

// Moves on the lines that wait in wide stacks. False: there were none.
bool WideStacks::move_on(Until until) {
  released_ = text_.data();
  bool any = false;
  size_t kept = 0;
  for (Waiting w : waiting_) {
    if (is_wide(w.stack)) {
      any = true;
      release_until(w.rest);
      std::string_view rest(w.rest, w.rest_size);
      if (!go_down(rest, w.stack, w.count, until, [](const char*, StackId) {})) { continue; }
      w.rest = rest.data();
      w.rest_size = static_cast<uint32_t>(rest.size());
    }
    waiting_[kept++] = w;
  }
  waiting_.resize(kept);
  return any;
}

}  // namespace wick
