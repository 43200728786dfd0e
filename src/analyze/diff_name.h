// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names of functions as two builds of one program have in common.

#include <string>
#include <string_view>

namespace wick {

// Without what compilers append anew in each build: Rust's hash ("::h0123456789abcdef", also in a linkage name) and the numbers
// of clones (".llvm.123", ".constprop.0", " [clone .isra.1]").
std::string name_without_hash(std::string_view name);

// Whether it would lose something.
bool has_hash(std::string_view name);

// A made-up name without its address: "[app+0x4710]" -> "[app]", "0x7f01" -> "[unknown]".
std::string name_without_address(std::string_view name);

// Every hexadecimal number replaced: "call 0x12ab" -> "call 0x...".
std::string strip_hex(std::string_view name);

}  // namespace wick
