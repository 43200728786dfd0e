// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The code of the hottest functions, stored in the recording because the program may be rebuilt or deleted before it is viewed.

#include <cstdint>
#include <span>
#include <vector>

#include "capture/capture.h"
#include "module/kernel_memory.h"
#include "module/module.h"
#include "record/engine.h"
#include "symbolize/symbolizer.h"

namespace wick {

// Of a function.
inline constexpr uint64_t kMostBodyBytes = 128 << 10;
// `weights`: of innermost frames. Smaller functions would double the size of short recordings: of 100 functions in a flat
// profile, few are worth looking at.
uint64_t least_hot_weight(std::span<const uint64_t> weights);

struct HotCode {
  capture::CodeBody body;
  uint64_t weight = 0;
};

// Functions with at least 1% of the cost themselves, by cost, until their size is `most_bytes`; larger ones than fit are left
// out. Bounds come from unwind tables, which are in memory. `opened`: by module. `others`: found elsewhere.
std::vector<capture::CodeBody> collect_code(const std::vector<capture::Module>& modules,
                                            const std::vector<capture::Frame>& frames,
                                            const std::vector<const LoadedModule*>& opened, std::span<const uint64_t> weights,
                                            uint64_t most_bytes, std::vector<HotCode> others = {});

// Of the running kernel. `symbols`: as at the end of the recording. Without `own`, the recorder's BPF programs, which are gone.
std::vector<HotCode> collect_kernel_code(const std::vector<capture::Module>& modules, const std::vector<capture::Frame>& frames,
                                         std::span<const uint64_t> weights, const FileSymbols& symbols,
                                         const KernelMemory& memory, std::span<const KernelCode> own = {});
// Nothing if the kernel was not sampled enough, or its memory cannot be read.
std::vector<HotCode> load_kernel_code(const std::vector<capture::Module>& modules, const std::vector<capture::Frame>& frames,
                                      std::span<const uint64_t> weights, const SymbolSources& sources,
                                      std::span<const KernelCode> own = {});

}  // namespace wick
