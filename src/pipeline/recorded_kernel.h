// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names of kernel functions in a recording of the past. A kernel lies elsewhere after each start, so a table of its functions is
// used only where it is of the same build and lies where it lay, or its distance is known.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "capture/capture.h"
#include "import/perf/perf_data_file.h"
#include "symbolize/symbolizer.h"

namespace wick {

struct RecordedKernel {
  std::string build_id, release;  // empty: not told
  bool is_here = false;           // the host's name and the release are this machine's
  std::string build_id_cache;     // perf's: has a copy of kallsyms
};

// Whether the kernel that recorded is the one that runs, started once and for all.
bool is_running_kernel(const RecordedKernel& kernel, const PerfDataInfo& info);

// Null where none are to be had that lie where they lay.
std::unique_ptr<FileSymbols> load_recorded_kernel(const PerfDataInfo& info, const RecordedKernel& kernel,
                                                  const SymbolSources& sources);

// Fills the chains of frames in the kernel. `load` is asked for the kernel's names if there are such frames; it may have none.
void name_recorded_kernel(const capture::Capture& capture, const PerfDataInfo& info,
                          const std::function<std::shared_ptr<const FileSymbols>()>& load,
                          std::vector<capture::FrameSymbols>& symbols);

}  // namespace wick
