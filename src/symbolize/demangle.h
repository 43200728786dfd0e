// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace wick {

// Demangles Rust (v0 and legacy, without hashes) and C++; returns anything else unchanged. Removes compiler suffixes (.llvm.123,
// .part.0, .constprop.0, .cold, @GLIBC_2.34) first. Only templates carry a return type; it is dropped by default, so that a name
// starts with the function.
enum class ReturnTypes : uint8_t { kDrop, kKeep };
std::string demangle(std::string_view linkage_name, ReturnTypes return_types = ReturnTypes::kDrop);

// How views show functions: demangled, demangled without template arguments and parameters (model/function_name.h), or as linked.
enum class NameStyle : uint8_t { kFull, kShort, kRaw };
std::string shown_function(std::string_view linkage_name, NameStyle style);

}  // namespace wick
