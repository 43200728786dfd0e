// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/code_row.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace wick::elf {
namespace {

constexpr unsigned kRsp = 4, kRbp = 5;
constexpr int64_t kMostDistance = 1 << 20;

enum class Effect : uint8_t {
  kUnknown,  // may do anything
  kNone,     // no effect on the stack or its registers
  kMoveSp,   // moves the stack pointer by `amount`
  kLoseSp,   // changes the stack pointer in an untracked way
  kPushFp,
  kPopFp,
  kLoseFp,
  kFpFromSp,  // sets the frame pointer to the stack pointer plus `amount`
  kSpFromFp,
  kLeave,
  kCall,
  kSystemCall,
  kJump,  // jumps by `amount` from the next instruction
  kBranch,
  kEnd,  // ends this path: returns, or jumps through a register
};

struct Instruction {
  Effect effect = Effect::kUnknown;
  size_t length = 0;
  int64_t amount = 0;
};

// Decodes one x86_64 instruction. Where the difference is not worth the effort, it treats a register that is only read as
// written; that loses a row but never makes one wrong.
class Decoder {
 public:
  explicit Decoder(Bytes code) : code_(code) {}

  Instruction decode() {
    Instruction out;
    out.effect = run(out.amount);
    out.length = at_;
    return bad_ ? Instruction() : out;
  }

 private:
  uint8_t next() {
    if (at_ >= code_.size() || at_ >= 15) {
      bad_ = true;
      return 0;
    }
    return code_[at_++];
  }
  int64_t number(unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) { value |= uint64_t{next()} << (8 * i); }
    unsigned shift = 64 - 8 * bytes;
    return static_cast<int64_t>(value << shift) >> shift;
  }
  int64_t immediate() { return number(narrow_ ? 2 : 4); }

  void read_operands() {
    uint8_t byte = next();
    mode_ = byte >> 6;
    reg_field_ = (byte >> 3) & 7;
    reg_ = reg_field_ | (rex_ & 4) << 1;
    rm_ = (byte & 7) | (rex_ & 1) << 3;
    base_ = rm_;
    displacement_ = 0;
    if (mode_ == 3) { return; }
    bool wide = mode_ == 2;
    if ((byte & 7) == 4) {
      uint8_t scaled = next();
      base_ = (scaled & 7) | (rex_ & 1) << 3;
      is_plain_ = (scaled >> 3 & 7) == 4 && (rex_ & 2) == 0;  // no index
      wide = wide || (mode_ == 0 && (scaled & 7) == 5);
    } else {
      is_plain_ = true;
      wide = wide || (mode_ == 0 && (byte & 7) == 5);
    }
    if (wide) {
      displacement_ = number(4);
    } else if (mode_ == 1) {
      displacement_ = number(1);
    }
  }

  // The effect of writing the register.
  static Effect write(unsigned reg) { return reg == kRsp ? Effect::kLoseSp : reg == kRbp ? Effect::kLoseFp : Effect::kNone; }
  Effect write_rm() const { return mode_ == 3 ? write(rm_) : Effect::kNone; }
  Effect write_both() const {
    Effect first = write_rm(), second = write(reg_);
    return first == Effect::kNone ? second : second == Effect::kNone ? first : Effect::kUnknown;
  }

  Effect run(int64_t& amount) {
    for (;;) {
      uint8_t byte = next();
      if (bad_) { return Effect::kUnknown; }
      switch (byte) {
        case 0x66: narrow_ = true; continue;
        case 0x2e:
        case 0x36:
        case 0x3e:
        case 0x26:
        case 0x64:
        case 0x65: continue;
        case 0xf2:
        case 0xf3: continue;
        default: break;
      }
      if ((byte & 0xf0) == 0x40) {
        rex_ = byte;
        byte = next();
      }
      if (byte == 0x0f) { return run_long(amount); }
      if (byte == 0xc4 || byte == 0xc5 || byte == 0x62) { return Effect::kUnknown; }
      return run_short(byte, amount);
    }
  }

