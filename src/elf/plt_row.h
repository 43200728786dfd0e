// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// GNU's linkers write unwind information for the stubs of the procedure linkage table, lld and mold do not. A stub that is jumped
// to, not called, then ends the stack; what its instructions did to the stack is soon decoded.

#include <cstdint>

#include "elf/cfi.h"
#include "elf/image.h"

namespace wick::elf {

// False where `svma` is not in a linkage table, or (x86_64) its instructions are none that linkers put there.
bool find_plt_row(const Image& image, uint64_t svma, FrameRow& row);

}  // namespace wick::elf
