// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The loop in run() dominates the cost of recording: a lookup in a small cache, two loads from the stack, a push. step_slowly()
// handles everything rare.
//
// A walk cannot loop: the stack pointer grows with every frame, except for signal frames and stack switches, whose number is
// limited.

#include "unwind/walker.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "base/hash.h"
#include "elf/code_row.h"
#include "elf/plt_row.h"
#include "elf/unwind_table.h"
#include "unwind/call_site.h"
#include "unwind/frame_pointer.h"
#include "unwind/full_step.h"
#include "unwind/signal_frame.h"

namespace wick {
namespace {

using capture::StackQuality;
using elf::CompactRule;
using Kind = elf::CompactRule::Kind;

constexpr unsigned kMaxStackSwitches = 256;
constexpr uint64_t kMostThrowerFrame = 8192;  // functions of libgcc and LLVM's libunwind
constexpr size_t kCacheSlots = 4096;          // 128 kB, fits in the L2 cache; a thread's working set of callers is far smaller

struct alignas(32) CacheSlot {
  uint64_t lookup = 0;
  uint64_t serial = UINT64_MAX;  // matches no address space
  CompactRule rule;
};

// A function started by glibc's makecontext() returns to code that nothing calls, which continues with the next context or ends
// the thread.
bool is_context_start(Arch arch, Bytes code) {
  auto begins = [&](std::initializer_list<uint8_t> bytes) {
    return code.size() >= bytes.size() && std::equal(bytes.begin(), bytes.end(), code.begin());
  };
  if (arch == Arch::kX86_64) {  // mov %rbx,%rsp; pop %rdi or mov (%rsp),%rdi; test %rdi,%rdi
    return begins({0x48, 0x89, 0xdc, 0x5f, 0x48, 0x85, 0xff}) ||
           begins({0x48, 0x89, 0xdc, 0x48, 0x8b, 0x3c, 0x24, 0x48, 0x85, 0xff});
  }
  // mov x0, x19; cbnz x0, …
  return begins({0xe0, 0x03, 0x13, 0xaa}) && code.size() >= 8 && code[7] == 0xb5 && (code[4] & 31) == 0;
}

// For entries that say the return address is on top of the stack. On x86_64, glibc's swapcontext() and setcontext() load another
// stack pointer and then push the address to continue at, with one entry for both stacks.
CompactRule check_switch(const Place& place, const CompactRule& rule) {
  bool on_top =
      rule.kind == Kind::kSp && rule.cfa_offset == 8 && rule.ra_offset == -8 && rule.fp == CompactRule::FramePointer::kSame;
  uint64_t begin = 0;
  if (!on_top || !place.module->image || !place.module->unwind->cfi().find_function(place.svma, begin)) { return rule; }
  Bytes code = place.module->image->bytes_at_svma(begin);
  size_t at = std::min<uint64_t>(place.svma - begin, code.size());
  if (at > elf::kMostCode) { return rule; }  // functions that switch stacks are short
  // Look for a load of the stack pointer first, which spares nearly all functions the decoding.
  auto loads_sp = [&](size_t i) { return (code[i] & 0xfc) == 0x48 && code[i + 1] == 0x8b && (code[i + 2] & 0x38) == 0x20; };
  size_t i = 0;
  while (i + 2 < at && !loads_sp(i)) { ++i; }
  if (i + 2 >= at) { return rule; }
  std::optional<elf::StackSwitch> found = elf::find_stack_switch(code, at);
  elf::FrameRow before;
  bool known = found && place.module->unwind->cfi().find_row(begin + found->at, before);
  if (!known || elf::compact_rule(Arch::kX86_64, before) != rule) { return rule; }
  return {.kind = Kind::kSwitched, .extra = static_cast<uint8_t>(found->pushed == 8)};
}

}  // namespace

struct Walker::State {
  explicit State(WalkOptions given) : options(given), cache(kCacheSlots) {}

