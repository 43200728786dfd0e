// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace wick {

// Whether code that a file says is in `path` is the kernel's: "[kernel.kallsyms]", "[guest.kernel…]", a module ("[nf_tables]",
// ".ko", packed or not), "vmlinux…", BPF programs. Not what else stands in brackets: "[vdso]", "[heap]", "[anon:…]".
bool is_kernel_module(std::string_view path);

}  // namespace wick
