// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "unwind/call_site.h"

#include <algorithm>
#include <cstring>

#include "elf/linkage.h"

namespace wick {
namespace {

bool is_arm_call(uint32_t instruction) { return instruction >> 26 == 0x25; }  // bl
// Branch distance of b and bl.
uint64_t arm_distance(uint32_t instruction) {
  return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(instruction << 6) >> 6) * 4);
}
// blr, and its forms with pointer authentication: blraaz, blrabz; blraa, blrab.
bool is_arm_pointer_call(uint32_t instruction) {
  return (instruction & 0xfffffc1f) == 0xd63f0000 || (instruction & 0xfffff800) == 0xd63f0800 ||
         (instruction & 0xfffff800) == 0xd73f0800;
}

uint32_t word_before(Bytes code) {
  uint32_t instruction = 0;
  std::memcpy(&instruction, code.data() + code.size() - 4, 4);
  return instruction;
}

const elf::Linkage* linkage_of(const Place& place) {
  return place.module != nullptr && place.module->unwind != nullptr ? &place.module->unwind->linkage() : nullptr;
}

}  // namespace

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
    return code.empty() || is_arm_call(word_before(code)) || is_arm_pointer_call(word_before(code));
  }
  Bytes code = code_before(space, return_address, 8);
  if (code.empty()) { return true; }
  if (code[3] == 0xe8) { return true; }    // call rel32
  for (size_t length : {2, 3, 4, 6, 7}) {  // call r/m64: opcode ff, /2; the operand takes the remaining bytes
    size_t at = 8 - length;
    if (code[at] == 0xff && (code[at + 1] & 0x38) == 0x10) { return true; }
  }
  return false;
}

std::optional<uint64_t> find_call_target(Arch arch, const AddressSpace& space, uint64_t return_address) {
  Bytes code = code_before(space, return_address, arch == Arch::kAarch64 ? 4 : 5);
  if (code.empty()) { return std::nullopt; }
  if (arch == Arch::kAarch64) {
    uint32_t instruction = word_before(code);
    if (!is_arm_call(instruction)) { return std::nullopt; }
    return return_address - 4 + arm_distance(instruction);
  }
  if (code[0] != 0xe8) { return std::nullopt; }
  int32_t distance = 0;
  std::memcpy(&distance, code.data() + 1, 4);
  return return_address + static_cast<uint64_t>(int64_t{distance});
}

namespace {

constexpr uint64_t kMostJumper = 16384;  // functions that end in a tail call are small wrappers

// A function and the ways to link to it.
struct Callee {
  const AddressSpace& space;
  uint64_t function;
  uint64_t whole = 0;  // the function of which this is a part; 0: it is not a part
  Place place;
  const elf::Linkage* linkage;

  Callee(const AddressSpace& in, uint64_t at) : space(in), function(at), place(in.place(at)), linkage(linkage_of(place)) {
    if (linkage == nullptr) { return; }
    if (std::optional<uint64_t> svma = linkage->whole_of(place.svma)) {
      whole = function - (place.svma - *svma);
      place.svma = *svma;
    }
  }

  bool has_name(std::string_view name) const { return linkage != nullptr && !name.empty() && linkage->exports(name, place.svma); }
  // Whether a call or jump to `target` reaches the function.
  bool is_at(uint64_t target) const {
    if (target == function || (whole != 0 && target == whole)) { return true; }
    Place stub = space.place(target);
    const elf::Linkage* here = linkage_of(stub);
    return here != nullptr && has_name(here->at_stub(stub.svma));
  }
};

// Target of a call or jump through a pointer at a fixed address: a function of the same file, or a symbol name.
struct Slot {
  std::optional<uint64_t> target;
  std::string_view name;
};
// `end` is the end of the instruction, whose last four bytes are the distance to the pointer.
Slot read_slot(const AddressSpace& space, uint64_t end) {
  Place place = space.place(end - 1);
  const elf::Linkage* linkage = linkage_of(place);
  Bytes distance = code_before(space, end, 4);
  if (linkage == nullptr || distance.empty()) { return {}; }
  int32_t offset = 0;
  std::memcpy(&offset, distance.data(), 4);
  uint64_t slot = place.svma + 1 + static_cast<uint64_t>(int64_t{offset});
  Slot out{std::nullopt, linkage->at_slot(slot)};
  if (std::optional<uint64_t> svma = linkage->pointer_at(slot)) { out.target = end - 1 - place.svma + *svma; }
  return out;
}

// Whether the function at `jumper` can tail-call the callee, which then returns to the jumper's caller. The search does not
// decode instructions: other bytes would have to match the callee's exact distance (32 bits, 26 on aarch64) by chance.
bool ends_in(Arch arch, const AddressSpace& space, uint64_t jumper, const Callee& callee) {
  Place place = space.place(jumper);
  uint64_t begin = 0, end = 0;
  bool known = place.module != nullptr && place.module->unwind != nullptr && place.module->image &&
               place.module->unwind->cfi().find_function_before(place.svma, begin, end) && begin == place.svma;
  if (!known || end - begin > kMostJumper) { return false; }
  Bytes code = place.module->image->bytes_at_svma(begin);
  code = code.first(std::min<size_t>(code.size(), static_cast<size_t>(end - begin)));
  if (arch == Arch::kAarch64) {
    for (size_t at = 0; at + 4 <= code.size(); at += 4) {
      uint32_t instruction = 0;
      std::memcpy(&instruction, code.data() + at, 4);
      if (instruction >> 26 == 5 && callee.is_at(jumper + at + arm_distance(instruction))) { return true; }  // b
    }
    return false;
  }
  for (size_t at = 0; at + 5 <= code.size(); ++at) {
    if (code[at] == 0xe9) {  // jmp
      int32_t distance = 0;
      std::memcpy(&distance, code.data() + at + 1, 4);
      if (callee.is_at(jumper + at + 5 + static_cast<uint64_t>(int64_t{distance}))) { return true; }
    } else if (code[at] == 0xff && code[at + 1] == 0x25 && at + 6 <= code.size()) {  // jmp *offset(%rip)
      Slot slot = read_slot(space, jumper + at + 6);
      if (callee.has_name(slot.name) || slot.target == callee.function) { return true; }
    }
  }
  return false;
}

}  // namespace

bool is_call_of(Arch arch, const AddressSpace& space, uint64_t return_address, uint64_t function) {
  if (function == 0) { return false; }
  Callee callee(space, function);
  std::optional<uint64_t> target = find_call_target(arch, space, return_address);
  Bytes code = code_before(space, return_address, 6);
  if (!target && arch == Arch::kX86_64 && !code.empty() && code[0] == 0xff && code[1] == 0x15) {  // call *offset(%rip)
    Slot slot = read_slot(space, return_address);
    if (callee.has_name(slot.name)) { return true; }
    target = slot.target;
  }
  return target && (callee.is_at(*target) || ends_in(arch, space, *target, callee));
}

}  // namespace wick
