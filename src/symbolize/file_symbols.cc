// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Symbols of one ELF file: inline chains and lines from its debug info, the outermost name from its symbol table, each from its
// separate debug file if installed. The symbol table takes precedence for names because it has the mangled names of functions
// that gcc's debug info names plainly (in anonymous namespaces), and the suffixes of clones. Without debug info, Go programs
// still have their own table, even when stripped.

#include <optional>
#include <thread>

#include "elf/go_pclntab.h"
#include "elf/symbols.h"
#include "symbolize/debug_index.h"
#include "symbolize/joinable_work.h"
#include "symbolize/symbolizer.h"

namespace wick {
namespace {

// A smaller file's symbol table is read in less time than a thread starts.
constexpr size_t kLargeFile = size_t{16} << 20;

class ElfSymbols : public FileSymbols {
 public:
  ElfSymbols(const LoadedModule& module, const SymbolSources& sources, const SymbolLoad& how) {
    if (!module.image) { return; }
    const elf::Image& image = *module.image;
    bool has_table = has_symbol_table(image), has_info = has_debug_info(image);
    if (!(has_table && has_info) && module.kind == LoadedModule::Kind::kFile) {
      debug_ = find_debug_file(image, module.path, sources.debug);
    }
    auto load_table = [&] {
      if (debug_ && !has_table) {
        table_.emplace(image, debug_->image);
      } else {
        table_.emplace(image);
      }
    };
    auto load_index = [&] {
      bool separate = debug_ && !has_info;
      index_ = DebugIndex::load(image, separate ? debug_->image : image, separate ? debug_->path : module.path, sources, how);
      go_ = elf::GoTable::find(image);
    };
    if (image.bytes().size() >= kLargeFile && !how.background && std::thread::hardware_concurrency() > 1) {
      run_together(load_index, load_table);
    } else {
      load_table();
      load_index();
    }
  }

  Place place(uint64_t svma) const override {
    if (is_lazy()) { return {}; }
    std::vector<SymbolizedFrame> chain;
    if (go_ && index_) { index_->find(svma, chain); }
    return is_for_go(chain) ? Place() : place_in_tables(svma);  // Go's table may give different frames for each address
  }

  bool is_lazy() const override { return index_ && index_->whole() == nullptr; }
  void prepare(std::span<const uint64_t> svmas) const override {
    if (is_lazy()) { index_->prepare(svmas); }
  }

  SymbolizedFrame line_of(const Place& at) const override {
    const elf::SymbolIndex* whole = index_ ? index_->whole() : nullptr;
    return whole != nullptr ? whole->read_line({at.node, at.line}) : SymbolizedFrame();
  }

  using FileSymbols::find;
  void find(uint64_t svma, std::vector<SymbolizedFrame>& chain) const override {
    chain.clear();
    if (index_) { index_->find(svma, chain); }
    if (is_for_go(chain)) {
      std::vector<SymbolizedFrame> found;
      go_->find(svma, found);
      if (!found.empty()) { return chain.swap(found); }
    }
    uint32_t symbol = table_ ? table_->find_row(svma) : elf::SymbolTable::kNothing;
    if (symbol == elf::SymbolTable::kNothing) { return; }
    if (chain.empty()) { chain.emplace_back(); }
    chain.back().function = table_->at(symbol).name;
    if (chain.back().file.empty()) { chain.back().file = table_->file_at(symbol); }
  }

  std::optional<elf::AddressRange> function_range(uint64_t svma) const override {
    std::optional<elf::SymbolRange> symbol = table_ ? table_->find(svma) : std::nullopt;
    return symbol ? std::optional(elf::AddressRange{symbol->start, symbol->end}) : std::nullopt;
  }

  bool has_symbols() const override { return go_ || (table_ && table_->size() > 0) || (index_ && !index_->empty()); }

 private:
  Place place_in_tables(uint64_t svma) const {
    Place out;
    if (const elf::SymbolIndex* whole = index_ ? index_->whole() : nullptr) {
      elf::SymbolIndex::Place found = whole->find_place(svma);
      out = {found.node, found.line, UINT32_MAX};
    }
    if (table_) { out.symbol = table_->find_row(svma); }
    return out;
  }
  // Whether the debug info is incomplete here (C parts of a program may have it and Go parts not).
  bool is_for_go(const std::vector<SymbolizedFrame>& chain) const {
    return go_ && (chain.empty() || chain.back().function.empty() || chain.front().line == 0);
  }

  std::optional<DebugFile> debug_;
  std::optional<elf::SymbolTable> table_;
  std::unique_ptr<DebugIndex> index_;
  std::optional<elf::GoTable> go_;
};

}  // namespace

std::unique_ptr<FileSymbols> load_file_symbols(const LoadedModule& module, const SymbolSources& sources, const SymbolLoad& how) {
  return std::make_unique<ElfSymbols>(module, sources, how);
}

}  // namespace wick