  Effect run_short(uint8_t op, int64_t& amount) {
    const bool wide = (rex_ & 8) != 0;
    if (op < 0x40) {
      bool compares = (op & 0x38) == 0x38;
      switch (op & 7) {
        case 0:
        case 1: read_operands(); return compares ? Effect::kNone : write_rm();
        case 2:
        case 3: read_operands(); return compares ? Effect::kNone : write(reg_);
        case 4: number(1); return Effect::kNone;
        case 5: immediate(); return Effect::kNone;
        default: return Effect::kUnknown;
      }
    }
    if (op >= 0x50 && op < 0x60) {
      if (narrow_) { return Effect::kUnknown; }
      unsigned reg = (op & 7) | (rex_ & 1) << 3;
      bool pushes = op < 0x58;
      amount = pushes ? -8 : 8;
      if (reg == kRbp) { return pushes ? Effect::kPushFp : Effect::kPopFp; }
      return !pushes && reg == kRsp ? Effect::kUnknown : Effect::kMoveSp;
    }
    if (op >= 0x70 && op < 0x80) {
      amount = number(1);
      return Effect::kBranch;
    }
    if (op >= 0xb0 && op < 0xc0) {
      if (op < 0xb8) {
        number(1);
      } else {
        wide ? number(8) : immediate();
      }
      return write((op & 7) | (rex_ & 1) << 3);
    }
    switch (op) {
      case 0x63: read_operands(); return write(reg_);
      case 0x68:
        amount = -8;
        immediate();
        return narrow_ ? Effect::kUnknown : Effect::kMoveSp;
      case 0x6a:
        amount = -8;
        number(1);
        return Effect::kMoveSp;
      case 0x69:
        read_operands();
        immediate();
        return write(reg_);
      case 0x6b:
        read_operands();
        number(1);
        return write(reg_);
      case 0x80:
        read_operands();
        number(1);
        return reg_field_ == 7 ? Effect::kNone : write_rm();
      case 0x81:
      case 0x83: {
        read_operands();
        int64_t value = op == 0x81 ? immediate() : number(1);
        if (reg_field_ == 7) { return Effect::kNone; }
        if (wide && mode_ == 3 && rm_ == kRsp && (reg_field_ == 0 || reg_field_ == 5)) {
          amount = reg_field_ == 0 ? value : -value;
          return Effect::kMoveSp;
        }
        return write_rm();
      }
      case 0x84:
      case 0x85: read_operands(); return Effect::kNone;
      case 0x86:
      case 0x87: read_operands(); return write_both();
      case 0x88: read_operands(); return write_rm();
      case 0x89:
      case 0x8b: {
        read_operands();
        unsigned to = op == 0x89 ? rm_ : reg_, from = op == 0x89 ? reg_ : rm_;
        if (wide && mode_ == 3 && to == kRbp && from == kRsp) { return Effect::kFpFromSp; }
        if (wide && mode_ == 3 && to == kRsp && from == kRbp) { return Effect::kSpFromFp; }
        return op == 0x89 ? write_rm() : write(reg_);
      }
      case 0x8a: read_operands(); return write(reg_);
      case 0x8d:
        read_operands();
        if (mode_ == 3) { return Effect::kUnknown; }
        if (wide && mode_ != 0 && is_plain_ && base_ == kRsp && (reg_ == kRsp || reg_ == kRbp)) {
          amount = displacement_;
          return reg_ == kRsp ? Effect::kMoveSp : Effect::kFpFromSp;
        }
        return write(reg_);
      case 0x90:
      case 0x98:
      case 0x99: return rex_ & 1 ? Effect::kUnknown : Effect::kNone;
      case 0x91:
      case 0x92:
      case 0x93:
      case 0x96:
      case 0x97: return Effect::kNone;
      case 0x94:
      case 0x95: return (rex_ & 1) != 0 ? Effect::kNone : Effect::kUnknown;
      case 0x9c:
      case 0x9d: amount = op == 0x9c ? -8 : 8; return narrow_ ? Effect::kUnknown : Effect::kMoveSp;
      case 0xa4:
      case 0xa5:
      case 0xa6:
      case 0xa7:
      case 0xaa:
      case 0xab:
      case 0xac:
      case 0xad:
      case 0xae:
      case 0xaf: return Effect::kNone;
      case 0xa8: number(1); return Effect::kNone;
      case 0xa9: immediate(); return Effect::kNone;
      case 0xc0:
      case 0xc1:
        read_operands();
        number(1);
        return write_rm();
      case 0xc2:
      case 0xc3:
      case 0xcc:
      case 0xf4: return Effect::kEnd;
      case 0xc6:
        read_operands();
        number(1);
        return reg_field_ == 0 ? write_rm() : Effect::kUnknown;
      case 0xc7:
        read_operands();
        immediate();
        return reg_field_ == 0 ? write_rm() : Effect::kUnknown;
      case 0xc9: return Effect::kLeave;
      case 0xd0:
      case 0xd1:
      case 0xd2:
      case 0xd3: read_operands(); return write_rm();
      case 0xd8:
      case 0xd9:
      case 0xda:
      case 0xdb:
      case 0xdc:
      case 0xdd:
      case 0xde:
      case 0xdf: read_operands(); return Effect::kNone;
      case 0xe8: number(4); return Effect::kCall;
      case 0xe9: amount = number(4); return Effect::kJump;
      case 0xeb: amount = number(1); return Effect::kJump;
      case 0xe0:
      case 0xe1:
      case 0xe2:
      case 0xe3: amount = number(1); return Effect::kBranch;
      case 0xf6:
      case 0xf7: {
        read_operands();
        bool tests = reg_field_ < 2;
        if (tests) { op == 0xf6 ? number(1) : immediate(); }
        return reg_field_ == 2 || reg_field_ == 3 ? write_rm() : Effect::kNone;
      }
      case 0xfe: read_operands(); return reg_field_ < 2 ? write_rm() : Effect::kUnknown;
      case 0xff:
        read_operands();
        switch (reg_field_) {
          case 0:
          case 1: return write_rm();
          case 2: return Effect::kCall;
          case 4: return Effect::kEnd;
          case 6: amount = -8; return narrow_ ? Effect::kUnknown : Effect::kMoveSp;
          default: return Effect::kUnknown;
        }
      default: return Effect::kUnknown;
    }
  }

