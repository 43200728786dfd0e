// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace wick {

// Rust (v0 and legacy, without hashes), C++; anything else comes back as it is. Suffixes that compilers add (.llvm.123, .part.0,
// .constprop.0, .cold, @GLIBC_2.34) are dropped first.
// The return type, which only templates carry, is left out unless asked for: a name begins with itself.
enum class ReturnTypes : uint8_t { kDrop, kKeep };
std::string demangle(std::string_view linkage_name, ReturnTypes return_types = ReturnTypes::kDrop);

// How a view writes functions: demangled, that without template arguments and parameters (model/function_name.h), or as linked.
enum class NameStyle : uint8_t { kFull, kShort, kRaw };
std::string shown_function(std::string_view linkage_name, NameStyle style);

}  // namespace wick
