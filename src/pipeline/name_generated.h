// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "capture/capture.h"
#include "pipeline/stack_table.h"

namespace wick {

// Names frames in code that processes made while they ran, by what they tell of it. `symbols` is beside stacks.frames(); those
// without a name may get one.
void name_generated_frames(const StackTable& stacks, std::vector<capture::FrameSymbols>& symbols);

}  // namespace wick
