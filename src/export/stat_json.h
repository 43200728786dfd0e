// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The figures of `wick stat` for programs (docs/stat.md).

#include <string>

#include "stat/report.h"

namespace wick {

std::string stat_json(const stat::Report& report);
std::string stat_csv(const stat::Report& report);
std::string comparison_json(const stat::CompareReport& report);
std::string comparison_csv(const stat::CompareReport& report);

}  // namespace wick
