// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Frames are grouped by module and sorted by address, so that each module's symbols are loaded once and read in order. A few
// threads take modules from a queue, largest first, if there is enough to read.

#include "pipeline/name_frames.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>

#include "base/text.h"
#include "elf/cfi.h"

namespace wick {
namespace {

constexpr uint64_t kLeastShare = 200;  // files with a smaller share (one in N samples) are not worth fetching for

struct Work {
  uint32_t module = 0;
  std::vector<uint32_t> frames;  // rows, by address
  const LoadedModule* file = nullptr;
  size_t cost = 0;       // bytes to read, roughly
  bool changed = false;  // the file at its path has changed since the recording
  bool awaited = false;  // its debug file is being fetched
};

// Old recordings store nothing for a file without a build ID: then any such file at its path matches.
bool is_recorded(const LoadedModule& file, const capture::Module& module) {
  if (!file.image) { return false; }
  return module.build_id.empty() ? file.build_id.empty() : identity_of(file) == module.build_id;
}

// Whether debuginfod could help.
bool lacks_debug_info(const LoadedModule* file, const DebugPlaces& places) {
  if (file == nullptr) { return true; }
  if (!file->image || has_debug_info(*file->image)) { return false; }
  std::optional<DebugFile> debug = find_debug_file(*file->image, file->path, places);
  return !debug || !has_debug_info(debug->image);
}

// Marks modules worth fetching for and starts; null if there is nothing to fetch, or no server.
std::unique_ptr<DebugFetcher> begin_fetching(const std::vector<capture::Module>& modules, std::vector<Work>& all,
                                             const SymbolSources& sources, std::span<const uint64_t> samples) {
  std::string program = sources.fetch.enabled && !samples.empty() ? find_debuginfod() : std::string();
  if (program.empty()) { return nullptr; }
  uint64_t total = 0;
  std::vector<std::pair<uint64_t, Work*>> hot;
  for (Work& work : all) {
    uint64_t here = 0;
    for (uint32_t row : work.frames) { here += row < samples.size() ? samples[row] : 0; }
    total += here;
    const capture::Module& module = modules[work.module];
    if (module.kind == capture::ModuleKind::kFile && is_build_id(module.build_id) && here > 0) { hot.push_back({here, &work}); }
  }
  std::stable_sort(hot.begin(), hot.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<WantedDebugFile> wanted;
  for (auto [here, work] : hot) {
    if (here * kLeastShare < total || !lacks_debug_info(work->file, sources.debug)) { continue; }
    const capture::Module& module = modules[work->module];
    work->awaited = true;
    wanted.push_back({module.path.substr(module.path.rfind('/') + 1), module.build_id});
  }
  return wanted.empty() ? nullptr : std::make_unique<DebugFetcher>(program, std::move(wanted), sources.fetch);
}

void name_all(const Work& work, const std::vector<capture::Frame>& frames, const FileSymbols& symbols,
              std::vector<capture::FrameSymbols>& out) {
  if (symbols.is_lazy()) {
    std::vector<uint64_t> addresses;
    for (uint32_t row : work.frames) { addresses.push_back(frames[row].address); }
    symbols.prepare(addresses);
  }
  std::vector<SymbolizedFrame> chain;
  std::optional<elf::Cfi> functions;  // finds function starts in a stripped file
  for (uint32_t row : work.frames) {
    symbols.find(frames[row].address, chain);
    if (chain.empty() && work.file != nullptr && work.file->image) {
      if (!functions) { functions.emplace(*work.file->image); }
      uint64_t begin = 0;
      bool is_known = functions->find_function(frames[row].address, begin);
      if (is_known) { out[row].chain.push_back({strf("+0x%llx", static_cast<unsigned long long>(begin)), {}, 0, 0}); }
    }
    for (const SymbolizedFrame& f : chain) {
      // A file name without a directory comes from the symbol table: it is not a useful source path.
      bool is_source = f.line != 0 || f.file.find('/') != f.file.npos;
      out[row].chain.push_back({std::string(f.function), std::string(is_source ? f.file : std::string_view()), f.line, f.column});
    }
  }
}

// The recorder's BPF programs are no longer loaded when frames are symbolized.
bool name_own(uint64_t address, std::span<const KernelCode> own, capture::FrameSymbols& out) {
  auto here =
      std::find_if(own.begin(), own.end(), [&](const KernelCode& code) { return address >= code.begin && address < code.end; });
  if (here == own.end()) { return false; }
  out.chain.push_back({here->name, {}, 0, 0});
  return true;
}

// Symbolizes with the fetched debug file.
void run_awaited(Work& work, const std::string& build_id, const std::string& fetched, ModuleStore& store,
                 const std::vector<capture::Frame>& frames, const SymbolSources& sources,
                 std::vector<capture::FrameSymbols>& out) {
  SymbolSources with = sources;
  if (!fetched.empty()) { with.debug.by_build_id[build_id] = fetched; }
  if (work.file == nullptr && !fetched.empty()) {
    const LoadedModule* debug = store.load({0, fetched, 0, 0});
    if (debug->image && debug->build_id == build_id) { work.file = debug; }
  }
  if (work.file != nullptr) { name_all(work, frames, *load_file_symbols(*work.file, with), out); }
}

void run(const Work& work, capture::ModuleKind kind, const std::vector<capture::Frame>& frames, const SymbolSources& sources,
         const NamingHelp& help, std::vector<capture::FrameSymbols>& out) {
  if (kind == capture::ModuleKind::kKernel) {
    Work rest = work;
    std::erase_if(rest.frames, [&](uint32_t row) { return name_own(frames[row].address, help.own_code, out[row]); });
    if (rest.frames.empty()) { return; }
    if (help.cache != nullptr) {
      std::shared_ptr<const FileSymbols> cached = help.cache->kernel();
      if (cached != nullptr) { name_all(rest, frames, *cached, out); }
      return;
    }
    Result<std::unique_ptr<FileSymbols>> kernel = load_kernel_symbols(sources);
    if (kernel.ok()) { name_all(rest, frames, **kernel, out); }
  } else {
    std::shared_ptr<const FileSymbols> symbols = help.prepared != nullptr ? help.prepared->take(work.file)
                                                 : help.loaded != nullptr ? help.loaded->symbols(work.file)
                                                                          : nullptr;
    if (symbols == nullptr && help.cache != nullptr) { symbols = help.cache->file(*work.file); }
    if (symbols == nullptr) { symbols = load_file_symbols(*work.file, sources); }
    name_all(work, frames, *symbols, out);
  }
}

}  // namespace

std::shared_ptr<const FileSymbols> SymbolCache::file(const LoadedModule& module) {
  {
    std::lock_guard lock(mutex_);
    auto found = loaded_.find(&module);
    if (found != loaded_.end()) { return found->second; }
  }
  std::shared_ptr<const FileSymbols> symbols = load_file_symbols(module, sources_);
  std::lock_guard lock(mutex_);
  return loaded_.try_emplace(&module, std::move(symbols)).first->second;
}

std::shared_ptr<const FileSymbols> SymbolCache::kernel() {
  {
    std::lock_guard lock(mutex_);
    auto found = loaded_.find(nullptr);
    if (found != loaded_.end()) { return found->second; }
  }
  Result<std::unique_ptr<FileSymbols>> loaded = load_kernel_symbols(sources_);
  std::shared_ptr<const FileSymbols> symbols = loaded.ok() ? *std::move(loaded) : nullptr;
  std::lock_guard lock(mutex_);
  return loaded_.try_emplace(nullptr, std::move(symbols)).first->second;
}

bool SymbolCache::has(const LoadedModule* module) const {
  std::lock_guard lock(mutex_);
  return loaded_.contains(module);
}

const LoadedModule* open_recorded(const capture::Module& module, ModuleStore& store, const DebugPlaces& places, bool& changed) {
  if (module.kind == capture::ModuleKind::kVdso) {
    // The user cannot fix another kernel's vDSO, so it is not reported as changed.
    const LoadedModule* file = store.vdso();
    return file->image && file->build_id == module.build_id ? file : nullptr;
  }
  if (module.kind != capture::ModuleKind::kFile) { return nullptr; }
  std::vector<std::string> roots = {""};
  if (!places.symfs.empty()) { roots.insert(roots.begin(), places.symfs); }
  for (const std::string& root : roots) {
    const LoadedModule* file = store.load({0, module.path, 0, 0, root});
    if (is_recorded(*file, module)) { return file; }
    changed |= file->image.has_value();
  }
  for (const std::string& path : build_id_candidates(module.build_id, places)) {
    const LoadedModule* file = store.load({0, path, 0, 0});
    if (is_recorded(*file, module)) { return file; }
  }
  return nullptr;
}

std::vector<capture::FrameSymbols> name_frames(const std::vector<capture::Module>& modules,
                                               const std::vector<capture::Frame>& frames,
                                               const std::vector<const LoadedModule*>& opened,
                                               std::vector<std::string>& mismatched, const SymbolSources& sources,
                                               const NamingHelp& help) {
  std::vector<capture::FrameSymbols> out(frames.size());
  std::vector<Work> by_module(modules.size());
  for (uint32_t row = 0; row < frames.size(); ++row) {
    out[row].frame = {row};
    if (frames[row].module.value < modules.size()) { by_module[frames[row].module.value].frames.push_back(row); }
  }
  if (help.prepared != nullptr) { help.prepared->stop_beginning(); }
  ModuleStore store;
  for (uint32_t m = 0; m < modules.size(); ++m) {
    Work& work = by_module[m];
    work.module = m;
    if (work.frames.empty()) { continue; }
    if (m < opened.size() && opened[m] != nullptr) {
      work.file = opened[m]->image ? opened[m] : nullptr;
    } else {
      work.file = open_recorded(modules[m], store, sources.debug, work.changed);
    }
  }
  std::unique_ptr<DebugFetcher> fetcher = begin_fetching(modules, by_module, sources, help.samples);

  std::vector<Work> queue;
  size_t total = 0;
  for (Work& work : by_module) {
    bool kernel = modules[work.module].kind == capture::ModuleKind::kKernel;
    if (work.frames.empty() || (!kernel && work.file == nullptr && !work.awaited)) {
      if (work.changed) { mismatched.push_back(modules[work.module].path); }
      continue;
    }
    work.cost = kernel                 ? size_t{16} << 20
                : work.file == nullptr ? 0
                                       : work.file->image->bytes().size() / 8 + work.frames.size() * 200;
    if (help.cache != nullptr && help.cache->has(kernel ? nullptr : work.file)) { work.cost = work.frames.size() * 200; }
    total += work.cost;
    std::sort(work.frames.begin(), work.frames.end(),
              [&](uint32_t a, uint32_t b) { return frames[a].address < frames[b].address; });
    queue.push_back(std::move(work));
  }
  // Modules that wait for a debug file come last; of the others, the largest comes first.
  std::stable_sort(queue.begin(), queue.end(),
                   [](const Work& a, const Work& b) { return a.awaited != b.awaited ? b.awaited : a.cost > b.cost; });

  std::atomic<size_t> next{0};
  auto drain = [&] {
    for (size_t i; (i = next.fetch_add(1)) < queue.size();) {
      const capture::Module& module = modules[queue[i].module];
      if (queue[i].awaited) {
        run_awaited(queue[i], module.build_id, fetcher->wait(module.build_id), store, frames, sources, out);
      } else {
        run(queue[i], module.kind, frames, sources, help, out);
      }
    }
  };
  // Starting a thread costs as much as reading some hundred kilobytes.
  size_t useful =
      std::min<size_t>({queue.size(), 1 + total / (size_t{1} << 20), std::max(1u, std::thread::hardware_concurrency()), 8});
  std::vector<std::thread> helpers;
  try {
    while (helpers.size() + 1 < useful) { helpers.emplace_back(drain); }
  } catch (const std::system_error&) {
    // No more threads (process limit): the existing ones do all the work.
  }
  drain();
  for (std::thread& helper : helpers) { helper.join(); }
  for (const Work& work : queue) {
    if (work.changed && work.file == nullptr) { mismatched.push_back(modules[work.module].path); }
  }
  return out;
}

}  // namespace wick
