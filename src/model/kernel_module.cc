// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "model/kernel_module.h"

#include <algorithm>
#include <iterator>

namespace wick {

bool is_kernel_module(std::string_view path) {
  if (path.empty()) { return false; }
  if (path.front() == '[') {
    constexpr std::string_view kUser[] = {"[unknown]", "[vdso]",    "[vdso32]",  "[vdsox32]", "[vsyscall]",
                                          "[vvar",     "[uprobes]", "[vectors]", "[sigpage]", "[heap]",
                                          "[anon",     "[stack",    "[jit",      "[JIT",      "[]"};
    return std::none_of(std::begin(kUser), std::end(kUser), [&](std::string_view user) { return path.starts_with(user); });
  }
  std::string_view base = path.substr(path.rfind('/') + 1);
  constexpr std::string_view kPacked[] = {".gz", ".xz", ".zst", ".bz2"};
  std::string_view plain = base;
  for (std::string_view end : kPacked) {
    if (plain.ends_with(end)) { plain.remove_suffix(end.size()); }
  }
  bool is_bpf = base == path && (base.starts_with("bpf_prog_") || base.starts_with("bpf_trampoline_"));
  // FreeBSD and macOS.
  bool is_other = path == "kernel" || path.ends_with("/kernel/kernel") || path.ends_with("/Kernels/kernel");
  return plain.ends_with(".ko") || base.starts_with("vmlinux") || base.starts_with("[kernel") || is_bpf || is_other;
}

}  // namespace wick
