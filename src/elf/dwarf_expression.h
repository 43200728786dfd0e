// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// DWARF expressions in call frame information: a stack machine over 64-bit words. Rejects location descriptions that only make
// sense for variables (pieces, frame bases, entry values).

#include <cstdint>
#include <optional>

#include "base/fd.h"

namespace wick::elf {

// Register and memory access of an expression. Both reads may fail.
class ExpressionInput {
 public:
  virtual ~ExpressionInput() = default;
  virtual bool register_value(uint64_t reg, uint64_t& value) = 0;
  virtual bool memory(uint64_t address, unsigned size, uint64_t& value) = 0;
  // Adding this to a linked address (DW_OP_addr) gives the mapped one.
  virtual uint64_t load_bias() const { return 0; }
};

enum class ExpressionStatus : uint8_t { kOk, kNoRegister, kNoMemory, kMalformed };

struct ExpressionValue {
  ExpressionStatus status = ExpressionStatus::kMalformed;
  uint64_t value = 0;
};

// Pushes `initial` first: the CFA, for a register rule. A fixed limit on operations ends malicious loops.
ExpressionValue evaluate_expression(Bytes expression, ExpressionInput& input, std::optional<uint64_t> initial);

}  // namespace wick::elf
