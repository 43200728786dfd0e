// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "symbolize/symbolizer.h"

namespace wick {

// The functions in the text of /proc/kallsyms: "address type name [module]" a line. Kept small: 16 bytes and the name a function.
class KernelSymbols : public FileSymbols {
 public:
  // Fails when there is no function in it, or all addresses are zero (hidden by kptr_restrict).
  static Result<std::unique_ptr<KernelSymbols>> parse(std::string_view text);

  // Functions of modules are "name [module]".
  using FileSymbols::find;
  void find(uint64_t address, std::vector<SymbolizedFrame>& chain) const override;
  bool has_symbols() const override { return true; }
  size_t size() const { return functions_.size(); }

 private:
  // A row without a name ends the one before: data, or the end of the code.
  struct Row {
    uint64_t address;
    uint32_t name;
  };
  static constexpr uint32_t kNoName = UINT32_MAX;
  std::vector<Row> functions_;
  std::string names_;
};

}  // namespace wick