  Effect run_long(int64_t& amount) {
    uint8_t op = next();
    if (op == 0x38 || op == 0x3a) {
      next();
      read_operands();
      if (op == 0x3a) { number(1); }
      return write_both();  // mostly vector instructions
    }
    if (op >= 0x80 && op < 0x90) {
      amount = number(4);
      return Effect::kBranch;
    }
    bool of_vectors = (op >= 0x10 && op < 0x18) || (op >= 0x28 && op < 0x30) || (op >= 0x51 && op < 0x77) || op >= 0xd0;
    if (of_vectors) {
      read_operands();
      if (op >= 0x70 && op <= 0x73) { number(1); }
      bool to_register = op == 0x2c || op == 0x2d || op == 0xd7;
      return to_register ? write(reg_) : Effect::kNone;
    }
    if (op >= 0x40 && op < 0x50) {
      read_operands();
      return write(reg_);
    }
    if (op >= 0x90 && op < 0xa0) {
      read_operands();
      return write_rm();
    }
    switch (op) {
      case 0x01: read_operands(); return Effect::kNone;  // system instructions, including shadow stacks
      case 0x05: return Effect::kSystemCall;
      case 0x0b: return Effect::kEnd;
      case 0x18:
      case 0x1e:
      case 0x1f:
      case 0x0d:
      case 0x19:
      case 0x1a:
      case 0x1b:
      case 0x1c:
      case 0x1d: read_operands(); return write_rm();
      case 0x31:
      case 0xa2: return Effect::kNone;
      case 0x50: read_operands(); return write(reg_);
      case 0x7e: read_operands(); return write_rm();
      case 0x7f: read_operands(); return Effect::kNone;
      case 0xa3: read_operands(); return Effect::kNone;
      case 0xab:
      case 0xb3:
      case 0xbb: read_operands(); return write_rm();
      case 0xa4:
      case 0xac:
        read_operands();
        number(1);
        return write_rm();
      case 0xa5:
      case 0xad: read_operands(); return write_rm();
      case 0xae: read_operands(); return write_rm();
      case 0xaf:
      case 0xb6:
      case 0xb7:
      case 0xb8:
      case 0xbc:
      case 0xbd:
      case 0xbe:
      case 0xbf: read_operands(); return write(reg_);
      case 0xb0:
      case 0xb1: read_operands(); return write_rm();
      case 0xba:
        read_operands();
        number(1);
        return write_rm();
      case 0xc0:
      case 0xc1: read_operands(); return write_both();
      case 0xc2:
      case 0xc4:
      case 0xc6:
        read_operands();
        number(1);
        return Effect::kNone;
      case 0xc5:
        read_operands();
        number(1);
        return write(reg_);
      case 0xc3: read_operands(); return Effect::kNone;
      case 0xc8:
      case 0xc9:
      case 0xca:
      case 0xcb:
      case 0xcc:
      case 0xcd:
      case 0xce:
      case 0xcf: return write((op & 7) | (rex_ & 1) << 3);
      default: return Effect::kUnknown;
    }
  }

