// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lines and inlined functions of the running kernel, if its vmlinux with debug info is available.

#include <memory>
#include <string>
#include <vector>

#include "symbolize/kernel_symbols.h"

namespace wick {

// Identifies the running kernel and where to look for its vmlinux.
struct KernelPlaces {
  std::string notes = "/sys/kernel/notes";  // contains its build ID
  std::string release;                      // as in uname; empty: the running kernel's
  std::string root;                         // prefix for all standard paths
  std::string kallsyms = "/proc/kallsyms", memory = "/proc/kcore", boot_id = "/proc/sys/kernel/random/boot_id";
};

std::string load_kernel_build_id(const KernelPlaces& kernel = {});  // empty if unknown
std::string load_boot_id(const KernelPlaces& kernel = {});          // likewise; a new one each boot
std::vector<std::string> vmlinux_candidates(const KernelPlaces& kernel, const std::string& build_id, const DebugPlaces& places);

// Adds the data of a vmlinux of the same build to `symbols`; returns them unchanged if there is none.
std::unique_ptr<FileSymbols> add_vmlinux(std::unique_ptr<KernelSymbols> symbols, const SymbolSources& sources,
                                         const KernelPlaces& kernel = {});

}  // namespace wick
