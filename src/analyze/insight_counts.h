// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For analyze/insights.cc: findings about threads and processes, and which events they apply to.

#include "analyze/insights.h"

namespace wick {

// Whether the event's weights are CPU time, or samples of an imported profile without a unit.
bool measures_cpu_time(const Profile& profile, EventId event);

// One thread has nearly all the time of its process, in which at least two others existed for half of the recording and did
// nothing. Only if all samples of the event are selected.
void find_busy_thread(const Profile& profile, const Selection& selection, Insight& found);

// At least 30 processes that lived less than 100 ms.
void find_short_processes(const Profile& profile, const Selection& selection, Insight& found);

}  // namespace wick
