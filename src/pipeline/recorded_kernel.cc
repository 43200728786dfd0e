// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/recorded_kernel.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "base/fd.h"
#include "elf/symbols.h"
#include "symbolize/kernel_symbols.h"
#include "symbolize/vmlinux.h"

namespace wick {
namespace {

// Symbols, and the distance to the recorded addresses, modulo 2^64.
class MovedSymbols final : public FileSymbols {
 public:
  // `store` keeps `symbols` alive if they come from a file.
  MovedSymbols(std::unique_ptr<FileSymbols> symbols, uint64_t moved, std::unique_ptr<ModuleStore> store)
      : store_(std::move(store)), symbols_(std::move(symbols)), moved_(moved) {}
  void find(uint64_t address, std::vector<SymbolizedFrame>& chain) const override { symbols_->find(address - moved_, chain); }
  bool has_symbols() const override { return symbols_->has_symbols(); }

 private:
  std::unique_ptr<ModuleStore> store_;
  std::unique_ptr<FileSymbols> symbols_;
  uint64_t moved_;
};

std::unique_ptr<FileSymbols> load_copy(const PerfDataInfo& info, const RecordedKernel& kernel) {
  if (kernel.build_id_cache.empty() || kernel.build_id.empty() || info.kernel_symbol.empty()) { return nullptr; }
  Result<std::string> text =
      read_file(kernel.build_id_cache + "/[kernel.kallsyms]/" + kernel.build_id + "/kallsyms", size_t{512} << 20);
  if (!text.ok()) { return nullptr; }
  std::optional<uint64_t> there = find_kernel_symbol(*text, info.kernel_symbol);
  Result<std::unique_ptr<KernelSymbols>> symbols = KernelSymbols::parse(*text);
  if (!there || !symbols.ok()) { return nullptr; }
  return std::make_unique<MovedSymbols>(*std::move(symbols), info.kernel_address - *there, nullptr);
}

std::unique_ptr<FileSymbols> load_vmlinux(const PerfDataInfo& info, const RecordedKernel& kernel, const SymbolSources& sources) {
  if (kernel.build_id.empty() || info.kernel_symbol.empty()) { return nullptr; }
  KernelPlaces places;
  places.release = kernel.release.empty() ? "-" : kernel.release;
  for (const std::string& path : vmlinux_candidates(places, kernel.build_id, sources.debug)) {
    auto store = std::make_unique<ModuleStore>();
    const LoadedModule* file = store->load({0, path, 0, 0});
    if (!file->image || file->build_id != kernel.build_id) { continue; }
    std::optional<uint64_t> there = elf::find_symbol(*file->image, info.kernel_symbol);
    if (!there) { continue; }
    return std::make_unique<MovedSymbols>(load_file_symbols(*file, sources), info.kernel_address - *there, std::move(store));
  }
  return nullptr;
}

}  // namespace

bool is_running_kernel(const RecordedKernel& kernel, const PerfDataInfo& info) {
  if (!kernel.is_here || info.kernel_symbol.empty()) { return false; }
  if (!kernel.build_id.empty() && kernel.build_id != load_kernel_build_id()) { return false; }
  return load_kernel_symbol(info.kernel_symbol) == info.kernel_address;
}

std::unique_ptr<FileSymbols> load_recorded_kernel(const PerfDataInfo& info, const RecordedKernel& kernel,
                                                  const SymbolSources& sources) {
  if (is_running_kernel(kernel, info)) {
    Result<std::unique_ptr<FileSymbols>> running = load_kernel_symbols(sources);
    if (running.ok()) { return *std::move(running); }
  }
  std::unique_ptr<FileSymbols> other = load_vmlinux(info, kernel, sources);
  return other != nullptr ? std::move(other) : load_copy(info, kernel);
}

void name_recorded_kernel(const capture::Capture& capture, const PerfDataInfo& info,
                          const std::function<std::shared_ptr<const FileSymbols>()>& load,
                          std::vector<capture::FrameSymbols>& symbols) {
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < capture.frames.size(); ++row) {
    capture::ModuleId module = capture.frames[row].module;
    if (!module.valid() || capture.modules[module.value].kind != capture::ModuleKind::kKernel) { continue; }
    symbols[row].chain.clear();
    rows.push_back(row);
  }
  if (rows.empty()) { return; }
  std::shared_ptr<const FileSymbols> found = load();
  std::vector<PerfDataInfo::KernelSymbol> own = info.kernel_symbols;
  std::stable_sort(own.begin(), own.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
  std::vector<SymbolizedFrame> chain;
  for (uint32_t row : rows) {
    uint64_t address = capture.frames[row].address;
    auto after = std::upper_bound(own.begin(), own.end(), address, [](uint64_t a, const auto& s) { return a < s.start; });
    if (after != own.begin() && address - (after - 1)->start < (after - 1)->length) {
      symbols[row].chain.push_back({(after - 1)->name, {}, 0, 0});
      continue;
    }
    if (found == nullptr) { continue; }
    found->find(address, chain);
    for (const SymbolizedFrame& f : chain) {
      symbols[row].chain.push_back({std::string(f.function), std::string(f.file), f.line, f.column});
    }
  }
}

}  // namespace wick
