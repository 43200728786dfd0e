// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Function names that two builds of a program have in common.

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace wick {

// Drops what compilers generate anew in each build: Rust's hash ("::h0123456789abcdef", also in linkage names) and clone numbers
// (".llvm.123", ".constprop.0", " [clone .isra.1]").
std::string name_without_hash(std::string_view name);

// Whether name_without_hash would change it.
bool has_hash(std::string_view name);

// Common names for functions of two profiles: a name that only one side has loses its hash if the result is a name of the other
// side, or one of its names without a hash. `hashed`: all names of either side for which has_hash() is true. `has_plain`: whether
// a side has an exact name. Names missing from the result stay unchanged.
using Renamed = std::unordered_map<std::string, std::string>;
std::array<Renamed, 2> match_hashed_names(const std::array<std::unordered_set<std::string>, 2>& hashed,
                                          const std::function<bool(size_t side, const std::string& plain)>& has_plain);

// A placeholder without its address: "[app+0x4710]" -> "[app]", "0x7f01" -> "[unknown]".
std::string name_without_address(std::string_view name);

// Replaces hexadecimal numbers: "call 0x12ab" -> "call 0x...".
std::string strip_hex(std::string_view name);

}  // namespace wick
