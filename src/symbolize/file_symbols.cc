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

class ElfSymbols : public FileSymbols {
 public:
  ElfSymbols(const LoadedModule& module, const SymbolSources& sources) {
    if (!module.image) { return; }
    const elf::Image& image = *module.image;
    bool has_table = has_symbol_table(image), has_info = has_debug_info(image);
    if (!(has_table && has_info) && module.kind == LoadedModule::Kind::kFile) {
      debug_ = find_debug_file(image, module.path, sources.debug);
    }
    if (debug_ && !has_table) {
      table_.emplace(image, debug_->image);
    } else {
      table_.emplace(image);
    }
    bool separate = debug_ && !has_info;
    index_ = DebugIndex::load(image, separate ? debug_->image : image, separate ? debug_->path : module.path, sources);
  }

  Place place(uint64_t svma) const override {
    Place out;
    if (index_) {
      elf::SymbolIndex::Place found = index_->index().find_place(svma);
      out = {found.node, found.line, UINT32_MAX};
    }
    if (table_) { out.symbol = table_->find_row(svma); }
    return out;
  }

  SymbolizedFrame line_of(const Place& at) const override {
    return index_ ? index_->index().read_line({at.node, at.line}) : SymbolizedFrame();
  }

  using FileSymbols::find;
  void find(uint64_t svma, std::vector<SymbolizedFrame>& chain) const override {
    Place at = place(svma);
    chain.clear();
    if (index_) { index_->index().read_chain({at.node, at.line}, chain); }
    if (at.symbol == elf::SymbolTable::kNothing) { return; }
    if (chain.empty()) { chain.emplace_back(); }
    chain.back().function = table_->at(at.symbol).name;
    if (chain.back().file.empty()) { chain.back().file = table_->file_at(at.symbol); }
  }

  bool has_symbols() const override { return (table_ && table_->size() > 0) || (index_ && !index_->index().empty()); }

 private:
  std::optional<DebugFile> debug_;
  std::optional<elf::SymbolTable> table_;
  std::unique_ptr<DebugIndex> index_;
};

}  // namespace

std::unique_ptr<FileSymbols> load_file_symbols(const LoadedModule& module, const SymbolSources& sources) {
  return std::make_unique<ElfSymbols>(module, sources);
}

}  // namespace wick
