// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace wick {

constexpr char kDefaultProfile[] = "profile.wick";

// The input of a command without FILE: standard input if it is a pipe or a file, else kDefaultProfile. Waits for a pipe's first
// byte. An empty pipe is an error: showing the default profile instead would mislead. `command`: for the hint.
Result<std::string> choose_input(std::string_view command);

}  // namespace wick
