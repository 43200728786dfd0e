// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Frames are grouped by module and sorted by address, so that a module's symbols are loaded once and read in order. Modules are
// independent, so a few threads take them from a queue, the largest first; that is worth it only when there is much to read.

#include "pipeline/name_frames.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <system_error>
#include <thread>

namespace wick {
namespace {

struct Work {
  uint32_t module = 0;
  std::vector<uint32_t> frames;  // rows, by address
  const LoadedModule* file = nullptr;
  size_t cost = 0;  // bytes to look at, roughly
};

// The module as it was recorded, opened by its path; null when there is none.
const LoadedModule* open_recorded(const capture::Module& module, ModuleStore& store, std::vector<std::string>& mismatched) {
  const LoadedModule* file = nullptr;
  if (module.kind == capture::ModuleKind::kVdso) { file = store.vdso(); }
  if (module.kind == capture::ModuleKind::kFile) { file = store.load({0, module.path, 0, 0}); }
  if (file == nullptr || !file->image) { return nullptr; }
  if (file->build_id == module.build_id) { return file; }
  // Another kernel's vDSO is nothing that a user could put right.
  if (module.kind == capture::ModuleKind::kFile) { mismatched.push_back(module.path); }
  return nullptr;
}

void name_all(const Work& work, const std::vector<capture::Frame>& frames, const FileSymbols& symbols,
              std::vector<capture::FrameSymbols>& out) {
  std::vector<SymbolizedFrame> chain;
  for (uint32_t row : work.frames) {
    symbols.find(frames[row].address, chain);
    for (const SymbolizedFrame& f : chain) {
      out[row].chain.push_back({std::string(f.function), std::string(f.file), f.line, f.column});
    }
  }
}

void run(const Work& work, capture::ModuleKind kind, const std::vector<capture::Frame>& frames, const SymbolSources& sources,
         SymbolPreparer* prepared, std::vector<capture::FrameSymbols>& out) {
  if (kind == capture::ModuleKind::kKernel) {
    std::vector<uint64_t> wanted;
    for (uint32_t row : work.frames) { wanted.push_back(frames[row].address); }
    Result<std::unique_ptr<FileSymbols>> kernel = load_kernel_symbols(sources, wanted);
    if (kernel.ok()) { name_all(work, frames, **kernel, out); }
  } else if (work.file != nullptr) {
    std::shared_ptr<const FileSymbols> symbols = prepared != nullptr ? prepared->take(work.file) : nullptr;
    if (symbols == nullptr) { symbols = load_file_symbols(*work.file, sources); }
    name_all(work, frames, *symbols, out);
  }
}

}  // namespace

std::vector<capture::FrameSymbols> name_frames(const std::vector<capture::Module>& modules,
                                               const std::vector<capture::Frame>& frames,
                                               const std::vector<const LoadedModule*>& opened,
                                               std::vector<std::string>& mismatched, const SymbolSources& sources,
                                               SymbolPreparer* prepared) {
  std::vector<capture::FrameSymbols> out(frames.size());
  std::vector<Work> by_module(modules.size());
  for (uint32_t row = 0; row < frames.size(); ++row) {
    out[row].frame = {row};
    if (frames[row].module.value < modules.size()) { by_module[frames[row].module.value].frames.push_back(row); }
  }
  if (prepared != nullptr) { prepared->stop_beginning(); }
  ModuleStore store;
  std::vector<Work> queue;
  size_t total = 0;
  for (uint32_t m = 0; m < modules.size(); ++m) {
    Work& work = by_module[m];
    capture::ModuleKind kind = modules[m].kind;
    bool nameable =
        kind == capture::ModuleKind::kFile || kind == capture::ModuleKind::kVdso || kind == capture::ModuleKind::kKernel;
    if (work.frames.empty() || !nameable) { continue; }
    work.module = m;
    bool kernel = kind == capture::ModuleKind::kKernel;
    if (!kernel) {
      work.file = m < opened.size() && opened[m] != nullptr ? opened[m] : open_recorded(modules[m], store, mismatched);
    }
    if (!kernel && (work.file == nullptr || !work.file->image)) { continue; }
    work.cost = kernel ? size_t{16} << 20 : work.file->image->bytes().size() / 8 + work.frames.size() * 200;
    total += work.cost;
    std::sort(work.frames.begin(), work.frames.end(),
              [&](uint32_t a, uint32_t b) { return frames[a].address < frames[b].address; });
    queue.push_back(std::move(work));
  }
  std::sort(queue.begin(), queue.end(), [](const Work& a, const Work& b) { return a.cost > b.cost; });

  std::atomic<size_t> next{0};
  auto drain = [&] {
    for (size_t i; (i = next.fetch_add(1)) < queue.size();) {
      run(queue[i], modules[queue[i].module].kind, frames, sources, prepared, out);
    }
  };
  // A thread costs as much to start as some hundred kilobytes to read.
  size_t useful =
      std::min<size_t>({queue.size(), 1 + total / (size_t{1} << 20), std::max(1u, std::thread::hardware_concurrency()), 8});
  std::vector<std::thread> helpers;
  try {
    while (helpers.size() + 1 < useful) { helpers.emplace_back(drain); }
  } catch (const std::system_error&) {
    // No more threads to be had (a limit of processes): those that are there do it all.
  }
  drain();
  for (std::thread& helper : helpers) { helper.join(); }
  return out;
}

}  // namespace wick
