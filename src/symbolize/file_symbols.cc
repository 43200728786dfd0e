// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Names of one ELF file from its symbol tables, and from those of its separate debug file where one is installed. A chain has one
// function here; inlined ones and lines come from DWARF.

#include <optional>

#include "elf/symbols.h"
#include "module/debug_file.h"
#include "symbolize/symbolizer.h"

namespace wick {
namespace {

class ElfSymbols : public FileSymbols {
 public:
  explicit ElfSymbols(const LoadedModule& module) {
    if (!module.image) { return; }
    // A file with a table of its own has all that its debug file has.
    bool whole = module.image->find_section(".symtab") != nullptr;
    if (!whole && module.kind == LoadedModule::Kind::kFile) { debug_ = find_debug_file(*module.image, module.path); }
    if (debug_) {
      table_.emplace(*module.image, debug_->image);
    } else {
      table_.emplace(*module.image);
    }
  }

  std::vector<SymbolizedFrame> find(uint64_t svma) const override {
    std::vector<SymbolizedFrame> chain;
    if (!table_) { return chain; }
    if (std::optional<elf::SymbolRange> symbol = table_->find(svma)) { chain.push_back({std::string(symbol->name), "", 0, 0}); }
    return chain;
  }

  bool has_symbols() const override { return table_ && table_->size() > 0; }

 private:
  std::optional<DebugFile> debug_;
  std::optional<elf::SymbolTable> table_;
};

}  // namespace

std::unique_ptr<FileSymbols> load_file_symbols(const LoadedModule& module) { return std::make_unique<ElfSymbols>(module); }

}  // namespace wick
