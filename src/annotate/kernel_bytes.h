// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The instructions of a recorded kernel, if the recording does not contain them: from the memory of the running kernel if that is
// the recorded one, since boot; else from its vmlinux.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "elf/code_ranges.h"
#include "model/profile.h"
#include "module/kernel_memory.h"
#include "module/module.h"
#include "symbolize/symbolizer.h"
#include "symbolize/vmlinux.h"

namespace wick {

struct KernelBytes {
  std::optional<KernelMemory> memory;     // if the recorded kernel runs and may be read
  const LoadedModule* vmlinux = nullptr;  // otherwise, if found
  std::unique_ptr<const FileSymbols> symbols;
  uint64_t moved = 0;      // distance of recorded addresses to those of `symbols` and `vmlinux`, modulo 2^64
  elf::AddressRange core;  // of `memory`: the kernel itself, without its modules and BPF programs
  bool is_same_boot = false;
  bool is_core(uint64_t address) const { return address >= core.begin && address < core.end; }
  std::string note;  // where instructions come from, or why there are none
};

KernelBytes open_kernel_bytes(const KernelIdentity& kernel, const SymbolSources& sources, ModuleStore& store,
                              const KernelPlaces& places = {});

}  // namespace wick
