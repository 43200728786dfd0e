// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace wick {

struct CodeRange {
  uint64_t begin = 0, end = 0;
};

// The compiled functions of a BPF program. Empty if the kernel hides their addresses.
std::vector<CodeRange> find_bpf_code(int program_fd);
// Those of all loaded programs. Empty without the right to list them (CAP_SYS_ADMIN).
std::vector<CodeRange> find_all_bpf_code();

}  // namespace wick