  WalkOptions options;
  std::vector<CacheSlot> cache;
  Registers start;
  Cursor cursor;
  bool full = false;      // full steps only: the walk was restarted
  bool reduced = false;   // quick steps were taken: registers other than pc, sp and fp are lost
  unsigned switches = 0;  // times the stack pointer decreased
  bool guessed = false;   // the walk followed unproven frame pointers
  uint64_t unmapped = 0;  // address without code that the walk led to

  void begin(std::vector<WalkedFrame>& frames);
  template <Arch kArch>
  StackQuality run(const AddressSpace& space, StackMemory& memory, std::vector<WalkedFrame>& frames);
  CompactRule find_rule(uint64_t lookup, const AddressSpace& space) const;
  bool returns_from_signal(const Place& place) const;
  Step step_slowly(const CompactRule& rule, const StepInput& in);
  Step step_by_rule(const CompactRule& rule, const StepInput& in, Cursor& to) const;
  Step step_by_entries(uint64_t lookup, const StepInput& in, Cursor& to);
  Step leave_thrower(const StepInput& in, const Place& place, uint64_t lookup, Cursor& to) const;
  Step leave_switch(const CompactRule& rule, const StepInput& in, Cursor& to) const;
  static uint64_t function_begin(const Place& place, uint64_t lookup);
  StackQuality complete() const { return guessed ? StackQuality::kCrossed : StackQuality::kWhole; }
  bool moves_on(const Cursor& from, const Cursor& to, bool signal, const AddressSpace& space);
};

void Walker::State::begin(std::vector<WalkedFrame>& frames) {
  RegisterNumbers numbers = register_numbers(options.arch);
  cursor = {start, 0, true};
  reduced = false;
  guessed = false;
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

// Finds the rule without the cache.
CompactRule Walker::State::find_rule(uint64_t lookup, const AddressSpace& space) const {
  Place place = space.place(lookup);
  if (place.module == nullptr) {
    // The sigreturn instructions may start their mapping; then the byte before them is unmapped.
    return {.kind = returns_from_signal(space.place(lookup + 1)) ? Kind::kSignalReturn : Kind::kUnmapped};
  }
  const LoadedModule& module = *place.module;
  if (module.unwind == nullptr) { return {}; }
  // Entries of older kernels restore the link register wrongly, so on aarch64 the instructions take precedence.
  if (options.arch == Arch::kAarch64 && returns_from_signal(place)) { return {.kind = Kind::kSignalReturn}; }
  CompactRule rule;
  elf::FrameRow row;
  if (module.image && is_context_start(options.arch, module.image->bytes_at_svma(place.svma + 1))) {
    return {.kind = Kind::kOutermost};
  }
  if (const elf::UnwindTable* table = module.unwind->table()) {
    rule = table->find(place.svma);
  } else if (module.unwind->cfi().find_row(place.svma, row)) {
    rule = elf::compact_rule(options.arch, row);
  }
  if (options.arch == Arch::kX86_64) { rule = check_switch(place, rule); }
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
      if (full || !fp_known || cursor.doubts_fp) { break; }
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
      deep = frames.size() >= options.max_depth;
      if (deep) { break; }
    }
    if (root) { return complete(); }
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
    // A frame outside of code comes from a misread stack: more memory would not help, and a zero there is no root.
    if (step != Step::kDone && rule.kind == Kind::kUnmapped) { step = Step::kImplausible; }
    switch (step) {
      case Step::kDone: break;
      case Step::kRoot: return complete();
      case Step::kNoMemory: return StackQuality::kCut;
      case Step::kNoRegister:
        if (full || !reduced) { return StackQuality::kBadRow; }
        full = true;
        begin(frames);
        continue;
      case Step::kImplausible:
        if (rule.kind == Kind::kUnmapped) {
          unmapped = frames.back().address;
          if (frames.size() > 1) { frames.pop_back(); }
          return StackQuality::kNoMapping;
        }
        return rule.kind == Kind::kNone ? StackQuality::kNoRow : StackQuality::kBadRow;
    }
    // Nothing called the sigreturn instructions, so their address is exact, not a return address.
    if (cursor.exact && !was_exact) { frames.back().address += 1; }
    uint64_t next = cursor.lookup(kRegs.pc);
    frames.push_back({next, cursor.regs.value[kRegs.sp], cursor.slot});
    if (frames.size() >= options.max_depth) { return StackQuality::kTooDeep; }
  }
}

