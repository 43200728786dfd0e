// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// GNU linkers write unwind information for PLT stubs; lld and mold do not. Without it a stack would end in the stub, so wick
// decodes the stub's effect on the stack.

#include <cstdint>

#include "elf/cfi.h"
#include "elf/image.h"

namespace wick::elf {

// Returns false if `svma` is not in a PLT or (x86_64) its instructions are not those of a known linker.
bool find_plt_row(const Image& image, uint64_t svma, FrameRow& row);

}  // namespace wick::elf
