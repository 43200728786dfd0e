// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lines and inlined functions of the running kernel, where the file that it was made as (vmlinux, with debug information) is
// here.

#include <memory>
#include <string>
#include <vector>

#include "symbolize/kernel_symbols.h"

namespace wick {

// Which kernel runs, and where its file may lie.
struct KernelPlaces {
  std::string notes = "/sys/kernel/notes";  // its build-id
  std::string release;                      // as uname has it; empty: this one's
  std::string root;                         // before all the usual paths
};

std::string load_kernel_build_id(const KernelPlaces& kernel = {});  // empty when it does not tell
std::vector<std::string> vmlinux_candidates(const KernelPlaces& kernel, const std::string& build_id, const DebugPlaces& places);

// `symbols` and what a vmlinux of the same build adds to them; as they were when there is none.
std::unique_ptr<FileSymbols> add_vmlinux(std::unique_ptr<KernelSymbols> symbols, const SymbolSources& sources,
                                         const KernelPlaces& kernel = {});

}  // namespace wick