// Takes one step by any kind of rule; the cursor changes only for kDone.
Step Walker::State::step_slowly(const CompactRule& rule, const StepInput& in) {
  RegisterNumbers numbers = register_numbers(options.arch);
  uint64_t lookup = cursor.lookup(numbers.pc);
  Cursor to = cursor;
  Step step;
  switch (rule.kind) {
    case Kind::kOutermost: return Step::kRoot;
    case Kind::kNone:
    case Kind::kUnmapped: step = frame_pointer_step(in, to, guessed); break;
    case Kind::kSignalReturn: step = signal_step(in, to); break;
    case Kind::kSwitched: step = leave_switch(rule, in, to); break;
    case Kind::kAsk: step = step_by_entries(lookup, in, to); break;
    default: step = full ? step_by_entries(lookup, in, to) : step_by_rule(rule, in, to); break;
  }
  if (step != Step::kDone) { return step; }
  // A doubtful frame pointer is trusted if it leads to a call of this function.
  bool used_fp = rule.kind == Kind::kFp || rule.kind == Kind::kDerefFp || rule.kind == Kind::kAsk;
  if (cursor.doubts_fp && !to.doubts_fp) {
    uint64_t function = function_begin(in.space.place(lookup), lookup);
    if (used_fp && !is_call_of(options.arch, in.space, to.regs.value[numbers.pc], function)) { return Step::kImplausible; }
    to.doubts_fp = !used_fp && rule.fp == CompactRule::FramePointer::kSame;
  }
  // Only signal frames and switches to a new context give an exact pc.
  if (!moves_on(cursor, to, to.exact, in.space)) { return Step::kImplausible; }
  bool quick = rule.kind != Kind::kAsk && rule.kind != Kind::kSignalReturn && rule.kind != Kind::kSwitched && !full;
  if (quick) { reduced = true; }
  if (to.exact) { reduced = false; }  // a signal frame restores all registers
  cursor = to;
  return Step::kDone;
}

// Applies the compact rules that the quick loop does not handle.
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
    // For a caller, the link register is lost: the walk ends here, at the root if the frame pointer chain ends here too.
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

Step Walker::State::step_by_entries(uint64_t lookup, const StepInput& in, Cursor& to) {
  Place place = in.space.place(lookup);
  elf::FrameRow row;
  bool known = place.module != nullptr && place.module->unwind != nullptr &&
               (place.module->unwind->cfi().find_row(place.svma, row) ||
                (place.module->image && elf::find_plt_row(*place.module->image, place.svma, row)));
  if (!known) {
    // The table may have chosen another of several overlapping entries.
    return frame_pointer_step(in, to, guessed);
  }
  Step step = full_step(in, row, lookup - place.svma, to);
  if (step == Step::kDone && elf::is_saved(row.registers[elf::kExceptionRegister]) && !row.signal_frame) {
    step = leave_thrower(in, place, lookup, to);
  }
  bool lr_rule = options.arch == Arch::kAarch64 && row.return_register == arm::kLr && !cursor.regs.has(arm::kLr);
  if (step == Step::kNoRegister && lr_rule && full) {
    const elf::RegisterRule& rule = row.registers[arm::kLr];
    bool kept = rule.kind == elf::RegisterRule::Kind::kUnspecified || rule.kind == elf::RegisterRule::Kind::kSame;
    bool ended = cursor.regs.has(arm::kFp) && cursor.regs.value[arm::kFp] == 0;
    if (kept) { return ended ? Step::kRoot : Step::kImplausible; }
  }
  return step;
}

// The mapped address where the function at `lookup` starts; 0: unknown.
uint64_t Walker::State::function_begin(const Place& place, uint64_t lookup) {
  uint64_t begin = 0;
  bool known =
      place.module != nullptr && place.module->unwind != nullptr && place.module->unwind->cfi().find_function(place.svma, begin);
  return known ? lookup - (place.svma - begin) : 0;
}

