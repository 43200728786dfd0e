// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// In code without frame pointers the register may hold anything, so every guessed link is checked: it is aligned and above the
// stack pointer, the next link is above it or 0, and the return address is executable and follows a call if the code is readable.

#include "unwind/frame_pointer.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <vector>

#include "elf/code_row.h"
#include "unwind/call_site.h"

namespace wick {
namespace {

// Frames of code without tables are smaller; a guess reads nothing farther away.
constexpr uint64_t kMaxFrame = uint64_t{8} << 20;

// Whether the instruction before `return_address` is a direct call to a target shortly before `pc`.
bool is_call_near(const StepInput& in, uint64_t return_address, uint64_t pc) {
  std::optional<uint64_t> target = find_call_target(in.arch, in.space, return_address);
  return target && pc - *target < 4096;
}

// The return address of an innermost function that has not set up a frame (a leaf, or in its first instructions), or 0. It is in
// a register on aarch64 and on top of the stack on x86_64. Both may hold stale or unrelated values, so it must follow a call that
// leads here.
uint64_t find_frameless_return(const StepInput& in, const Cursor& cursor, uint64_t top, uint64_t record_return) {
  uint64_t pc = cursor.regs.value[register_numbers(in.arch).pc];
  if (!cursor.exact) { return 0; }
  if (in.arch == Arch::kX86_64) { return is_call_near(in, top, pc) ? top : 0; }
  if (!cursor.regs.has(arm::kLr)) { return 0; }
  uint64_t link = in.strip(cursor.regs.value[arm::kLr]);
  if (link == 0 || link == record_return || !follows_call(in.arch, in.space, link)) { return 0; }
  // From another mapping, it cannot be the return address of an earlier call made by this function.
  return in.space.find(pc) != in.space.find(link - 1) || is_call_near(in, link, pc) ? link : 0;
}

// Nothing calls a goroutine's first function: its return address follows the first instruction of runtime.goexit, a nop that
// keeps the address inside that function. Recognized by its code: nop, call, nop.
bool is_goroutine_start(Arch arch, const AddressSpace& space, uint64_t return_address) {
  if (arch == Arch::kAarch64) {
    Bytes code = code_before(space, return_address + 4, 8);
    if (code.empty()) { return false; }
    uint32_t instructions[2];
    std::memcpy(instructions, code.data(), 8);
    return instructions[0] == 0xaa0003e0 && instructions[1] >> 26 == 0x25;  // mov x0, x0; bl
  }
  Bytes code = code_before(space, return_address + 6, 7);
  return !code.empty() && code[0] == 0x90 && code[1] == 0xe8 && code[6] == 0x90;
}

bool has_unwind_info(const AddressSpace& space, uint64_t avma) {
  Place place = space.place(avma);
  return place.module != nullptr && place.module->unwind != nullptr && !place.module->unwind->cfi().empty();
}

// Whether this is in the first instructions of a program or its loader; the kernel starts a program with all registers 0.
bool is_program_start(const Place& place) {
  return place.module != nullptr && place.module->image && place.svma - place.module->image->entry() < 256;
}

// Loaders have no tables for their first instructions, which call the rest. There the stack is as the kernel set it up: argc,
// argv, the environment, and the auxiliary vector with the entry of a mapped program. All of it is checked, since a stack of
// zeros or other numbers is not a root.
Step root_step(const StepInput& in, uint64_t sp) {
  constexpr uint64_t kMostPointers = 1 << 16, kMostFacts = 64, kEntryFact = 9;
  uint64_t count = 0, word = 0, value = 0;
  if (!in.memory.read_u64(sp, count)) { return Step::kNoMemory; }
  if (count == 0 || count > kMostPointers) { return Step::kImplausible; }
  uint64_t at = sp + 8, last = sp;
  for (uint64_t i = 0; i <= count; ++i, at += 8) {
    if (!in.memory.read_u64(at, word)) { return Step::kNoMemory; }
    if (i == count ? word != 0 : word <= last) { return Step::kImplausible; }
    last = word;
  }
  for (uint64_t i = 0; i < kMostPointers; ++i) {
    if (!in.memory.read_u64(at, word)) { return Step::kNoMemory; }
    at += 8;
    if (word == 0) { break; }
    if (word <= sp) { return Step::kImplausible; }
  }
  for (uint64_t i = 0; i < kMostFacts; ++i, at += 16) {
    if (!in.memory.read_u64(at, word) || !in.memory.read_u64(at + 8, value)) { return Step::kNoMemory; }
    if (word == 0) { return Step::kImplausible; }
    if (word != kEntryFact) { continue; }
    Place entry = in.space.place(value);
    return entry.module != nullptr && entry.module->image && entry.module->image->entry() == entry.svma ? Step::kRoot
                                                                                                        : Step::kImplausible;
  }
  return Step::kImplausible;
}

// Landmarks in a function's first instructions.
struct Prologue {
  uint64_t first = 0;       // the first instruction that changes the stack
  uint64_t after_push = 0;  // x86_64: the frame pointer is pushed but not set yet
  uint64_t done = 0;        // from here on the frame pointer is the function's own; 0: no frame record found
};

Prologue read_prologue(Arch arch, Bytes code, uint64_t begin) {
  Prologue out;
  size_t at = 0;
  auto has = [&](std::initializer_list<uint8_t> bytes) {
    return code.size() - at >= bytes.size() && std::equal(bytes.begin(), bytes.end(), code.begin() + static_cast<ptrdiff_t>(at));
  };
  auto word = [&](size_t offset) {
    uint32_t instruction = 0;
    if (code.size() >= at + offset + 4) { std::memcpy(&instruction, code.data() + at + offset, 4); }
    return instruction;
  };
  if (arch == Arch::kX86_64) {
    if (has({0xf3, 0x0f, 0x1e, 0xfa})) { at += 4; }  // endbr64
    out.first = begin + at;
    if (has({0x55, 0x48, 0x89, 0xe5}) || has({0x55, 0x48, 0x8b, 0xec})) {  // push %rbp; mov %rsp,%rbp
      out.after_push = begin + at + 1;
      out.done = begin + at + 4;
    }
    return out;
  }
  constexpr uint32_t kPaciasp = 0xd503233f, kBtiMask = 0xffffff3f, kBti = 0xd503241f;
  while (word(0) == kPaciasp || (word(0) & kBtiMask) == kBti) { at += 4; }
  out.first = begin + at;
  bool makes_record = (word(0) & 0xffc07fff) == 0xa9807bfd && word(4) == 0x910003fd;  // stp x29, x30, [sp, #-n]!; mov x29, sp
  if (makes_record) { out.done = begin + at + 8; }
  return out;
}

// Whether this is a new thread, right after the system call that created it: the call returned 0, and the branches taken for 0
// lead to code that the tables mark as outermost.
bool is_new_thread(const StepInput& in, const Cursor& cursor) {
  constexpr uint64_t kFarthest = 16;
  uint64_t pc = cursor.regs.value[x86::kPc];
  Bytes before = code_before(in.space, pc, kFarthest);
  if (!cursor.exact || !cursor.regs.has(x86::kRax) || cursor.regs.value[x86::kRax] != 0 || before.empty()) { return false; }
  size_t at = kFarthest;
  do {
    if (at < 2) { return false; }
    --at;
  } while (before[at - 1] != 0x0f || before[at] != 0x05);  // syscall
  uint64_t here = pc - kFarthest + at + 1;
  for (bool tested = false, passed = false;;) {
    passed = passed || here == pc;
    Place place = in.space.place(here);
    if (place.module == nullptr || !place.module->image || place.module->unwind == nullptr) { return false; }
    elf::FrameRow row;
    if (place.module->unwind->cfi().find_row(place.svma, row)) {
      return passed && elf::compact_rule(in.arch, row).kind == elf::CompactRule::Kind::kOutermost;
    }
    Bytes code = place.module->image->bytes_at_svma(place.svma);
    if (code.size() < 3) { return false; }
    if (code[0] == 0x48 && code[1] == 0x85 && code[2] == 0xc0) {  // test %rax, %rax
      tested = true;
      here += 3;
    } else if (tested && (code[0] == 0x7c || code[0] == 0x78 || code[0] == 0x75)) {  // jl, js, jne
      here += 2;
    } else if (tested && code[0] == 0x74 && code[1] < 0x80) {  // je, forward
      here += 2 + uint64_t{code[1]};
    } else {
      return false;
    }
  }
}

// Whether the decoded instructions agree with the CFI entry at the entry's last instruction; then the code that follows may
// belong to the same function.
bool agree_at_end(const elf::Cfi& cfi, const std::vector<std::optional<elf::CodeRow>>& rows,
                  const UnwindInfo::CodeRange& function) {
  elf::FrameRow row;
  uint64_t at = function.end - function.begin;
  while (at > 0 && (at > rows.size() || !rows[at - 1])) { --at; }
  if (at == 0 || !cfi.find_row(function.end - 1, row) || row.cfa.kind != elf::CfaRule::Kind::kRegister) { return false; }
  const elf::CodeRow& last = *rows[at - 1];
  return row.cfa.reg() == (last.by_fp ? x86::kRbp : x86::kRsp) && row.cfa.offset == last.distance;
}

// Steps by the effect of all instructions from `function` to the cursor.
Step code_step(const StepInput& in, const elf::CodeRow& row, uint64_t function, Cursor& cursor) {
  RegisterNumbers numbers = register_numbers(in.arch);
  const Registers& regs = cursor.regs;
  if (row.by_fp && !regs.has(numbers.fp)) { return Step::kNoRegister; }
  uint64_t cfa = regs.value[row.by_fp ? numbers.fp : numbers.sp] + static_cast<uint64_t>(row.distance), return_address = 0,
           fp = 0;
  if (!in.memory.read_u64(cfa - 8, return_address)) { return Step::kNoMemory; }
  // A newly created thread is at this place too, and its stack holds no return address.
  if (row.after_system_call && !is_call_of(in.arch, in.space, return_address, function)) {
    return is_new_thread(in, cursor) ? Step::kRoot : Step::kImplausible;
  }
  if (!follows_call(in.arch, in.space, return_address)) { return Step::kImplausible; }
  Registers caller;
  caller.set(numbers.pc, return_address);
  caller.set(numbers.sp, cfa);
  if (row.fp == elf::CodeRow::FramePointer::kSaved) {
    if (!in.memory.read_u64(cfa + static_cast<uint64_t>(row.saved_at), fp)) { return Step::kNoMemory; }
    caller.set(numbers.fp, fp);
  } else if (row.fp == elf::CodeRow::FramePointer::kSame && regs.has(numbers.fp)) {
    caller.set(numbers.fp, regs.value[numbers.fp]);
  }
  cursor = {caller, cfa - 8, false};
  return Step::kDone;
}

// A step that the function's own instructions prove.
Step certain_step(const StepInput& in, const Place& place, uint64_t lookup, Cursor& cursor) {
  RegisterNumbers numbers = register_numbers(in.arch);
  const Registers& regs = cursor.regs;
  if (is_program_start(place) && regs.has(numbers.sp)) {
    Step root = root_step(in, regs.value[numbers.sp]);
    if (root != Step::kImplausible) { return root; }
  }
  std::optional<UnwindInfo::CodeRange> function = place.module->unwind->find_bare_function(place.svma);
  if (!function || !regs.has(numbers.sp)) { return Step::kImplausible; }
  uint64_t begin = lookup - (place.svma - function->begin), pc = regs.value[numbers.pc];
  uint64_t sp = regs.value[numbers.sp], fp = regs.value[numbers.fp];
  Bytes code = place.module->image->bytes_at_svma(function->begin);
  if (in.arch == Arch::kX86_64) {
    // Code past the function's end is not its own, and decoding it costs time with every sample.
    if (place.svma < function->end) { code = code.first(std::min<size_t>(code.size(), function->end - function->begin)); }
    std::vector<std::optional<elf::CodeRow>> rows = elf::find_code_rows(code, function->end - function->begin);
    bool goes_on = place.svma < function->end || agree_at_end(place.module->unwind->cfi(), rows, *function);
    uint64_t at = pc - begin;
    if (goes_on && at < rows.size() && rows[at]) { return code_step(in, *rows[at], begin, cursor); }
  }
  if (place.svma >= function->end) { return Step::kImplausible; }
  Prologue prologue = read_prologue(in.arch, code, begin);
  Registers caller;
  uint64_t return_address = 0, slot = 0, next_fp = fp, next_sp = sp;
  Bytes here = place.module->image->bytes_at_svma(place.svma);
  bool is_x86 = in.arch == Arch::kX86_64;
  bool returns = is_x86 ? !here.empty() && (here[0] == 0xc3 || (here[0] == 0xf3 && here.size() > 1 && here[1] == 0xc3))
                        : here.size() >= 4 && here[0] == 0xc0 && here[1] == 0x03 && here[2] == 0x5f && here[3] == 0xd6;
  bool frameless = cursor.exact && (pc <= prologue.first || returns);
  if (frameless && !is_x86) {
    if (!regs.has(arm::kLr)) { return Step::kNoRegister; }
    return_address = regs.value[arm::kLr];
  } else if (frameless) {
    slot = sp;
    next_sp = sp + 8;
    if (!in.memory.read_u64(slot, return_address)) { return Step::kNoMemory; }
  } else if (is_x86 && cursor.exact && pc == prologue.after_push && pc != 0) {
    slot = sp + 8;
    next_sp = sp + 16;
    if (!in.memory.read_u64(slot, return_address)) { return Step::kNoMemory; }
  } else {
    bool own = prologue.done != 0 && (!cursor.exact || pc >= prologue.done) && regs.has(numbers.fp) && fp >= sp && fp % 8 == 0;
    if (!own) { return Step::kImplausible; }
    slot = fp + 8;
    next_sp = fp + 16;
    if (!in.memory.read_u64(fp, next_fp) || !in.memory.read_u64(slot, return_address)) { return Step::kNoMemory; }
  }
  return_address = in.strip(return_address);
  if (return_address == 0) { return Step::kRoot; }
  if (!follows_call(in.arch, in.space, return_address)) { return Step::kImplausible; }
  caller.set(numbers.pc, return_address);
  caller.set(numbers.sp, next_sp);
  if (regs.has(numbers.fp)) { caller.set(numbers.fp, next_fp); }
  cursor = {caller, slot, false};
  return Step::kDone;
}

// Without tables and symbols nothing shows where the function begins, except a direct call: if all ways from the target of
// the call that the frame pointer leads to include the cursor, and give the same return address, then the cursor is in that
// function. Frame pointers alone would skip functions that do not set them.
Step nameless_step(const StepInput& in, const Place& place, uint64_t lookup, Cursor& cursor) {
  RegisterNumbers numbers = register_numbers(in.arch);
  const Registers& regs = cursor.regs;
  if (in.arch != Arch::kX86_64 || !regs.has(numbers.sp) || !regs.has(numbers.fp)) { return Step::kImplausible; }
  uint64_t fp = regs.value[numbers.fp], top = 0, linked = 0;
  bool has_link = fp >= regs.value[numbers.sp] && (fp & 7) == 0 && in.memory.read_u64(fp + 8, linked);
  bool has_top = cursor.exact && in.memory.read_u64(regs.value[numbers.sp], top);
  for (uint64_t guess : {has_top ? top : 0, has_link ? linked : 0}) {
    std::optional<uint64_t> target = guess == 0 ? std::nullopt : find_call_target(in.arch, in.space, guess);
    if (!target || lookup - *target >= elf::kMostCode || in.space.find(*target) != in.space.find(lookup)) { continue; }
    Bytes code = place.module->image->bytes_at_svma(place.svma - (lookup - *target));
    std::vector<std::optional<elf::CodeRow>> rows = elf::find_code_rows(code, code.size());
    uint64_t at = regs.value[numbers.pc] - *target;
    if (at >= rows.size() || !rows[at]) { continue; }
    Cursor next = cursor;
    Step step = code_step(in, *rows[at], *target, next);
    if (step != Step::kDone || next.regs.value[numbers.pc] != guess) { continue; }
    cursor = next;
    return step;
  }
  return Step::kImplausible;
}

}  // namespace

Step frame_pointer_step(const StepInput& in, Cursor& cursor, bool& guessed) {
  uint64_t lookup = cursor.lookup(register_numbers(in.arch).pc);
  Place place = in.space.place(lookup);
  bool in_file = place.module != nullptr && place.module->image && place.module->unwind != nullptr;
  bool by_convention = in_file && place.module->unwind->has_frame_pointers_by_convention(place.svma);
  if (in_file && !by_convention) {
    Step step = certain_step(in, place, lookup, cursor);
    return step == Step::kImplausible ? nameless_step(in, place, lookup, cursor) : step;
  }
  guessed = true;
  RegisterNumbers numbers = register_numbers(in.arch);
  const AddressSpace& space = in.space;
  const Registers& regs = cursor.regs;
  if (!regs.has(numbers.sp) || !regs.has(numbers.fp)) { return Step::kNoRegister; }
  uint64_t sp = regs.value[numbers.sp], fp = regs.value[numbers.fp], next_fp = 0, return_address = 0;
  bool sound = fp >= sp && fp - sp <= kMaxFrame && (fp & 7) == 0;
  bool readable = sound && in.memory.read_u64(fp, next_fp) && in.memory.read_u64(fp + 8, return_address);
  return_address = in.strip(return_address);

  uint64_t top = 0;  // needed to rule out a frameless function
  if (in.arch == Arch::kX86_64 && cursor.exact && !in.memory.read_u64(sp, top)) { return Step::kNoMemory; }
  if (uint64_t direct = find_frameless_return(in, cursor, top, return_address)) {
    bool on_stack = in.arch == Arch::kX86_64;
    Registers caller;
    caller.set(numbers.pc, direct);
    caller.set(numbers.sp, sp + (on_stack ? 8 : 0));
    caller.set(numbers.fp, fp);
    cursor = {caller, on_stack ? sp : 0, false};
    return Step::kDone;
  }
  // Threads start with 0 in the register. In the innermost frame, 0 may be an ordinary value.
  if (fp == 0) { return !cursor.exact || is_program_start(place) ? Step::kRoot : Step::kImplausible; }
  if (!sound) { return Step::kImplausible; }
  if (!readable) { return Step::kNoMemory; }
  if (return_address == 0 && next_fp == 0) { return Step::kRoot; }
  // A caller with unwind information may use the register for anything.
  bool grows = next_fp == 0 || (next_fp > fp && (next_fp & 7) == 0) || has_unwind_info(space, return_address - 1);
  bool called =
      follows_call(in.arch, space, return_address) || (next_fp == 0 && is_goroutine_start(in.arch, space, return_address));
  if (!grows || !called) { return Step::kImplausible; }
  Registers caller;
  caller.set(numbers.pc, return_address);
  caller.set(numbers.sp, fp + 16);
  caller.set(numbers.fp, next_fp);
  cursor = {caller, fp + 8, false};
  return Step::kDone;
}

}  // namespace wick