  Bytes code_;
  size_t at_ = 0;
  bool bad_ = false, narrow_ = false, is_plain_ = false;
  unsigned rex_ = 0, mode_ = 0, reg_field_ = 0, reg_ = 0, rm_ = 0, base_ = 0;
  int64_t displacement_ = 0;
};

// Distances from the stack pointer or frame pointer up to the CFA.
struct State {
  bool is_reached = false;
  bool is_lost = false;  // paths to it differ, or the state is unknown
  bool knows_sp = true, knows_fp = false, has_saved = false, keeps_fp = true, after_system_call = false;
  int64_t sp = 8, fp = 0, saved_at = 0;

  friend bool operator==(const State&, const State&) = default;
};

constexpr State kLost{.is_reached = true, .is_lost = true};

void apply(const Instruction& it, State& state) {
  switch (it.effect) {
    case Effect::kMoveSp: state.sp -= it.amount; break;
    case Effect::kLoseSp: state.knows_sp = false; break;
    case Effect::kPushFp:
      state.sp += 8;
      if (state.knows_sp && state.keeps_fp && !state.has_saved) {
        state.has_saved = true;
        state.saved_at = -state.sp;
      }
      break;
    case Effect::kPopFp:
      state.knows_fp = false;
      state.keeps_fp = state.knows_sp && state.has_saved && state.saved_at == -state.sp;
      state.sp -= 8;
      break;
    case Effect::kLoseFp: state.knows_fp = state.keeps_fp = false; break;
    case Effect::kFpFromSp:
      state.knows_fp = state.knows_sp;
      state.fp = state.sp - it.amount;
      state.keeps_fp = false;
      break;
    case Effect::kSpFromFp:
      state.knows_sp = state.knows_fp;
      state.sp = state.fp;
      break;
    case Effect::kLeave:
      state.keeps_fp = state.knows_fp && state.has_saved && state.saved_at == -state.fp;
      state.knows_sp = state.knows_fp;
      state.sp = state.fp - 8;
      state.knows_fp = false;
      break;
    case Effect::kSystemCall: state.after_system_call = true; break;
    default: break;
  }
  // A value below the stack pointer is no longer saved.
  if (state.knows_sp && state.has_saved && -state.saved_at > state.sp) { state.has_saved = false; }
  // Normalize unknown values so that states compare equal.
  if (!state.knows_sp) { state.sp = 0; }
  if (!state.knows_fp) { state.fp = 0; }
  if (!state.has_saved) { state.saved_at = 0; }
  bool sane = !state.knows_sp || (state.sp >= 8 && state.sp <= kMostDistance);
  if (state.is_lost || !sane || !(state.knows_sp || state.knows_fp)) { state = kLost; }
}

