// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names of functions as two builds of one program have in common.

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace wick {

// Without what compilers append anew in each build: Rust's hash ("::h0123456789abcdef", also in a linkage name) and the numbers
// of clones (".llvm.123", ".constprop.0", " [clone .isra.1]").
std::string name_without_hash(std::string_view name);

// Whether it would lose something.
bool has_hash(std::string_view name);

// What functions of two profiles are called so that both call them the same: a name that only one has goes without its hash, if
// that is a name of the other, or what is left of one of its names in the same way. `hashed`: all names that has_hash() of either
// side. `has_plain` tells whether a side has a name as it stands. Names that are not in the result stay.
using Renamed = std::unordered_map<std::string, std::string>;
std::array<Renamed, 2> match_hashed_names(const std::array<std::unordered_set<std::string>, 2>& hashed,
                                          const std::function<bool(size_t side, const std::string& plain)>& has_plain);

// A made-up name without its address: "[app+0x4710]" -> "[app]", "0x7f01" -> "[unknown]".
std::string name_without_address(std::string_view name);

// Every hexadecimal number replaced: "call 0x12ab" -> "call 0x...".
std::string strip_hex(std::string_view name);

}  // namespace wick
