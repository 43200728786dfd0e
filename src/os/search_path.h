// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace wick {

// The file that execvp() would run for this name; empty if there is none. A name with a slash is a path.
std::string find_program(const std::string& name);

}  // namespace wick
