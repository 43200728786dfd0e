// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/capture.h"
#include "pipeline/alike_frames.h"
#include "pipeline/symbol_preparer.h"
#include "record/engine.h"
#include "symbolize/symbolizer.h"

namespace wick {

// Symbols that stay loaded from one call of name_frames() to the next. Any thread may use it.
class SymbolCache {
 public:
  explicit SymbolCache(SymbolSources sources) : sources_(std::move(sources)) {}
  const SymbolSources& sources() const { return sources_; }
  std::shared_ptr<const FileSymbols> file(const LoadedModule& module);
  std::shared_ptr<const FileSymbols> kernel();  // null if they are hidden
  bool has(const LoadedModule* module) const;   // null: the kernel

 private:
  SymbolSources sources_;
  mutable std::mutex mutex_;
  std::unordered_map<const LoadedModule*, std::shared_ptr<const FileSymbols>> loaded_;
};

// What a recorder knows in addition.
struct NamingHelp {
  // Samples by row of `frames`, counted at their innermost frame. If given and sources.fetch allows it, missing debug files of
  // the hottest files are fetched while other files are symbolized.
  std::span<const uint64_t> samples = {};
  SymbolPreparer* prepared = nullptr;   // reuse symbols that are loaded or being loaded
  const AlikeFrames* loaded = nullptr;  // likewise
  std::span<const KernelCode> own_code = {};
  SymbolCache* cache = nullptr;
};

// Symbols for every frame in `frames` (rows of the two tables), sorted by frame. Loads each module's symbols once, modules in
// parallel. `opened`: modules that the recorder has open; null entries, or empty, to open them by path. Files with another build
// ID are not used; their paths are appended to `mismatched`.
std::vector<capture::FrameSymbols> name_frames(const std::vector<capture::Module>& modules,
                                               const std::vector<capture::Frame>& frames,
                                               const std::vector<const LoadedModule*>& opened,
                                               std::vector<std::string>& mismatched, const SymbolSources& sources = {},
                                               const NamingHelp& help = {});

// The module as recorded: by path below --symfs and here, else its debug file, which has the same symbols; null if there is none.
// `changed`: the file at its path is another build.
const LoadedModule* open_recorded(const capture::Module& module, ModuleStore& store, const DebugPlaces& places, bool& changed);

}  // namespace wick
