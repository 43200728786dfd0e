// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "os/bpf_code.h"
#include "symbolize/symbolizer.h"

namespace wick {

// The functions of /proc/kallsyms, whose lines are "address type name [module]". Compact: 16 bytes and the name per function.
class KernelSymbols : public FileSymbols {
 public:
  // Fails if the text has no function or all addresses are zero (hidden by kptr_restrict).
  // `bpf`: the code of BPF programs. Others get no symbol, since the text does not give their end.
  static Result<std::unique_ptr<KernelSymbols>> parse(std::string_view text, std::span<const CodeRange> bpf = {});
  static Result<std::unique_ptr<KernelSymbols>> read();  // of the running kernel, from /proc/kallsyms

  // The part that stays the same until reboot: the kernel's own functions, without modules and BPF programs. Empty if the table
  // does not mark their end.
  std::vector<Bytes> core_parts(std::string& header, std::string& rows) const;
  // The running kernel's functions from core_parts(); the first lookup elsewhere reads the rest.
  static Result<std::unique_ptr<KernelSymbols>> parse_core(Bytes bytes);
  uint64_t core_begin() const { return core_begin_; }  // _stext; 0: unknown
  elf::AddressRange core() const { return {core_begin_, core_end_}; }
  bool is_core(uint64_t address) const { return address >= core_begin_ && address < core_end_; }

  // Functions of modules are "name [module]".
  using FileSymbols::find;
  void find(uint64_t address, std::vector<SymbolizedFrame>& chain) const override;
  bool has_symbols() const override { return true; }
  // To the next symbol: kallsyms has no sizes.
  std::optional<elf::AddressRange> function_range(uint64_t address) const override;
  size_t size() const { return functions_.size(); }

 private:
  // A row without a name ends the previous function: data, or the end of the code.
  struct Row {
    uint64_t address;
    uint32_t name;
  };
  static constexpr uint32_t kNoName = UINT32_MAX;
  const KernelSymbols* table_for(uint64_t address) const;  // null: cannot be read
  const Row* find_row(uint64_t address) const;             // the function's; null: none
  std::vector<Row> functions_;
  uint64_t core_begin_ = 0, core_end_ = 0;
  std::string names_;
  bool is_partial_ = false;  // contains only the core
  mutable std::once_flag rest_read_;
  mutable std::unique_ptr<KernelSymbols> rest_;
};

// A symbol's address in the text of kallsyms; not found if addresses are hidden.
std::optional<uint64_t> find_kernel_symbol(std::string_view text, std::string_view symbol);
// Of the running kernel. Fast for symbols at its start, such as _stext: it formats the table while that is read.
std::optional<uint64_t> load_kernel_symbol(std::string_view symbol);

}  // namespace wick
