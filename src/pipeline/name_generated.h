// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "capture/capture.h"
#include "pipeline/stack_table.h"

namespace wick {

// Symbolizes frames in generated code from the files that its processes write. `symbols` is parallel to stacks.frames(); entries
// without a symbol may get one.
void name_generated_frames(const StackTable& stacks, std::vector<capture::FrameSymbols>& symbols);

}  // namespace wick
