// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Some code has no unwind tables: the compiler's startup and exit code, system calls that create threads, assembly. There, the
// instructions from the start of the function determine the stack layout if all paths to an instruction agree.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/fd.h"

namespace wick::elf {

struct CodeRow {
  enum class FramePointer : uint8_t { kSame, kSaved, kLost };

  bool by_fp = false;  // `distance` is from the frame pointer to the CFA, else from the stack pointer
  int64_t distance = 0;
  FramePointer fp = FramePointer::kSame;
  int64_t saved_at = 0;            // kSaved: offset of the caller's value from the CFA
  bool after_system_call = false;  // a new thread may start here, on another stack

  friend bool operator==(const CodeRow&, const CodeRow&) = default;
};

inline constexpr size_t kMostCode = 2048;

// For x86_64 code that starts at a function's first instruction: a row at each instruction where all paths have the same stack
// layout. A call that ends at `end` does not return, since no code of the function follows. Empty if an instruction is unknown.
// The time is linear in `code`, of which at most kMostCode bytes are read.
std::vector<std::optional<CodeRow>> find_code_rows(Bytes code, size_t end);

// Finds where straight-line x86_64 code from a function's first instruction to `at` loads the stack pointer with an unrelated
// value, as functions do that switch stacks.
struct StackSwitch {
  size_t at = 0;       // the instruction
  int64_t pushed = 0;  // bytes between that instruction and `at`
};
std::optional<StackSwitch> find_stack_switch(Bytes code, size_t at);

}  // namespace wick::elf
