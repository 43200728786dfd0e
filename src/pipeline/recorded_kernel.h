// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Symbols of the kernel in an older recording. Each boot loads the kernel at another address, so a symbol table is used only if
// it is of the same build and its offset is known.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "capture/capture.h"
#include "import/perf/perf_data_file.h"
#include "symbolize/symbolizer.h"

namespace wick {

struct RecordedKernel {
  std::string build_id, release;  // empty: unknown
  bool is_here = false;           // host name and release match this machine
  std::string build_id_cache;     // perf's cache, which has a copy of kallsyms
};

// Whether the recorded kernel is the running one, of the same boot.
bool is_running_kernel(const RecordedKernel& kernel, const PerfDataInfo& info);

// Null if no symbols match.
std::unique_ptr<FileSymbols> load_recorded_kernel(const PerfDataInfo& info, const RecordedKernel& kernel,
                                                  const SymbolSources& sources);

// Symbolizes kernel frames. `load` is called for the kernel's symbols if there are such frames; it may return none.
void name_recorded_kernel(const capture::Capture& capture, const PerfDataInfo& info,
                          const std::function<std::shared_ptr<const FileSymbols>()>& load,
                          std::vector<capture::FrameSymbols>& symbols);

}  // namespace wick
