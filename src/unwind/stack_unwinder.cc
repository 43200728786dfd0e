// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "unwind/stack_unwinder.h"

#include <algorithm>
#include <array>

#include "base/clock.h"
#include "unwind/call_site.h"
#include "unwind/cursor.h"

namespace wick {
namespace {

using capture::StackQuality;

// The share of a worker's time that may go to live memory before deep stacks are joined instead, and what is free at the
// beginning.
constexpr uint64_t kLiveShare = 10;  // one tenth
constexpr uint64_t kFreeLiveNs = 50'000'000;
// Shorter rests are read whatever the budget: a call reads 64 kB in a few microseconds.
constexpr uint64_t kDeepBytes = 128 << 10;
constexpr size_t kMaxUnreadable = 4096;
// What lies farther from the copy is another stack.
constexpr uint64_t kLargestFrame = 8 << 20;
// How far up the place of a rewritten return address is looked for.
constexpr uint64_t kMendBytes = 32 << 10;
// How many frames before a wrong turn are looked for in the last whole stack.
constexpr size_t kMostTried = 16;

constexpr uint64_t kPageSize = 4096;

bool is_astray(StackQuality quality) {
  return quality == StackQuality::kNoMapping || quality == StackQuality::kBadRow || quality == StackQuality::kNoRow;
}

// Like CopiedStack, and knows which word was missing.
class CopiedPart final : public StackMemory {
 public:
  CopiedPart(uint64_t base, std::span<const uint8_t> bytes) { set_window(base, bytes); }
  uint64_t missing() const { return missing_; }