// Merges `state` into the state of a reached instruction. Returns whether that changes it.
bool join(const State& state, State& there) {
  State before = there, other = state;
  other.after_system_call = there.after_system_call;  // merged below
  if (!there.is_reached) {
    there = state;
  } else if (other != there) {
    there = kLost;
  } else {
    there.after_system_call |= state.after_system_call;
  }
  return there != before;
}

CodeRow to_row(const State& state) {
  CodeRow row;
  row.by_fp = !state.knows_sp;
  row.distance = state.knows_sp ? state.sp : state.fp;
  row.after_system_call = state.after_system_call;
  if (state.keeps_fp) {
    row.fp = CodeRow::FramePointer::kSame;
  } else if (state.has_saved) {
    row.fp = CodeRow::FramePointer::kSaved;
    row.saved_at = state.saved_at;
  } else {
    row.fp = CodeRow::FramePointer::kLost;
  }
  return row;
}

}  // namespace

std::vector<std::optional<CodeRow>> find_code_rows(Bytes code, size_t end) {
  code = code.first(std::min(code.size(), kMostCode));
  if (code.empty()) { return {}; }
  std::vector<State> states(code.size());
  std::vector<size_t> open{0};
  states[0].is_reached = true;
  while (!open.empty()) {
    size_t from = open.back();
    open.pop_back();
    State state = states[from];
    Instruction it = Decoder(code.subspan(from)).decode();
    if (it.effect == Effect::kUnknown) { return {}; }  // it may branch anywhere
    apply(it, state);
    // Targets outside are tail calls of other functions.
    auto reach = [&](size_t to) {
      if (to < states.size() && join(state, states[to])) { open.push_back(to); }
    };
    size_t after = from + it.length, target = after + static_cast<size_t>(it.amount);
    bool jumps = it.effect == Effect::kJump || it.effect == Effect::kBranch;
    bool goes_on = it.effect != Effect::kJump && it.effect != Effect::kEnd && !(it.effect == Effect::kCall && after == end);
    if (jumps) { reach(target); }
    if (goes_on) { reach(after); }
  }
  std::vector<std::optional<CodeRow>> rows(states.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    if (states[i].is_reached && !states[i].is_lost) { rows[i] = to_row(states[i]); }
  }
  return rows;
}

std::optional<StackSwitch> find_stack_switch(Bytes code, size_t at) {
  code = code.first(std::min({code.size(), at, kMostCode}));
  if (code.size() != at) { return std::nullopt; }
  std::optional<StackSwitch> found;
  for (size_t from = 0; from < at;) {
    Instruction it = Decoder(code.subspan(from)).decode();
    switch (it.effect) {
      case Effect::kUnknown: return std::nullopt;
      case Effect::kLoseSp: found = StackSwitch{from, 0}; break;
      case Effect::kMoveSp:
        if (found) { found->pushed -= it.amount; }
        break;
      case Effect::kPushFp:
        if (found) { found->pushed += 8; }
        break;
      case Effect::kPopFp:
        if (found) { found->pushed -= 8; }
        break;
      case Effect::kSpFromFp:
      case Effect::kLeave:
      case Effect::kJump:
      case Effect::kEnd: found.reset(); break;  // the next instruction is reached by another path
      default: break;
    }
    from += it.length;
  }
  return found;
}

}  // namespace wick::elf
