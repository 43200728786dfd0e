// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace wick {

// Whether code in `path` is the kernel's: "[kernel.kallsyms]", "[guest.kernel…]", a module ("[nf_tables]", ".ko", compressed or
// not), "vmlinux…", BPF programs. Other names in brackets are not: "[vdso]", "[heap]", "[anon:…]".
bool is_kernel_module(std::string_view path);

}  // namespace wick
