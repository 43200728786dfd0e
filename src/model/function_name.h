// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Function names as C++ and Rust demanglers write them.

#include <string>
#include <string_view>

namespace wick {

// Drops template and generic arguments and parameters: "ns::Type<int>::run(int) const" -> "ns::Type::run", "<Vec<T> as
// FromIterator<T>>::from_iter" -> "<Vec as FromIterator>::from_iter". Operators, lambdas and closures stay; a lambda keeps its
// parameters, which distinguish it from others. Other text stays unchanged.
std::string short_name(std::string_view name);

// A short name without its outermost scope; empty if there is none to drop. A closure is never separated from its function.
std::string_view without_outer_scope(std::string_view name);

// Legacy Rust names that other tools print half demangled: "_$LT$T$u20$as$u20$X$GT$::f::h0123456789abcdef" -> "<T as X>::f".
// Names without such a hash stay unchanged.
std::string readable_rust_name(std::string_view name);

}  // namespace wick
