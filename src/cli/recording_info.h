// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capture/capture.h"
#include "record/machine.h"
#include "record/make_engine.h"

namespace wick {

// Metadata of a recording: the target, options, machine and time.
capture::Info describe_recording(const EnginePlan& plan, const Machine& machine);

}  // namespace wick
