// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "model/kernel_module.h"

#include <gtest/gtest.h>

namespace wick {
namespace {

TEST(KernelModule, IsRecognized) {
  for (const char* path : {"[kernel]", "[kernel.kallsyms]", "[kernel.kallsyms]_text", "[guest.kernel.kallsyms.7]", "[nf_tables]",
                           "/lib/modules/6.1/kernel/fs/ext4.ko", "ext4.ko.xz", "ext4.ko.gz", "/x/a.ko.zst", "/boot/vmlinux-6.1",
                           "vmlinux", "vmlinux.debug", "bpf_prog_12ab_f", "kernel", "/boot/kernel/kernel"}) {
    EXPECT_TRUE(is_kernel_module(path)) << path;
  }
  for (const char* path : {"", "[vdso]", "[vsyscall]", "[heap]", "[stack]", "[anon:x]", "[unknown]", "[JIT]", "/bin/app",
                           "/usr/lib/libkernel.so", "/x/kernel", "/x/bpf_prog_1", "a.korn", "a.gz"}) {
    EXPECT_FALSE(is_kernel_module(path)) << path;
  }
}

}  // namespace
}  // namespace wick
