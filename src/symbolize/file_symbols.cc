// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Names of one ELF file: chains of inlined functions and lines from its debug information, the outermost name from its symbol
// table, each from its separate debug file where that is installed. The symbol table goes before the debug information because it
// has the mangled names of functions that gcc writes plainly (in anonymous namespaces), and the kind of a clone.

#include <optional>

#include "elf/symbols.h"
#include "symbolize/debug_index.h"
#include "symbolize/symbolizer.h"

namespace wick {
namespace {

bool has_debug_info(const elf::Image& image) {
  return image.find_section(".debug_info") != nullptr || image.find_section(".zdebug_info") != nullptr;
}

class ElfSymbols : public FileSymbols {
 public:
  ElfSymbols(const LoadedModule& module, const SymbolSources& sources, const SymbolLoad& how) {
    if (!module.image) { return; }
    const elf::Image& image = *module.image;
    bool has_table = image.find_section(".symtab") != nullptr, has_info = has_debug_info(image);
    if (!(has_table && has_info) && module.kind == LoadedModule::Kind::kFile) {
      debug_ = find_debug_file(image, module.path, sources.debug);
    }
    if (debug_ && !has_table) {
      table_.emplace(image, debug_->image);
    } else {
      table_.emplace(image);
    }
    bool separate = debug_ && !has_info;
    index_ = DebugIndex::load(image, separate ? debug_->image : image, separate ? debug_->path : module.path, sources, how);
  }

  Place place(uint64_t svma) const override {
    Place out;
    const elf::SymbolIndex* whole = index_ ? index_->whole() : nullptr;
    if (index_ && whole == nullptr) { return out; }
    if (whole != nullptr) {
      elf::SymbolIndex::Place found = whole->find_place(svma);
      out = {found.segment, found.line, UINT32_MAX};
    }
    if (table_) { out.symbol = table_->find_row(svma); }
    return out;
  }

  using FileSymbols::find;
  void find(uint64_t svma, std::vector<SymbolizedFrame>& chain) const override {
    chain.clear();
    if (index_) { index_->find(svma, chain); }
    uint32_t symbol = table_ ? table_->find_row(svma) : elf::SymbolTable::kNothing;
    if (symbol == elf::SymbolTable::kNothing) { return; }
    if (chain.empty()) { chain.emplace_back(); }
    chain.back().function = table_->at(symbol).name;
    if (chain.back().file.empty()) { chain.back().file = table_->file_at(symbol); }
  }

  bool has_symbols() const override { return (table_ && table_->size() > 0) || (index_ && !index_->empty()); }

 private:
  std::optional<DebugFile> debug_;
  std::optional<elf::SymbolTable> table_;
  std::unique_ptr<DebugIndex> index_;
};

}  // namespace

std::unique_ptr<FileSymbols> load_file_symbols(const LoadedModule& module, const SymbolSources& sources, const SymbolLoad& how) {
  return std::make_unique<ElfSymbols>(module, sources, how);
}

}  // namespace wick
