// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capture/capture.h"
#include "record/machine.h"
#include "record/make_engine.h"

namespace wick {

// What a recording says of itself: of what, how, where and when it was made.
capture::Info describe_recording(const EnginePlan& plan, const Machine& machine);

}  // namespace wick
