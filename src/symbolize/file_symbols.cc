// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Names of one ELF file: chains of inlined functions and lines from its debug information, the outermost name from its symbol
// table, each from its separate debug file where that is installed. The symbol table goes before the debug information because it
// has the mangled names of functions that gcc writes plainly (in anonymous namespaces), and the kind of a clone. Where there is
// no debug information, Go programs have a table of their own, also when they are stripped.

#include <optional>

#include "elf/go_pclntab.h"
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
    go_ = elf::GoTable::find(image);
  }

  Place place(uint64_t svma) const override {
    Place out = place_in_tables(svma);
    std::vector<SymbolizedFrame> chain;
    if (go_) { read_debug_info(out, chain); }
    return is_for_go(chain) ? Place() : out;  // what the Go table says may differ from address to address
  }

  SymbolizedFrame line_of(const Place& at) const override {
    return index_ ? index_->index().read_line({at.node, at.line}) : SymbolizedFrame();
  }

  using FileSymbols::find;
  void find(uint64_t svma, std::vector<SymbolizedFrame>& chain) const override {
    Place at = place_in_tables(svma);
    read_debug_info(at, chain);
    if (is_for_go(chain)) {
      std::vector<SymbolizedFrame> found;
      go_->find(svma, found);
      if (!found.empty()) { return chain.swap(found); }
    }
    if (at.symbol == elf::SymbolTable::kNothing) { return; }
    if (chain.empty()) { chain.emplace_back(); }
    chain.back().function = table_->at(at.symbol).name;
    if (chain.back().file.empty()) { chain.back().file = table_->file_at(at.symbol); }
  }

  bool has_symbols() const override { return go_ || (table_ && table_->size() > 0) || (index_ && !index_->index().empty()); }

 private:
  Place place_in_tables(uint64_t svma) const {
    Place out;
    if (index_) {
      elf::SymbolIndex::Place found = index_->index().find_place(svma);
      out = {found.node, found.line, UINT32_MAX};
    }
    if (table_) { out.symbol = table_->find_row(svma); }
    return out;
  }
  void read_debug_info(const Place& at, std::vector<SymbolizedFrame>& chain) const {
    chain.clear();
    if (index_) { index_->index().read_chain({at.node, at.line}, chain); }
  }
  // Whether the debug information leaves something to tell (parts in C may have it and those in Go not).
  bool is_for_go(const std::vector<SymbolizedFrame>& chain) const {
    return go_ && (chain.empty() || chain.back().function.empty() || chain.front().line == 0);
  }

  std::optional<DebugFile> debug_;
  std::optional<elf::SymbolTable> table_;
  std::unique_ptr<DebugIndex> index_;
  std::optional<elf::GoTable> go_;
};

}  // namespace

std::unique_ptr<FileSymbols> load_file_symbols(const LoadedModule& module, const SymbolSources& sources) {
  return std::make_unique<ElfSymbols>(module, sources);
}

}  // namespace wick
