// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "unwind/call_site.h"

#include <cstring>

namespace wick {
namespace {

constexpr uint64_t kX86CallSize = 5, kArmCallSize = 4;

// Where the direct call in `code` (the call instruction alone) goes, `after` being the address behind it; false when it is none.
bool call_target(Arch arch, const uint8_t* code, uint64_t after, uint64_t& target) {
  if (arch == Arch::kX86_64) {
    if (code[0] != 0xe8) { return false; }
    int32_t distance;
    std::memcpy(&distance, code + 1, 4);
    target = after + static_cast<uint64_t>(int64_t{distance});
    return true;
  }
  uint32_t instruction;
  std::memcpy(&instruction, code, 4);
  if (instruction >> 26 != 0x25) { return false; }  // BL
  int64_t distance = static_cast<int32_t>(instruction << 6) >> 4;
  target = after - kArmCallSize + static_cast<uint64_t>(distance);
  return true;
}

}  // namespace

bool calls_directly(Arch arch, const AddressSpace& space, uint64_t return_address, uint64_t callee) {
  const uint64_t size = arch == Arch::kX86_64 ? kX86CallSize : kArmCallSize;
  Place from = space.place(return_address - size), to = space.place(callee);
  if (from.module == nullptr || from.module != to.module || !from.module->image || from.module->unwind == nullptr) {
    return false;
  }
  Bytes code = from.module->image->bytes_at_svma(from.svma);
  uint64_t target = 0, begin = 0;
  if (code.size() < size || !call_target(arch, code.data(), from.svma + size, target)) { return false; }
  return from.module->unwind->cfi().find_function(to.svma, begin) && begin == target;
}

}  // namespace wick
