// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
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
  static Result<std::unique_ptr<KernelSymbols>> read();  // those of the running kernel, from /proc/kallsyms

  // What does not change before the next boot: the kernel's own functions, not those of modules and of BPF programs. Empty when
  // the table does not say where they end.
  std::vector<Bytes> core_parts(std::string& header, std::string& rows) const;
  // Those of the running kernel, as core_parts() had them; what lies elsewhere is read when it is first asked for.
  static Result<std::unique_ptr<KernelSymbols>> parse_core(Bytes bytes);
  uint64_t core_begin() const { return core_begin_; }  // _stext; 0: not known
  bool is_core(uint64_t address) const { return address >= core_begin_ && address < core_end_; }

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
  uint64_t core_begin_ = 0, core_end_ = 0;
  std::string names_;
  bool is_partial_ = false;  // has the core alone
  mutable std::once_flag rest_read_;
  mutable std::unique_ptr<KernelSymbols> rest_;
};

}  // namespace wick
