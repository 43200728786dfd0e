// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The loop in run() is what recording costs: a lookup in a small cache, two loads from the stack, a push. Everything seldom is in
// step_slowly().
//
// A walk cannot go round in circles: the stack pointer grows with every frame, but for signal frames and functions that run on
// another stack, and those are counted.

#include "unwind/walker.h"

#include "base/hash.h"
#include "elf/plt_row.h"
#include "elf/unwind_table.h"
#include "unwind/frame_pointer.h"
#include "unwind/full_step.h"
#include "unwind/signal_frame.h"

namespace wick {
namespace {

using capture::StackQuality;
using elf::CompactRule;
using Kind = elf::CompactRule::Kind;

constexpr unsigned kMaxStackSwitches = 256;
constexpr size_t kCacheSlots = 4096;  // 128 kB: stays in the second-level cache; a thread's working set of callers is far smaller

struct alignas(32) CacheSlot {
  uint64_t lookup = 0;
  uint64_t serial = UINT64_MAX;  // of no address space
  CompactRule rule;
};

}  // namespace

struct Walker::State {
  explicit State(WalkOptions given) : options(given), max_depth(given.max_depth), cache(kCacheSlots) {}

  WalkOptions options;
  size_t max_depth;  // of this walk
  std::vector<CacheSlot> cache;
  Registers start;
  Cursor cursor;
  bool full = false;      // all steps in full: the walk was begun again
  bool reduced = false;   // quick steps have been taken: registers other than pc, sp and fp are lost
  unsigned switches = 0;  // times the stack pointer went down

