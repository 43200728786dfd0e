// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/alike_frames.h"

namespace wick {

capture::FrameId AlikeFrames::find_or_add(const LoadedModule* file, uint64_t address, capture::FrameId fresh) {
  auto [entry, is_first] = modules_.try_emplace(file);
  Module& module = entry->second;
  if (is_first) { module.symbols = file != nullptr ? load_file_symbols(*file, sources_) : processes_.load_kernel(sources_); }
  if (module.symbols == nullptr) { return fresh; }
  module.symbols->find(address, chain_);
  if (chain_.empty()) { return fresh; }
  names_.clear();
  for (const SymbolizedFrame& frame : chain_) {
    names_ += frame.function;
    names_ += '\n';
  }
  return module.by_names.try_emplace(names_, fresh).first->second;
}

std::shared_ptr<const FileSymbols> AlikeFrames::symbols(const LoadedModule* file) const {
  auto found = modules_.find(file);
  return found == modules_.end() ? nullptr : found->second.symbols;
}

}  // namespace wick