// Steps out of a function that may be about to return to an exception handler. While it prepares that return, its return address
// may already be the handler's, so the address is trusted only if it follows a call of this function. Otherwise libgcc keeps a
// second copy: the context in its frame holds the caller's stack pointer and, next to it, the return address. The saved frame
// pointer is doubtful either way.
Step Walker::State::leave_thrower(const StepInput& in, const Place& place, uint64_t lookup, Cursor& to) const {
  RegisterNumbers numbers = register_numbers(options.arch);
  uint64_t function = function_begin(place, lookup), cfa = to.regs.value[numbers.sp];
  to.doubts_fp = true;
  if (is_call_of(options.arch, in.space, to.regs.value[numbers.pc], function)) { return Step::kDone; }
  uint64_t from = cursor.regs.value[numbers.sp];
  if (cfa - from > kMostThrowerFrame) { return Step::kImplausible; }
  for (uint64_t at = from & ~uint64_t{7}; at + 16 <= cfa; at += 8) {
    uint64_t kept_cfa = 0, kept_return = 0;
    if (!in.memory.read_u64(at, kept_cfa) || !in.memory.read_u64(at + 8, kept_return)) { return Step::kNoMemory; }
    if (kept_cfa != cfa || !is_call_of(options.arch, in.space, in.strip(kept_return), function)) { continue; }
    Registers caller;
    caller.set(numbers.pc, in.strip(kept_return));
    caller.set(numbers.sp, cfa);
    to.regs = caller;  // all others are already the handler's
    return Step::kDone;
  }
  return Step::kImplausible;
}

// Steps out of a function that switches stacks. Once it has pushed the address to continue at, that is on top of the stack, and
// the callee-saved registers belong to the new stack. A new context continues at the first instruction of its function.
Step Walker::State::leave_switch(const CompactRule& rule, const StepInput& in, Cursor& to) const {
  RegisterNumbers numbers = register_numbers(options.arch);
  if (rule.extra == 0 || !cursor.exact) { return Step::kImplausible; }
  uint64_t slot = cursor.regs.value[numbers.sp], next = 0;
  if (!in.memory.read_u64(slot, next)) { return Step::kNoMemory; }
  to.regs = cursor.regs;
  to.regs.set(numbers.pc, next);
  to.regs.set(numbers.sp, slot + 8);
  to.slot = slot;
  to.exact = !follows_call(options.arch, in.space, next);
  bool begins = function_begin(in.space.place(next), next) == next && next != 0;
  return to.exact && !begins ? Step::kImplausible : Step::kDone;
}

bool Walker::State::moves_on(const Cursor& from, const Cursor& to, bool signal, const AddressSpace& space) {
  RegisterNumbers numbers = register_numbers(options.arch);
  uint64_t old_sp = from.regs.value[numbers.sp], new_sp = to.regs.value[numbers.sp];
  if (new_sp > old_sp && !signal) { return true; }
  // An aarch64 leaf function has nothing on the stack.
  if (new_sp == old_sp && from.exact && to.slot == 0 && !signal) { return true; }
  // Interrupted code may be on another stack, and some functions switch stacks and describe it in their CFI: valid if it leads to
  // code.
  if (++switches > kMaxStackSwitches) { return false; }
  return signal || (new_sp != old_sp && space.find(to.lookup(numbers.pc)) != nullptr);
}

Walker::Walker(WalkOptions options) : state_(std::make_unique<State>(options)) {}
Walker::~Walker() = default;
Walker::Walker(Walker&&) noexcept = default;
Walker& Walker::operator=(Walker&&) noexcept = default;

uint64_t Walker::unmapped() const { return state_->unmapped; }

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
  if (frames.size() >= state_->options.max_depth) { return StackQuality::kTooDeep; }
  return state_->options.arch == Arch::kAarch64 ? state_->run<Arch::kAarch64>(space, memory, frames)
                                                : state_->run<Arch::kX86_64>(space, memory, frames);
}

}  // namespace wick
