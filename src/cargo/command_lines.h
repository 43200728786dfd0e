// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The command lines of cargo.

#include <string>
#include <vector>

#include "cargo/build_settings.h"
#include "cargo/workspace.h"

namespace wick::cargo {

std::vector<std::string> metadata_command(const std::string& cargo, const Options& options);
std::vector<std::string> build_command(const std::string& cargo, const Options& options, const Candidate& target,
                                       const BuildSettings& settings);

}  // namespace wick::cargo
