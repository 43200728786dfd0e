// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/fd.h"

namespace wick {

// The offset in bytes of a struct member in the running kernel, from its BTF (the contents of /sys/kernel/btf/vmlinux). nullopt
// if there is no such member or it is a bit field.
std::optional<uint32_t> find_btf_member(Bytes btf, std::string_view structure, std::string_view member);

}  // namespace wick