  void begin(std::vector<WalkedFrame>& frames);
  template <Arch kArch>
  StackQuality run(const AddressSpace& space, StackMemory& memory, std::vector<WalkedFrame>& frames);
  CompactRule find_rule(uint64_t lookup, const AddressSpace& space) const;
  bool returns_from_signal(const Place& place) const;
  Step step_slowly(const CompactRule& rule, const StepInput& in);
  Step step_by_rule(const CompactRule& rule, const StepInput& in, Cursor& to) const;
  Step step_by_entries(uint64_t lookup, const StepInput& in, Cursor& to) const;
  bool moves_on(const Cursor& from, const Cursor& to, bool signal, const AddressSpace& space);
};

void Walker::State::begin(std::vector<WalkedFrame>& frames) {
  RegisterNumbers numbers = register_numbers(options.arch);
  cursor = {start, 0, true};
  reduced = false;
  switches = 0;
  frames.clear();
  frames.push_back({cursor.regs.value[numbers.pc], cursor.regs.value[numbers.sp], 0});
}

bool Walker::State::returns_from_signal(const Place& place) const {
  if (place.module == nullptr || !place.module->image) { return false; }
  const elf::Image& image = *place.module->image;
  uint64_t from = place.svma & ~uint64_t{3};
  if (from >= kSignalCodeBefore && !image.bytes_at_svma(from - kSignalCodeBefore).empty()) { from -= kSignalCodeBefore; }
  Bytes code = image.bytes_at_svma(from);
  return is_signal_return(options.arch, code.first(std::min<size_t>(code.size(), kSignalCodeBefore + kSignalCodeAfter)),
                          static_cast<size_t>(place.svma - from));
}

// Not from the cache.
CompactRule Walker::State::find_rule(uint64_t lookup, const AddressSpace& space) const {
  Place place = space.place(lookup);
  if (place.module == nullptr) {
    // The instructions that end a handler may be the first of their mapping: then the byte before them is nowhere.
    return {.kind = returns_from_signal(space.place(lookup + 1)) ? Kind::kSignalReturn : Kind::kUnmapped};
  }
  const LoadedModule& module = *place.module;
  if (module.unwind == nullptr) { return {}; }
  // Older kernels have entries for it that restore the link register wrongly, so on aarch64 the instructions are asked first.
  if (options.arch == Arch::kAarch64 && returns_from_signal(place)) { return {.kind = Kind::kSignalReturn}; }
  CompactRule rule;
  elf::FrameRow row;
  if (const elf::UnwindTable* table = module.unwind->table()) {
    rule = table->find(place.svma);
  } else if (module.unwind->cfi().find_row(place.svma, row)) {
    rule = elf::compact_rule(options.arch, row);
  }
  if (rule.kind == Kind::kNone && module.image && elf::find_plt_row(*module.image, place.svma, row)) {
    return elf::compact_rule(options.arch, row);
  }
  if (rule.kind == Kind::kNone && options.arch == Arch::kX86_64 && returns_from_signal(place)) {
    return {.kind = Kind::kSignalReturn};
  }
  return rule;
}

template <Arch kArch>
StackQuality Walker::State::run(const AddressSpace& space, StackMemory& memory, std::vector<WalkedFrame>& frames) {
  constexpr RegisterNumbers kRegs = register_numbers(kArch);
  const uint64_t serial = space.serial();
  const StepInput in{kArch, space, memory, code_mask(kArch, space)};
  for (;;) {
    uint64_t lookup = cursor.lookup(kRegs.pc), sp = cursor.regs.value[kRegs.sp], fp = cursor.regs.value[kRegs.fp];
    uint64_t slot_address = cursor.slot;
    const bool fp_known = cursor.regs.has(kRegs.fp);
    CompactRule rule;
    bool stepped = false, missing = false, root = false, deep = false;
    for (;;) {
      CacheSlot& slot = cache[(lookup ^ lookup >> 13) & (kCacheSlots - 1)];
      if (slot.lookup != lookup || slot.serial != serial) [[unlikely]] { slot = {lookup, serial, find_rule(lookup, space)}; }
      rule = slot.rule;
      if (full || !fp_known) { break; }
      uint64_t cfa;
      if (rule.kind == Kind::kSp) {
        cfa = sp + static_cast<uint64_t>(int64_t{rule.cfa_offset});
      } else if (rule.kind == Kind::kFp) {
        cfa = fp + static_cast<uint64_t>(int64_t{rule.cfa_offset});
      } else {
        break;
      }
      if (cfa <= sp || rule.fp > CompactRule::FramePointer::kAtCfa ||
          (kArch == Arch::kAarch64 && rule.ra == CompactRule::Return::kInLr)) {
        break;
      }
      uint64_t return_address, next_fp = fp, at = cfa + static_cast<uint64_t>(int64_t{rule.ra_offset});
      missing = !memory.read_u64(at, return_address);
      if (!missing && rule.fp == CompactRule::FramePointer::kAtCfa) {
        missing = !memory.read_u64(cfa + static_cast<uint64_t>(int64_t{rule.fp_offset}), next_fp);
      }
      if (missing) { break; }
      stepped = true;
      slot_address = at;
      return_address = in.strip(return_address);
      sp = cfa;
      fp = next_fp;
      lookup = return_address - 1;
      if (return_address == 0) {
        root = true;
        break;
      }
      frames.push_back({lookup, sp, slot_address});
      deep = frames.size() >= max_depth;
      if (deep) { break; }
    }
    if (root) { return StackQuality::kWhole; }
    if (stepped) {
      cursor.exact = false;
      cursor.slot = slot_address;
      cursor.regs.valid = 0;
      cursor.regs.set(kRegs.pc, lookup + 1);
      cursor.regs.set(kRegs.sp, sp);
      cursor.regs.set(kRegs.fp, fp);
      reduced = true;
    }
    if (missing) { return StackQuality::kCut; }
    if (deep) { return StackQuality::kTooDeep; }

    const bool was_exact = cursor.exact;
    Step step = step_slowly(rule, in);
    // A frame where there is no code came from a stack that was read wrongly: no reason to look for more of it, and a zero there
    // is no root.
    if (step != Step::kDone && rule.kind == Kind::kUnmapped) { step = Step::kImplausible; }
    switch (step) {
      case Step::kDone: break;
      case Step::kRoot: return StackQuality::kWhole;
      case Step::kNoMemory: return StackQuality::kCut;
      case Step::kNoRegister:
        if (full || !reduced) { return StackQuality::kBadRow; }
        full = true;
        begin(frames);
        continue;
      case Step::kImplausible:
        if (rule.kind == Kind::kUnmapped) {
          if (frames.size() > 1) { frames.pop_back(); }
          return StackQuality::kNoMapping;
        }
        return rule.kind == Kind::kNone ? StackQuality::kNoRow : StackQuality::kBadRow;
    }
    // The instructions that end a handler were not called: the address is theirs, not one before.
    if (cursor.exact && !was_exact) { frames.back().address += 1; }
    uint64_t next = cursor.lookup(kRegs.pc);
    frames.push_back({next, cursor.regs.value[kRegs.sp], cursor.slot});
    if (frames.size() >= max_depth) { return StackQuality::kTooDeep; }
  }
}

// One step by whatever the rule says; the cursor moves only for kDone.
Step Walker::State::step_slowly(const CompactRule& rule, const StepInput& in) {
  RegisterNumbers numbers = register_numbers(options.arch);
  uint64_t lookup = cursor.lookup(numbers.pc);
  Cursor to = cursor;
  Step step;
  switch (rule.kind) {
    case Kind::kOutermost: return Step::kRoot;
    case Kind::kNone:
    case Kind::kUnmapped: step = frame_pointer_step(in, to); break;
    case Kind::kSignalReturn: step = signal_step(in, to); break;
    case Kind::kAsk: step = step_by_entries(lookup, in, to); break;
    default: step = full ? step_by_entries(lookup, in, to) : step_by_rule(rule, in, to); break;
  }
  if (step != Step::kDone) { return step; }
  // Only signal frames lead to an exact pc.
  if (!moves_on(cursor, to, to.exact, in.space)) { return Step::kImplausible; }
  bool quick = rule.kind != Kind::kAsk && rule.kind != Kind::kSignalReturn && !full;
  if (quick) { reduced = true; }
  if (to.exact) { reduced = false; }  // all registers came from the signal frame
  cursor = to;
  return Step::kDone;
}

// The compact rules that the quick loop leaves aside.
Step Walker::State::step_by_rule(const CompactRule& rule, const StepInput& in, Cursor& to) const {
  StackMemory& memory = in.memory;
  RegisterNumbers numbers = register_numbers(options.arch);
  const Registers& regs = cursor.regs;
  uint64_t sp = regs.value[numbers.sp], fp = regs.value[numbers.fp];
  bool needs_fp = rule.kind == Kind::kFp || rule.kind == Kind::kDerefFp || rule.fp == CompactRule::FramePointer::kAtFp;
  if (!regs.has(numbers.sp) || (needs_fp && !regs.has(numbers.fp))) { return Step::kNoRegister; }
  uint64_t offset = static_cast<uint64_t>(int64_t{rule.cfa_offset}), cfa = 0;
  switch (rule.kind) {
    case Kind::kSp: cfa = sp + offset; break;
    case Kind::kFp: cfa = fp + offset; break;
    case Kind::kDerefSp:
    case Kind::kDerefFp:
      if (!memory.read_u64((rule.kind == Kind::kDerefSp ? sp : fp) + offset, cfa)) { return Step::kNoMemory; }
      cfa += uint64_t{rule.extra} * 8;
      break;
    case Kind::kPlt: cfa = sp + offset + ((regs.value[numbers.pc] & 15) >= rule.extra ? 8 : 0); break;
    default: return Step::kImplausible;
  }
  Registers caller;
  uint64_t return_address = 0, slot = 0;
  if (rule.ra == CompactRule::Return::kInLr) {
    // In the middle of a stack nobody knows what was in the register: an end, and a good one if the frame pointers end here too.
    if (!regs.has(arm::kLr)) { return regs.has(numbers.fp) && fp == 0 ? Step::kRoot : Step::kImplausible; }
    return_address = regs.value[arm::kLr];
  } else {
    slot = cfa + static_cast<uint64_t>(int64_t{rule.ra_offset});
    if (!memory.read_u64(slot, return_address)) { return Step::kNoMemory; }
  }
  switch (rule.fp) {
    case CompactRule::FramePointer::kSame:
      if (regs.has(numbers.fp)) { caller.set(numbers.fp, fp); }
      break;
    case CompactRule::FramePointer::kLost: break;
    case CompactRule::FramePointer::kAtCfa:
    case CompactRule::FramePointer::kAtFp: {
      uint64_t from = (rule.fp == CompactRule::FramePointer::kAtFp ? fp : cfa) + static_cast<uint64_t>(int64_t{rule.fp_offset}),
               value = 0;
      if (!memory.read_u64(from, value)) { return Step::kNoMemory; }
      caller.set(numbers.fp, value);
      break;
    }
  }
  return_address = in.strip(return_address);
  if (return_address == 0) { return Step::kRoot; }
  caller.set(numbers.pc, return_address);
  caller.set(numbers.sp, cfa);
  to = {caller, slot, false};
  return Step::kDone;
}

Step Walker::State::step_by_entries(uint64_t lookup, const StepInput& in, Cursor& to) const {
  Place place = in.space.place(lookup);
  elf::FrameRow row;
  bool known = place.module != nullptr && place.module->unwind != nullptr &&
               (place.module->unwind->cfi().find_row(place.svma, row) ||
                (place.module->image && elf::find_plt_row(*place.module->image, place.svma, row)));
  if (!known) {
    // The padding behind a function, which the table counts to it.
    return frame_pointer_step(in, to);
  }
  Step step = full_step(in, row, lookup - place.svma, to);
  bool lr_rule = options.arch == Arch::kAarch64 && row.return_register == arm::kLr && !cursor.regs.has(arm::kLr);
  if (step == Step::kNoRegister && lr_rule && full) {
    const elf::RegisterRule& rule = row.registers[arm::kLr];
    bool kept = rule.kind == elf::RegisterRule::Kind::kUnspecified || rule.kind == elf::RegisterRule::Kind::kSame;
    bool ended = cursor.regs.has(arm::kFp) && cursor.regs.value[arm::kFp] == 0;
    if (kept) { return ended ? Step::kRoot : Step::kImplausible; }
  }
  return step;
}

bool Walker::State::moves_on(const Cursor& from, const Cursor& to, bool signal, const AddressSpace& space) {
  RegisterNumbers numbers = register_numbers(options.arch);
  uint64_t old_sp = from.regs.value[numbers.sp], new_sp = to.regs.value[numbers.sp];
  if (new_sp > old_sp && !signal) { return true; }
  // A leaf of aarch64 has nothing on the stack.
  if (new_sp == old_sp && from.exact && to.slot == 0 && !signal) { return true; }
  // Interrupted code may be on another stack, and some functions switch stacks by themselves (they keep the old one in a register
  // and say so): fine, if the result is code.
  if (++switches > kMaxStackSwitches) { return false; }
  return signal || (new_sp != old_sp && space.find(to.lookup(numbers.pc)) != nullptr);
}

Walker::Walker(WalkOptions options) : state_(std::make_unique<State>(options)) {}
Walker::~Walker() = default;
Walker::Walker(Walker&&) noexcept = default;
Walker& Walker::operator=(Walker&&) noexcept = default;

StackQuality Walker::walk(const Registers& start, const AddressSpace& space, StackMemory& memory,
                          std::vector<WalkedFrame>& frames) {
  RegisterNumbers numbers = register_numbers(state_->options.arch);
  if (!start.has(numbers.pc) || !start.has(numbers.sp)) {
    frames.clear();
    return StackQuality::kBadRow;
  }
  state_->start = start;
  state_->full = false;
  state_->begin(frames);
  return resume(space, memory, frames);
}

StackQuality Walker::walk_mended(const Registers& start, const AddressSpace& space, StackMemory& memory, const Mend& mend,
                                 std::vector<WalkedFrame>& frames) {
  state_->max_depth = mend.at + 1;
  StackQuality quality = walk(start, space, memory, frames);
  state_->max_depth = state_->options.max_depth;
  if (quality != StackQuality::kTooDeep) { return quality; }
  RegisterNumbers numbers = register_numbers(state_->options.arch);
  state_->cursor.regs.set(mend.number, mend.value);
  if (mend.number == numbers.sp) { frames.back().sp = mend.value; }
  if (mend.number == numbers.pc) {
    frames.back().address = mend.value;
    state_->cursor.exact = true;
  }
  return resume(space, memory, frames);
}

StackQuality Walker::resume(const AddressSpace& space, StackMemory& memory, std::vector<WalkedFrame>& frames) {
  if (frames.size() >= state_->max_depth) { return StackQuality::kTooDeep; }
  return state_->options.arch == Arch::kAarch64 ? state_->run<Arch::kAarch64>(space, memory, frames)
                                                : state_->run<Arch::kX86_64>(space, memory, frames);
}

}  // namespace wick
