// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "view/diff.h"

namespace wick {

// `wick diff --fail-above`: prints regressions on standard error, since standard output has the comparison. Returns the exit
// code: 0, 1 for a regression, 3 for too few samples.
int judge_regressions(const ComparedRows& rows, double allowed_percent);

}  // namespace wick
