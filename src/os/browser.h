// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace wick {

// Whether a browser can be opened here: there is a display, a program for it, and the user is not root (browsers refuse to start
// as root, most without a word). The error says what is missing.
Result<std::string> find_browser();

// Starts it, detached from this process and its terminal.
Status open_in_browser(const std::string& browser, const std::string& url);

}  // namespace wick
