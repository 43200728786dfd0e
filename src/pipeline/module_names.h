// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Module names for views and the summary, so that both spell them alike.

#include <string>
#include <string_view>

#include "capture/capture.h"

namespace wick {

constexpr std::string_view kGeneratedModule = "[jit]";  // the module of generated code that has symbols

// The placeholder for functions of this module without symbols: "[libx.so.6]", "[kernel]", "[anon]".
std::string nameless_function(const capture::Module& module);

// "libx.so.6", "[kernel]", "[anon]"; "[jit]" for anonymous memory whose function has a symbol.
std::string shown_module(const capture::Module& module, bool has_symbol);

}  // namespace wick
