// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Address in a module -> the functions there (innermost first), as linkage names. Part of a name that people see (demangling)
// is in symbolize/demangle.h.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "module/module.h"

namespace wick {

struct SymbolizedFrame {
  std::string function, file;
  uint32_t line = 0, column = 0;
};

// Names for addresses of one file. Built once per file, then constant: any thread may ask.
class FileSymbols {
 public:
  virtual ~FileSymbols() = default;
  // Innermost first; empty when nothing is known of the address.
  virtual std::vector<SymbolizedFrame> find(uint64_t svma) const = 0;
  // For the quality line: does the file have any symbols / debug info?
  virtual bool has_symbols() const = 0;
};

std::unique_ptr<FileSymbols> load_file_symbols(const LoadedModule& module);
// The running kernel's, from /proc/kallsyms; fails when addresses are hidden (kptr_restrict).
Result<std::unique_ptr<FileSymbols>> load_kernel_symbols();

}  // namespace wick
