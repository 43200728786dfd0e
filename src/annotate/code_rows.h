// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Source and instructions of a function in one order, for the terminal and the viewer: its source lines, and below each line its
// instructions and the functions inlined there, which have their lines below them. Compilers mix the instructions of several
// lines; each is below the line it was made for, and its address shows the real order.

#include <cstdint>
#include <vector>

#include "annotate/function_code.h"

namespace wick {

struct CodeRow {
  enum class Kind : uint8_t {
    kFile,     // the file of the rows below
    kLine,     // a source line
    kInlined,  // the start of an inlined function
    kInstruction,
    kGap,  // lines are left out
  };

  Kind kind = Kind::kLine;
  uint32_t depth = 0;                 // how many inlined functions it is in
  uint32_t line = 0;                  // kLine, 0: unknown
  uint32_t instruction = 0;           // kInstruction: an index; kInlined: the first one of it
  uint32_t end = 0;                   // index of the row behind all that belongs to this one
  const std::string* file = nullptr;  // kFile, kLine, kInlined: of the line, of the inlined function
  const std::string* text = nullptr;  // kLine: null if the source was not found; kInlined: the name
};

// Refers to `code`, which must outlive the rows.
std::vector<CodeRow> compute_code_rows(const FunctionCode& code);

}  // namespace wick
