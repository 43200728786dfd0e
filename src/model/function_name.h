// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names of functions as text: what C++ and Rust demanglers make.

#include <string>
#include <string_view>

namespace wick {

// Without template and generic arguments and parameters: "ns::Type<int>::run(int) const" -> "ns::Type::run",
// "<Vec<T> as FromIterator<T>>::from_iter" -> "<Vec as FromIterator>::from_iter". Operators, lambdas and closures stay what they
// are; a lambda keeps its parameters, which are part of what tells it from others. What is no such name stays as it is.
std::string short_name(std::string_view name);

// A short name without its outermost scope; empty when there is none that could go. A closure is never parted from its function.
std::string_view without_outer_scope(std::string_view name);

// Rust's old names, as other tools print them half demangled: "_$LT$T$u20$as$u20$X$GT$::f::h0123456789abcdef" -> "<T as X>::f".
// What does not end in such a hash stays as it is.
std::string readable_rust_name(std::string_view name);

}  // namespace wick
