// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The register may hold anything in code that does not keep frame pointers, so every link is checked: aligned, above the stack
// pointer, the next link above it or 0, and the return address in executable memory behind a call where the code can be seen.

#include "unwind/frame_pointer.h"

#include <cstring>

namespace wick {
namespace {

// A frame of code without tables is not larger; what lies farther away is not read from a live process on a guess.
constexpr uint64_t kMaxFrame = uint64_t{8} << 20;

// The instructions right before an address; empty where the file is not known.
Bytes code_before(const AddressSpace& space, uint64_t avma, size_t size) {
  Place place = space.place(avma - size);
  if (place.module == nullptr || !place.module->image) { return {}; }
  Bytes code = place.module->image->bytes_at_svma(place.svma);
  return code.size() >= size ? code.first(size) : Bytes();
}

bool follows_call(Arch arch, const AddressSpace& space, uint64_t return_address) {
  if (space.find(return_address - 1) == nullptr) { return false; }
  if (arch == Arch::kAarch64) {
    if ((return_address & 3) != 0) { return false; }
    Bytes code = code_before(space, return_address, 4);
    if (code.empty()) { return true; }  // JIT code: cannot be seen from here
    uint32_t instruction = 0;
    std::memcpy(&instruction, code.data(), 4);
    bool bl = instruction >> 26 == 0x25;
    // blr, and its forms that check a signature: blraaz, blrabz; blraa, blrab.
    bool blr = (instruction & 0xfffffc1f) == 0xd63f0000 || (instruction & 0xfffff800) == 0xd63f0800 ||
               (instruction & 0xfffff800) == 0xd73f0800;
    return bl || blr;
  }
  Bytes code = code_before(space, return_address, 8);
  if (code.empty()) { return true; }
  if (code[3] == 0xe8) { return true; }    // call rel32
  for (size_t length : {2, 3, 4, 6, 7}) {  // call r/m64: opcode ff, /2, with the operand bytes that its length leaves
    size_t at = 8 - length;
    if (code[at] == 0xff && (code[at + 1] & 0x38) == 0x10) { return true; }
  }
  return false;
}

// Whether the instruction before `return_address` is a direct call of the function where `pc` is, as far as that can be told.
bool is_call_of(Arch arch, const AddressSpace& space, uint64_t return_address, uint64_t pc) {
  uint64_t distance = 0;
  if (arch == Arch::kAarch64) {
    Bytes code = code_before(space, return_address, 4);
    if (code.empty()) { return false; }
    uint32_t instruction = 0;
    std::memcpy(&instruction, code.data(), 4);
    if (instruction >> 26 != 0x25) { return false; }
    distance = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(instruction << 6) >> 6) * 4 - 4);
  } else {
    Bytes code = code_before(space, return_address, 5);
    if (code.empty() || code[0] != 0xe8) { return false; }
    int32_t relative = 0;
    std::memcpy(&relative, code.data() + 1, 4);
    distance = static_cast<uint64_t>(int64_t{relative});
  }
  return pc - (return_address + distance) < 4096;
}

// The return address of an innermost function that has not made a frame (a leaf, or its first instructions), or 0: in a register
// on aarch64, on top of the stack on x86_64. Both may as well hold something old or something else, so only a call that leads
// here is believed.
uint64_t find_frameless_return(const StepInput& in, const Cursor& cursor, uint64_t top, uint64_t record_return) {
  uint64_t pc = cursor.regs.value[register_numbers(in.arch).pc];
  if (!cursor.exact) { return 0; }
  if (in.arch == Arch::kX86_64) { return is_call_of(in.arch, in.space, top, pc) ? top : 0; }
  if (!cursor.regs.has(arm::kLr)) { return 0; }
  uint64_t link = in.strip(cursor.regs.value[arm::kLr]);
  if (link == 0 || link == record_return || !follows_call(in.arch, in.space, link)) { return 0; }
  // In another mapping, it cannot be a call that this function made before and came back from.
  return in.space.find(pc) != in.space.find(link - 1) || is_call_of(in.arch, in.space, link, pc) ? link : 0;
}

// A goroutine's first function was called by nobody: its return address is behind the first instruction of runtime.goexit, which
// does nothing so that the address is that function's. Seen by what is there: nop, call, nop.
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

// The first instructions of a program or of its loader, where the kernel has left all registers 0.
bool is_program_start(const AddressSpace& space, uint64_t pc) {
  Place place = space.place(pc);
  return place.module != nullptr && place.module->image && place.svma - place.module->image->entry() < 64;
}

}  // namespace

Step frame_pointer_step(const StepInput& in, Cursor& cursor) {
  RegisterNumbers numbers = register_numbers(in.arch);
  const AddressSpace& space = in.space;
  const Registers& regs = cursor.regs;
  if (!regs.has(numbers.sp) || !regs.has(numbers.fp)) { return Step::kNoRegister; }
  uint64_t sp = regs.value[numbers.sp], fp = regs.value[numbers.fp], next_fp = 0, return_address = 0;
  bool sound = fp >= sp && fp - sp <= kMaxFrame && (fp & 7) == 0;
  bool readable = sound && in.memory.read_u64(fp, next_fp) && in.memory.read_u64(fp + 8, return_address);
  return_address = in.strip(return_address);

  uint64_t top = 0;  // without even that, nothing can be said yet
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
  // Thread starts set the register to 0. In the innermost frame it may as well be a number like any other.
  if (fp == 0) { return !cursor.exact || is_program_start(space, regs.value[numbers.pc]) ? Step::kRoot : Step::kImplausible; }
  if (!sound) { return Step::kImplausible; }
  if (!readable) { return Step::kNoMemory; }
  if (return_address == 0 && next_fp == 0) { return Step::kRoot; }
  // In a caller with unwind information the register may be used for anything.
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
