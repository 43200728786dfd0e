// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/dwarf_expression.h"

#include <array>

#include "base/byte_reader.h"

namespace wick::elf {
namespace {

constexpr unsigned kMaxDepth = 64;
constexpr unsigned kMaxOperations = 1000;

// Opcodes by their DWARF numbers; lit, reg and breg have 32 each.
enum Op : uint8_t {
  kAddr = 0x03,
  kDeref = 0x06,
  kConst1u = 0x08,
  kConst1s,
  kConst2u,
  kConst2s,
  kConst4u,
  kConst4s,
  kConst8u,
  kConst8s,
  kConstu,
  kConsts,
  kDup,
  kDrop,
  kOver,
  kPick,
  kSwap,
  kRot,
  kAbs = 0x19,
  kAnd,
  kDiv,
  kMinus,
  kMod,
  kMul,
  kNeg,
  kNot,
  kOr,
  kPlus,
  kPlusUconst,
  kShl,
  kShr,
  kShra,
  kXor,
  kBra,
  kEq,
  kGe,
  kGt,
  kLe,
  kLt,
  kNe,
  kSkip,
  kLit0 = 0x30,
  kReg0 = 0x50,
  kBreg0 = 0x70,
  kRegx = 0x90,
  kBregx = 0x92,
  kDerefSize = 0x94,
  kNop = 0x96,
};

class Machine {
 public:
  Machine(Bytes expression, ExpressionInput& input) : reader_(expression), input_(input) {}

  ExpressionValue run(std::optional<uint64_t> initial) {
    if (initial) { push(*initial); }
    for (unsigned count = 0; status_ == ExpressionStatus::kOk && !reader_.at_end(); ++count) {
      if (count >= kMaxOperations) {
        fail();
        break;
      }
      step(reader_.u8());
      if (!reader_.ok()) { fail(); }
    }
    uint64_t result = pop();
    return {status_, status_ == ExpressionStatus::kOk ? result : 0};
  }

 private:
  void fail(ExpressionStatus why = ExpressionStatus::kMalformed) {
    if (status_ == ExpressionStatus::kOk) { status_ = why; }
  }
  void push(uint64_t value) {
    if (depth_ < kMaxDepth) {
      stack_[depth_++] = value;
    } else {
      fail();
    }
  }
  uint64_t pop() {
    if (depth_ > 0) { return stack_[--depth_]; }
    fail();
    return 0;
  }
  int64_t pop_signed() { return static_cast<int64_t>(pop()); }
  uint64_t at(uint64_t from_top) {
    if (from_top < depth_) { return stack_[depth_ - 1 - from_top]; }
    fail();
    return 0;
  }

  void push_register(uint64_t reg, int64_t offset) {
    uint64_t value = 0;
    if (!input_.register_value(reg, value)) { fail(ExpressionStatus::kNoRegister); }
    push(value + static_cast<uint64_t>(offset));
  }
  void load(unsigned size) {
    uint64_t value = 0, address = pop();
    if (status_ != ExpressionStatus::kOk) { return; }
    if (size == 0 || size > 8) {
      fail();
      return;
    }
    if (!input_.memory(address, size, value)) { fail(ExpressionStatus::kNoMemory); }
    push(value);
  }
  void jump(int16_t distance) { reader_.seek(static_cast<uint64_t>(static_cast<int64_t>(reader_.pos()) + distance)); }
  void step(uint8_t op);
  void step_two_operands(uint8_t op);

  ByteReader reader_;
  ExpressionInput& input_;
  std::array<uint64_t, kMaxDepth> stack_{};
  unsigned depth_ = 0;
  ExpressionStatus status_ = ExpressionStatus::kOk;
};

void Machine::step_two_operands(uint8_t op) {
  uint64_t b = pop(), a = pop();
  int64_t sb = static_cast<int64_t>(b), sa = static_cast<int64_t>(a);
  switch (op) {
    case kAnd: push(a & b); break;
    case kOr: push(a | b); break;
    case kXor: push(a ^ b); break;
    case kPlus: push(a + b); break;
    case kMinus: push(a - b); break;
    case kMul: push(a * b); break;
    case kDiv:
      // Signed. The one quotient that overflows wraps.
      if (b == 0) {
        fail();
      } else {
        push(sb == -1 ? 0 - a : static_cast<uint64_t>(sa / sb));
      }
      break;
    case kMod:
      if (b == 0) {
        fail();
      } else {
        push(a % b);
      }
      break;
    case kShl: push(b < 64 ? a << b : 0); break;
    case kShr: push(b < 64 ? a >> b : 0); break;
    case kShra: push(static_cast<uint64_t>(sa >> (b < 64 ? b : 63))); break;
    case kEq: push(sa == sb); break;
    case kNe: push(sa != sb); break;
    case kGe: push(sa >= sb); break;
    case kGt: push(sa > sb); break;
    case kLe: push(sa <= sb); break;
    case kLt: push(sa < sb); break;
    default: fail(); break;
  }
}

void Machine::step(uint8_t op) {
  if (op >= kLit0 && op < kLit0 + 32) {
    push(op - kLit0);
    return;
  }
  if (op >= kReg0 && op < kReg0 + 32) {
    push_register(op - kReg0, 0);
    return;
  }
  if (op >= kBreg0 && op < kBreg0 + 32) {
    push_register(op - kBreg0, reader_.sleb());
    return;
  }
  switch (op) {
    case kAddr: push(reader_.u64() + input_.load_bias()); break;
    case kConst1u: push(reader_.u8()); break;
    case kConst1s: push(static_cast<uint64_t>(int64_t{reader_.i8()})); break;
    case kConst2u: push(reader_.u16()); break;
    case kConst2s: push(static_cast<uint64_t>(int64_t{reader_.i16()})); break;
    case kConst4u: push(reader_.u32()); break;
    case kConst4s: push(static_cast<uint64_t>(int64_t{reader_.i32()})); break;
    case kConst8u:
    case kConst8s: push(reader_.u64()); break;
    case kConstu: push(reader_.uleb()); break;
    case kConsts: push(static_cast<uint64_t>(reader_.sleb())); break;
    case kDup: push(at(0)); break;
    case kDrop: pop(); break;
    case kOver: push(at(1)); break;
    case kPick: push(at(reader_.u8())); break;
    case kSwap: {
      uint64_t b = pop(), a = pop();
      push(b);
      push(a);
      break;
    }
    case kRot: {
      uint64_t c = pop(), b = pop(), a = pop();
      push(c);
      push(a);
      push(b);
      break;
    }
    case kDeref: load(8); break;
    case kDerefSize: load(reader_.u8()); break;
    case kAbs: {
      uint64_t a = pop();
      push(static_cast<int64_t>(a) < 0 ? 0 - a : a);
      break;
    }
    case kNeg: push(0 - pop()); break;
    case kNot: push(~pop()); break;
    case kPlusUconst: push(pop() + reader_.uleb()); break;
    case kSkip: jump(reader_.i16()); break;
    case kBra: {
      int16_t distance = reader_.i16();
      if (pop() != 0) { jump(distance); }
      break;
    }
    case kRegx: push_register(reader_.uleb(), 0); break;
    case kBregx: {
      uint64_t reg = reader_.uleb();
      push_register(reg, reader_.sleb());
      break;
    }
    case kNop: break;
    default: step_two_operands(op); break;
  }
}

}  // namespace

ExpressionValue evaluate_expression(Bytes expression, ExpressionInput& input, std::optional<uint64_t> initial) {
  return Machine(expression, input).run(initial);
}

}  // namespace wick::elf