 private:
  bool read_outside(uint64_t address, uint64_t&) override {
    missing_ = address;
    return false;
  }
  uint64_t missing_ = 0;
};

}  // namespace

StackQuality StackUnwinder::unwind(const RawSample& sample, const AddressSpace& space, bool live_allowed,
                                   std::vector<WalkedFrame>& frames) {
  unsigned sp = register_numbers(options_.arch).sp;
  CopiedPart copied(sample.user.value[sp], sample.stack);
  StackQuality quality = walker_.walk(sample.user, space, copied, frames);
  uint64_t missing = copied.missing();
  // A copy that ends with a page most likely ends with the stack: there is no more of it, and the walk has gone wrong.
  bool at_stack_end = (sample.user.value[sp] + sample.stack.size()) % kPageSize == 0;
  bool astray = is_astray(quality) || (quality == StackQuality::kCut && at_stack_end);
  if (astray) {
    bool mended = mend(sample, space, copied, false, frames);
    // Otherwise the walk stands somewhere else now: back to where it has to go on.
    quality = mended ? StackQuality::kMended : walker_.walk(sample.user, space, copied, frames);
  }
  if (quality == StackQuality::kCut) {
    bool readable = live_allowed && !unreadable_.contains(sample.pid);
    if (!readable || !finish_from_live(sample, space, missing, frames, quality)) {
      if (join_later(sample.tid, frames)) { quality = StackQuality::kJoined; }
    }
  }
  // A wrong turn may also lead out of the copy, or the way behind it.
  if (!capture::is_whole(quality) && mend(sample, space, copied, true, frames)) { quality = StackQuality::kMended; }
  astray = is_astray(quality) || (quality == StackQuality::kCut && at_stack_end);
  if (astray && join_astray(sample, frames)) { quality = StackQuality::kJoined; }
  if (frames.size() > options_.max_depth) {
    frames.resize(options_.max_depth);
    quality = StackQuality::kTooDeep;
  }
  if (capture::is_whole(quality)) {
    size_t repeated = history_.remember(sample.tid, frames);
    learn_sizes(frames, frames.size() - repeated);
  }
  return quality;
}

bool StackUnwinder::over_budget(uint64_t now) const {
  return first_live_ns_ != 0 && live_spent_ns_ > kFreeLiveNs + (now - first_live_ns_) / kLiveShare;
}

// True when the live process had the answer, good or bad; false when it had changed or could not be read.
bool StackUnwinder::finish_from_live(const RawSample& sample, const AddressSpace& space, uint64_t missing,
                                     std::vector<WalkedFrame>& frames, StackQuality& quality) {
  uint64_t base = sample.user.value[register_numbers(options_.arch).sp], size = sample.stack.size();
  // The end of the copy, and the return addresses of the last two frames. Not more: locals beside them change while the frames
  // stand. When the walk has left a handler's own stack, the copy ends in memory that has nothing to do with it.
  std::array<uint64_t, 4> checks{};
  size_t count = 0;
  uint64_t copy_end = (base + size) & ~uint64_t{7};
  bool same_stack = missing >= base && missing - base < size + kLargestFrame;
  if (size >= 24 && same_stack) {
    checks[count++] = copy_end - 8;
    checks[count++] = copy_end - 16;
  }
  for (size_t i = frames.size(); i-- > 0 && i + 2 >= frames.size();) {
    if (frames[i].slot != 0) { checks[count++] = frames[i].slot; }
  }
  uint64_t begin_ns = now_ns();
  if (first_live_ns_ == 0) { first_live_ns_ = begin_ns; }
  struct Charge {
    uint64_t& spent_ns;
    uint64_t begin_ns;
    ~Charge() { spent_ns += now_ns() - begin_ns; }
  } charge{live_spent_ns_, begin_ns};  // whichever way it ends
  switch (live_.begin(sample.pid, sample.tid, base, sample.stack, missing, {checks.data(), count})) {
    case LiveMemory::Access::kSame: break;
    case LiveMemory::Access::kRefused:
      if (unreadable_.size() >= kMaxUnreadable) { unreadable_.clear(); }
      unreadable_.insert(sample.pid);
      ++refused_;
      return false;
    case LiveMemory::Access::kChanged: return !over_budget(begin_ns) && finish_changed(sample.tid, space, frames, quality);
    case LiveMemory::Access::kGone: return false;
  }
  if (over_budget(begin_ns) && join_checked(sample.tid, space, frames)) {
    quality = StackQuality::kJoined;
    return true;
  }
  finished_ = frames;
  StackQuality end = walker_.resume(space, live_, finished_);
  bool same = live_.still_same();
  if (!same) { return false; }
  // A word that is missing in the live process too is no longer a matter of how much was copied.
  quality = end == StackQuality::kWhole ? StackQuality::kLive : end == StackQuality::kCut ? StackQuality::kBadRow : end;
  frames.swap(finished_);
  return true;
}

bool StackUnwinder::join_later(uint32_t tid, std::vector<WalkedFrame>& frames) const {
  const std::vector<WalkedFrame>* last = history_.find(tid);
  if (last == nullptr || frames.empty()) { return false; }
  size_t at = StackHistory::find_frame(*last, frames.back());
  if (at == last->size() || frames.size() + at > options_.max_depth) { return false; }
  for (size_t i = at; i-- > 0;) { frames.push_back((*last)[i]); }
  return true;
}

// While an exception is being thrown, there are moments when libgcc has already put the registers of the frame where it will go
// on, and the return address into that frame, over those that its own function saved. A walk gets there with the wrong stack or
// frame pointer and goes astray. What is found instead is believed if the walk then comes to the root, or (`may_join`) to a frame
// of the last whole stack.
bool StackUnwinder::mend(const RawSample& sample, const AddressSpace& space, StackMemory& copied, bool may_join,
                         std::vector<WalkedFrame>& frames) {
  if (options_.arch != Arch::kX86_64) { return false; }  // aarch64 does not keep return addresses at the end of a frame
  RegisterNumbers numbers = register_numbers(options_.arch);
  const std::vector<WalkedFrame>* last = history_.find(sample.tid);
  auto comes_to_the_root = [&](size_t at, unsigned number, uint64_t value) {
    StackQuality end = walker_.walk_mended(sample.user, space, copied, {at, number, value}, finished_);
    if (may_join && end == StackQuality::kCut && finished_.size() > at + 1 && join_later(sample.tid, finished_)) {
      end = StackQuality::kWhole;
    }
    if (end != StackQuality::kWhole || (last != nullptr && last->front() != finished_.back())) { return false; }
    frames.swap(finished_);
    return true;
  };
  // The last instruction goes to where the exception is caught: no call stands before that, perhaps another function.
  if (frames.size() > 1 && comes_to_the_root(1, numbers.pc, frames[1].address + 1)) { return true; }
  for (size_t at = frames.size(); at-- > 1 && at + 3 >= frames.size();) {
    // The frame pointer, from where it was in that function at other times (two words below the caller's stack pointer).
    uint64_t size = sizes_.find(frames[at].address);
    if (size != 0 && comes_to_the_root(at, numbers.fp, frames[at].sp + size - 16)) { return true; }
    // The stack pointer: the same return address stands where the call had put it.
    if (frames[at].slot == 0) { continue; }
    uint64_t value = 0;
    for (uint64_t place = frames[at].slot + 8; place - frames[at].slot < kMendBytes && copied.read_u64(place, value);
         place += 8) {
      if (value != frames[at].address + 1) { continue; }
      if (comes_to_the_root(at, numbers.sp, place + 8)) { return true; }
      break;
    }
  }
  return false;
}

void StackUnwinder::learn_sizes(const std::vector<WalkedFrame>& frames, size_t count) {
  for (size_t i = 1; i < count && i + 1 < frames.size(); ++i) {
    if (frames[i + 1].sp > frames[i].sp) { sizes_.learn(frames[i].address, frames[i + 1].sp - frames[i].sp); }
  }
}

// A walk that ended nowhere, and could not be mended. Frames before the wrong turn are still those of the last whole stack; the
// innermost alone proves nothing.
bool StackUnwinder::join_astray(const RawSample& sample, std::vector<WalkedFrame>& frames) {
  const std::vector<WalkedFrame>* last = history_.find(sample.tid);
  if (last == nullptr) { return false; }
  size_t tried = 0;
  for (size_t i = frames.size(); i-- > 1 && tried < kMostTried; ++tried) {
    size_t at = StackHistory::find_frame(*last, frames[i]);
    if (at == last->size()) { continue; }
    frames.resize(i + 1);
    for (size_t k = at; k-- > 0;) { frames.push_back((*last)[k]); }
    return true;
  }
  return false;
}

// The same as join_later() for deep stacks only, after a look at the live process.
bool StackUnwinder::join_checked(uint32_t tid, const AddressSpace& space, std::vector<WalkedFrame>& frames) {
  const std::vector<WalkedFrame>* last = history_.find(tid);
  if (last == nullptr || frames.empty() || last->front().sp - frames.back().sp <= kDeepBytes) { return false; }
  size_t at = StackHistory::find_frame(*last, frames.back());
  return at != last->size() && spread_is_unchanged(*last, at, code_mask(options_.arch, space)) && join_later(tid, frames);
}

// The innermost frames are over: a short handler on a stack of its own has come to its end. What it had interrupted may still be
// there. The stack that is there now is believed as far as it was there before the sample too, and where a call leads from one
// frame to the next.
bool StackUnwinder::finish_changed(uint32_t tid, const AddressSpace& space, std::vector<WalkedFrame>& frames,
                                   StackQuality& quality) {
  const std::vector<WalkedFrame>* last = history_.find(tid);
  if (last == nullptr) { return false; }
  finished_ = frames;
  if (walker_.resume(space, live_, finished_) != StackQuality::kWhole) { return false; }
  size_t added = finished_.size() - std::min(frames.size(), finished_.size()), same = 0, most = std::min(last->size(), added);
  while (same < most && (*last)[same] == finished_[finished_.size() - 1 - same]) { ++same; }
  if (same == 0) { return false; }
  for (size_t i = frames.size(); i < finished_.size() - same; ++i) {
    if (!calls_directly(options_.arch, space, finished_[i].address + 1, finished_[i - 1].address)) { return false; }
  }
  frames.swap(finished_);
  quality = StackQuality::kJoined;
  return true;
}

// The return addresses of the frames next to the joint, of the outermost ones, and of some between.
bool StackUnwinder::spread_is_unchanged(const std::vector<WalkedFrame>& stack, size_t at, uint64_t mask) {
  constexpr size_t kDense = 16, kSpread = 24;
  std::vector<uint64_t> slots, expected, values;
  auto add = [&](size_t i) {
    if (stack[i].slot != 0) {
      slots.push_back(stack[i].slot);
      expected.push_back(stack[i].address);
    }
  };
  for (size_t i = at; i + kDense > at && i-- > 0;) { add(i); }
  for (size_t i = 1; i < kSpread; ++i) { add(at * i / kSpread); }
  for (size_t i = 0; i < std::min(kDense, at); ++i) { add(i); }
  values.resize(slots.size());
  if (slots.empty() || !live_.read_words(slots, values)) { return false; }
  for (size_t i = 0; i < values.size(); ++i) {
    uint64_t address = values[i] & mask;
    if (address != expected[i] && address - 1 != expected[i]) { return false; }
  }
  return true;
}

}  // namespace wick
