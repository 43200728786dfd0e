// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Much of a hot function is code of the standard library that was inlined there: a vector's operator[], overflowing_add,
// _mm_movemask_epi8. As rows of their own they hide who uses the time. So tables for people count such code to the function
// that it was inlined into. Names decide: std, core, alloc and the compilers' intrinsics; a function of the program that was
// inlined stays itself.

#include <string_view>

#include "model/profile.h"

namespace wick {

// Of a demangled name; says nothing about functions that were not inlined.
bool is_library_glue(std::string_view name);

struct GlueFolded {
  Profile profile;
  bool any = false;  // something was folded
};
// The same samples, without inlined frames of library glue: what they cost is their caller's.
GlueFolded fold_library_glue(Profile profile);

}  // namespace wick
