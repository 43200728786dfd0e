// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace wick {

constexpr char kDefaultProfile[] = "profile.wick";

// What a command without FILE reads: standard input if that is a pipe or a file, else kDefaultProfile. Waits for a pipe's first
// byte; an empty one is an error, since a picture of something else would be taken for what was asked. `command`: its name, for a
// hint.
Result<std::string> choose_input(std::string_view command);

}  // namespace wick
