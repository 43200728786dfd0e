// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/cpu.h"
#include "module/address_space.h"

namespace wick {

// Whether the instruction before `return_address` calls, without an indirection, the function that the address `callee` is in.
bool calls_directly(Arch arch, const AddressSpace& space, uint64_t return_address, uint64_t callee);

}  // namespace wick
