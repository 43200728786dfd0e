// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks of the call instruction before a return address.

#include <cstdint>
#include <optional>

#include "base/cpu.h"
#include "module/address_space.h"

namespace wick {

// The `size` bytes of code before an address; empty if the file is unknown.
Bytes code_before(const AddressSpace& space, uint64_t avma, size_t size);

// Whether a call instruction precedes the address. If the code is not readable (JIT): whether anything is mapped there.
bool follows_call(Arch arch, const AddressSpace& space, uint64_t return_address);

// The target of a direct call before the address, if there is one and its code is readable.
std::optional<uint64_t> find_call_target(Arch arch, const AddressSpace& space, uint64_t return_address);

// Whether the call before the address reaches the function that starts at `function`, or a function whose part starts there:
// directly, by symbol through a PLT stub or GOT slot, or through a function that can tail-call it. Other indirect calls prove
// nothing.
bool is_call_of(Arch arch, const AddressSpace& space, uint64_t return_address, uint64_t function);

}  // namespace wick
