// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace wick {

constexpr char kDefaultProfile[] = "profile.wick";

// What a command without FILE reads: standard input where a pipe or a file with something in it was given to it, else
// kDefaultProfile. Waits for a pipe's first byte; says in a line what it took where a person may have meant the other. `command`:
// its name, for a hint.
Result<std::string> choose_input(std::string_view command);

}  // namespace wick
