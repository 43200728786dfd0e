// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "capture/capture.h"
#include "pipeline/symbol_preparer.h"
#include "symbolize/symbolizer.h"

namespace wick {

// Names for every frame in `frames` (rows of the two tables), sorted by frame; each module's symbols are loaded once, modules in
// parallel. `opened`: modules the recorder has already open, or null entries / empty to open them by path here. A file whose
// build-id is not the recorded one is not used; such paths are appended to `mismatched`. What `prepared` has, or is at, is taken
// from there.
std::vector<capture::FrameSymbols> name_frames(const std::vector<capture::Module>& modules,
                                               const std::vector<capture::Frame>& frames,
                                               const std::vector<const LoadedModule*>& opened,
                                               std::vector<std::string>& mismatched, const SymbolSources& sources = {},
                                               SymbolPreparer* prepared = nullptr);

}  // namespace wick
