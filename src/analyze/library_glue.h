// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Much of a hot function is inlined standard library code: a vector's operator[], overflowing_add, _mm_movemask_epi8. As separate
// rows these hide who uses the time, so tables attribute them to the containing function. Names decide: std, core, alloc and
// compiler intrinsics; inlined functions of the program stay.

#include <string_view>

#include "model/profile.h"

namespace wick {

// For demangled names of inlined functions.
bool is_library_glue(std::string_view name);

struct GlueFolded {
  Profile profile;
  bool any = false;  // something was folded
};
// The same samples without inlined frames of library glue; their cost goes to the caller.
GlueFolded fold_library_glue(Profile profile);

}  // namespace wick
