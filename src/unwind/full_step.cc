// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "unwind/full_step.h"

#include "elf/dwarf_expression.h"

namespace wick {
namespace {

using elf::CfaRule;
using elf::ExpressionStatus;
using elf::ExpressionValue;
using elf::RegisterRule;

class FrameInput final : public elf::ExpressionInput {
 public:
  FrameInput(const Registers& regs, StackMemory& memory, uint64_t load_bias)
      : regs_(regs), memory_(memory), load_bias_(load_bias) {}
  bool register_value(uint64_t reg, uint64_t& value) override {
    if (reg >= Registers::kCount || !regs_.has(static_cast<unsigned>(reg))) { return false; }
    value = regs_.value[static_cast<unsigned>(reg)];
    return true;
  }
  bool memory(uint64_t address, unsigned size, uint64_t& value) override {
    if (!memory_.read_u64(address, value)) { return false; }
    if (size < 8) { value &= (uint64_t{1} << (size * 8)) - 1; }
    return true;
  }
  uint64_t load_bias() const override { return load_bias_; }

 private:
  const Registers& regs_;
  StackMemory& memory_;
  uint64_t load_bias_;
};

Step step_of(ExpressionStatus status) {
  switch (status) {
    case ExpressionStatus::kOk: return Step::kDone;
    case ExpressionStatus::kNoRegister: return Step::kNoRegister;
    case ExpressionStatus::kNoMemory: return Step::kNoMemory;
    case ExpressionStatus::kMalformed: return Step::kImplausible;
  }
  return Step::kImplausible;
}

// The most an epilogue can have popped: all general registers.
constexpr uint64_t kMostPopped = 16 * 8;

// Registers that the ABI preserves across calls if the row has no rule for them.
bool is_callee_saved(Arch arch, unsigned reg) {
  if (arch == Arch::kX86_64) { return reg == x86::kRbx || reg == x86::kRbp || (reg >= 12 && reg <= x86::kR15); }
  return reg >= 19 && reg <= arm::kFp;
}

Step find_cfa(const CfaRule& rule, const Registers& regs, FrameInput& input, uint64_t& cfa) {
  switch (rule.kind) {
    case CfaRule::Kind::kNone: return Step::kImplausible;
    case CfaRule::Kind::kRegister:
      if (!regs.has(rule.reg())) { return Step::kNoRegister; }
      cfa = regs.value[rule.reg()] + static_cast<uint64_t>(rule.offset);
      return Step::kDone;
    case CfaRule::Kind::kExpression: {
      ExpressionValue found = elf::evaluate_expression(rule.expression(), input, std::nullopt);
      cfa = found.value;
      return step_of(found.status);
    }
  }
  return Step::kImplausible;
}

// Computes a register's value in the caller; `known` is false if it is lost. `slot` is the address it was read from, or 0.
Step apply(const RegisterRule& rule, uint64_t cfa, const Registers& regs, FrameInput& input, StackMemory& memory, bool& known,
           uint64_t& value, uint64_t& slot) {
  using Kind = RegisterRule::Kind;
  known = true;
  slot = 0;
  switch (rule.kind) {
    case Kind::kUnspecified:
    case Kind::kSame:
    case Kind::kUndefined: known = false; return Step::kDone;  // only the caller's own rules can recover it
    case Kind::kAtCfa: slot = cfa + static_cast<uint64_t>(rule.offset); break;
    case Kind::kCfaPlus: value = cfa + static_cast<uint64_t>(rule.offset); return Step::kDone;
    case Kind::kRegister:
      known = rule.offset >= 0 && regs.has(static_cast<unsigned>(std::min<int64_t>(rule.offset, Registers::kCount)));
      if (known) { value = regs.value[static_cast<unsigned>(rule.offset)]; }
      return Step::kDone;
    case Kind::kAtExpression:
    case Kind::kExpression: {
      ExpressionValue found = elf::evaluate_expression(rule.expression(), input, cfa);
      if (found.status == ExpressionStatus::kNoRegister) {
        known = false;
        return Step::kDone;
      }
      if (found.status != ExpressionStatus::kOk) { return step_of(found.status); }
      if (rule.kind == Kind::kExpression) {
        value = found.value;
        return Step::kDone;
      }
      slot = found.value;
      break;
    }
  }
  return memory.read_u64(slot, value) ? Step::kDone : Step::kNoMemory;
}

}  // namespace

Step full_step(const StepInput& in, const elf::FrameRow& row, uint64_t load_bias, Cursor& cursor) {
  using Kind = RegisterRule::Kind;
  if (row.return_register >= row.registers.size()) { return Step::kImplausible; }
  const RegisterRule& return_rule = row.registers[row.return_register];
  if (return_rule.kind == Kind::kUndefined) { return Step::kRoot; }

  const Arch arch = in.arch;
  StackMemory& memory = in.memory;
  const Registers& regs = cursor.regs;
  RegisterNumbers numbers = register_numbers(arch);
  FrameInput input(regs, memory, load_bias);
  uint64_t cfa = 0, pc = 0, pc_slot = 0;
  Step step = find_cfa(row.cfa, regs, input, cfa);
  if (step != Step::kDone) { return step; }

  bool known = false;
  step = apply(return_rule, cfa, regs, input, memory, known, pc, pc_slot);
  if (step != Step::kDone) { return step; }
  if (!known) {
    // On aarch64 the return address may still be in the link register, whose value is known in frames that made no call.
    bool in_lr = arch == Arch::kAarch64 && (return_rule.kind == Kind::kUnspecified || return_rule.kind == Kind::kSame) &&
                 regs.has(row.return_register);
    if (!in_lr) { return Step::kNoRegister; }
    pc = regs.value[row.return_register];
  }

  // Values below the stack pointer have been popped, see compact_rule().
  bool from_sp = row.cfa.kind == CfaRule::Kind::kRegister && row.cfa.reg() == numbers.sp;
  Registers caller;
  for (unsigned reg = 0; reg < Registers::kCount; ++reg) {
    if (reg == numbers.pc) { continue; }
    const RegisterRule& rule = row.registers[reg];
    if (rule.kind == Kind::kUnspecified && reg == numbers.sp) {
      caller.set(reg, cfa);
      continue;
    }
    uint64_t value = 0, slot = 0;
    bool popped = from_sp && rule.kind == Kind::kAtCfa && cfa + static_cast<uint64_t>(rule.offset) < regs.value[numbers.sp];
    if (!popped) {
      step = apply(rule, cfa, regs, input, memory, known, value, slot);
      popped = step == Step::kNoMemory && cursor.exact && slot != 0 && regs.value[numbers.sp] - slot - 1 < kMostPopped;
    }
    if (popped) {
      if (regs.has(reg)) { caller.set(reg, regs.value[reg]); }
      continue;
    }
    if (step != Step::kDone) { return step; }
    bool unchanged =
        rule.kind == Kind::kSame || (rule.kind == Kind::kUnspecified && (row.signal_frame || is_callee_saved(arch, reg)));
    if (known) {
      caller.set(reg, value);
    } else if (unchanged && regs.has(reg)) {
      caller.set(reg, regs.value[reg]);
    }
  }
  // The caller's call has overwritten its link register.
  if (arch == Arch::kAarch64 && !row.signal_frame) { caller.forget(arm::kLr); }
  caller.set(numbers.pc, in.strip(pc));
  if (!caller.has(numbers.sp)) { return Step::kNoRegister; }
  cursor = {caller, pc_slot, row.signal_frame};
  // A pc of 0 is a call of a null pointer if it was interrupted there, and the root if it is a return address.
  return pc == 0 && !row.signal_frame ? Step::kRoot : Step::kDone;
}

}  // namespace wick
