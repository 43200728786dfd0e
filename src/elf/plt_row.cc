// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/plt_row.h"

#include <elf.h>

#include <cstring>
#include <string_view>

namespace wick::elf {
namespace {

constexpr uint64_t kStub = 16, kLongestHead = 32;

struct Known {
  std::string_view code;
  uint8_t length, pushes;
};
constexpr std::string_view kPushIndexRegister = "\x41\x53";
// Instructions of x86_64 stubs.
constexpr Known kX86[] = {
    {"\xf3\x0f\x1e\xfa", 4, 0},  // endbr64
    {"\xff\x25", 6, 0},          // jmp *slot
    {"\xf2\xff\x25", 7, 0},      // bnd jmp *slot
    {"\xe9", 5, 0},              // jmp head
    {"\xf2\xe9", 6, 0},          // bnd jmp head
    {"\x41\xbb", 6, 0},          // mov $index, %r11d
    {"\x68", 5, 8},              // push $index
    {"\xff\x35", 6, 8},          // push slot
    {kPushIndexRegister, 2, 8},  // push %r11
};

const Known* decode(Bytes code) {
  for (const Known& known : kX86) {
    if (code.size() >= known.length && std::memcmp(code.data(), known.code.data(), known.code.size()) == 0) { return &known; }
  }
  return nullptr;
}

// Counts the bytes pushed by the instructions in [from, to); false if one is unknown.
bool pushed(Bytes code, uint64_t from, uint64_t to, int64_t& bytes) {
  for (uint64_t at = from; at < to;) {
    const Known* known = decode(code.subspan(at));
    if (known == nullptr || at + known->length > to) { return false; }
    bytes += known->pushes;
    at += known->length;
  }
  return decode(code.subspan(to)) != nullptr;
}

// The distance from the stack pointer to the CFA; 0 if unknown.
int64_t x86_distance(Bytes code, uint64_t at, bool has_head) {
  int64_t bytes = 8;
  if (has_head && at < kLongestHead) {
    // The header, which all stubs jump to: 16 bytes if stubs push their index, 32 (mold) if they pass it in a register.
    bool by_register = false;
    const Known* known = nullptr;
    for (uint64_t p = 0; p < kLongestHead && (known = decode(code.subspan(p))) != nullptr; p += known->length) {
      by_register |= known->code == kPushIndexRegister;
    }
    if (by_register || at < kStub) {
      if (!by_register) { bytes += 8; }
      return pushed(code, 0, at, bytes) ? bytes : 0;
    }
  }
  // Stubs of .plt.got may have 8 bytes: one jump, which does not change the stack, whatever its alignment.
  if (pushed(code, at & ~(kStub - 1), at, bytes)) { return bytes; }
  bytes = 8;
  return pushed(code, at & ~uint64_t{7}, at, bytes) && bytes == 8 ? bytes : 0;
}

bool find_x86_row(Bytes code, uint64_t at, bool has_head, FrameRow& row) {
  int64_t distance = x86_distance(code, at, has_head);
  if (distance == 0) { return false; }
  row.cfa.set_register(x86::kRsp, distance);
  row.return_register = x86::kPc;
  row.registers[x86::kPc].kind = RegisterRule::Kind::kAtCfa;
  row.registers[x86::kPc].offset = -8;
  return true;
}

bool find_arm_row(Bytes code, uint64_t at, bool has_head, FrameRow& row) {
  constexpr uint32_t kPushLr = 0xa9bf7bf0;  // stp x16, x30, [sp, #-16]!
  bool saved = false;
  for (uint64_t p = 0; has_head && at < kLongestHead && p + 4 <= at && p + 4 <= code.size(); p += 4) {
    uint32_t instruction = 0;
    std::memcpy(&instruction, code.data() + p, sizeof instruction);
    saved |= instruction == kPushLr;
  }
  row.cfa.set_register(arm::kSp, saved ? 16 : 0);
  row.return_register = arm::kLr;
  if (saved) {
    row.registers[arm::kLr].kind = RegisterRule::Kind::kAtCfa;
    row.registers[arm::kLr].offset = -8;
  }
  return true;
}

}  // namespace

bool find_plt_row(const Image& image, uint64_t svma, FrameRow& row) {
  for (const Section& section : image.sections()) {
    bool here = svma >= section.vaddr && svma - section.vaddr < section.size && (section.flags & SHF_EXECINSTR) != 0;
    if (!here || (section.name != ".iplt" && !section.name.starts_with(".plt"))) { continue; }
    Bytes code = image.section_bytes(section);
    uint64_t at = svma - section.vaddr;
    if (at >= code.size()) { return false; }
    row = {};
    row.begin = svma;
    row.end = svma + 1;
    bool has_head = section.name == ".plt";
    switch (image.arch()) {
      case Arch::kX86_64: return find_x86_row(code, at, has_head, row);
      case Arch::kAarch64: return find_arm_row(code, at, has_head, row);
      default: return false;
    }
  }
  return false;
}

}  // namespace wick::elf
