// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "capture/capture.h"
#include "module/jit_files.h"
#include "pipeline/collect_code.h"
#include "pipeline/stack_table.h"

namespace wick {

// Frames in generated code and the files in which its processes describe it.
struct GeneratedFrames {
  const std::vector<capture::Module>& modules;
  const std::vector<std::shared_ptr<const JitFiles>>& files;  // by module; null if not generated
  const std::vector<capture::Frame>& frames;
  std::function<uint64_t(uint32_t)> last_seen_ns;  // by row of `frames`
};

// Symbolizes them. `symbols` is parallel to `frames`; entries without a symbol may get one. Returns the code of functions with at
// least 1% of the cost, if it was logged. `weights`: of innermost frames; empty: none is read.
std::vector<HotCode> name_generated_frames(const GeneratedFrames& code, std::vector<capture::FrameSymbols>& symbols,
                                           std::span<const uint64_t> weights = {});
std::vector<HotCode> name_generated_frames(const StackTable& stacks, std::vector<capture::FrameSymbols>& symbols,
                                           std::span<const uint64_t> weights = {});

}  // namespace wick
