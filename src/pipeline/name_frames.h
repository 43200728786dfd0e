// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "capture/capture.h"
#include "pipeline/alike_frames.h"
#include "pipeline/symbol_preparer.h"
#include "record/engine.h"
#include "symbolize/symbolizer.h"

namespace wick {

// What a recorder knows besides.
struct NamingHelp {
  // By row of `frames`, those whose innermost frame it is: where given and sources.fetch says so, debug files that are not here
  // are fetched for the files that most samples are in, while the others are named.
  std::span<const uint64_t> samples = {};
  SymbolPreparer* prepared = nullptr;   // what it has, or is at, is taken from there
  const AlikeFrames* loaded = nullptr;  // the same
  std::span<const KernelCode> own_code = {};
};

// Names for every frame in `frames` (rows of the two tables), sorted by frame; each module's symbols are loaded once, modules in
// parallel. `opened`: modules the recorder has already open, or null entries / empty to open them by path here. A file whose
// build-id is not the recorded one is not used; such paths are appended to `mismatched`.
std::vector<capture::FrameSymbols> name_frames(const std::vector<capture::Module>& modules,
                                               const std::vector<capture::Frame>& frames,
                                               const std::vector<const LoadedModule*>& opened,
                                               std::vector<std::string>& mismatched, const SymbolSources& sources = {},
                                               const NamingHelp& help = {});

// The module as it was recorded: by its path below --symfs and here, else its debug file, which has the same names; null when
// there is none. `changed`: what is at its path is another build.
const LoadedModule* open_recorded(const capture::Module& module, ModuleStore& store, const DebugPlaces& places, bool& changed);

}  // namespace wick
