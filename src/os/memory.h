// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace wick {

// The memory of the machine, or the limit of the container if that is less.
uint64_t usable_memory_bytes();

}  // namespace wick
