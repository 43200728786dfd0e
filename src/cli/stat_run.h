// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The measurements of `wick stat`: repeated, compared or simulated runs.

#include <functional>

#include "cli/stat_options.h"
#include "os/stop_signals.h"
#include "stat/report.h"

namespace wick {

// Each line of -I, as soon as it is known.
using OnInterval = std::function<void(const stat::Interval&)>;

Result<stat::Report> measure(const StatRequest& request, const Machine& machine, StopSignals& signals, const OnInterval& on_interval);
// Under valgrind.
Result<stat::Report> simulate(const StatRequest& request, StopSignals& signals);

struct Compared {
  stat::CompareReport report;
  int exit_code = 0;
};
Result<Compared> measure_both(const StatRequest& request, const Machine& machine, StopSignals& signals);

}  // namespace wick
