// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "view/diff.h"

namespace wick {

// `wick diff --fail-above`: names what grew by more than is allowed, on standard error, since standard output is the
// comparison's. Returns the exit code: 0, 1 for a regression, 3 where there are too few samples to judge.
int judge_regressions(const ComparedRows& rows, double allowed_percent);

}  // namespace wick
