// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// DWARF expressions as they appear in call frame information: a stack machine over 64-bit words. Location descriptions that
// only make sense for variables (pieces, frame bases, entry values) are refused.

#include <cstdint>
#include <optional>

#include "base/fd.h"

namespace wick::elf {

// What an expression may look at. Both reads may fail.
class ExpressionInput {
 public:
  virtual ~ExpressionInput() = default;
  virtual bool register_value(uint64_t reg, uint64_t& value) = 0;
  virtual bool memory(uint64_t address, unsigned size, uint64_t& value) = 0;
  // What to add to an address as linked (DW_OP_addr) to get it as mapped.
  virtual uint64_t load_bias() const { return 0; }
};

enum class ExpressionStatus : uint8_t { kOk, kNoRegister, kNoMemory, kMalformed };

struct ExpressionValue {
  ExpressionStatus status = ExpressionStatus::kMalformed;
  uint64_t value = 0;
};

// `initial` is pushed first: the CFA, for the rule of a register. A loop in a hostile expression ends after a fixed number of
// operations.
ExpressionValue evaluate_expression(Bytes expression, ExpressionInput& input, std::optional<uint64_t> initial);

}  // namespace wick::elf
