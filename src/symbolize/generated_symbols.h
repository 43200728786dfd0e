// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "module/jit_files.h"
#include "symbolize/code_names.h"

namespace wick {

struct GeneratedName {
  std::string function, file;
  uint32_t line = 0, column = 0;
};

// Symbols of generated code, in the order of `wanted`; without a function if unknown. The process's jitdump takes precedence over
// its perf map, and both over those of the process it was forked from.
std::vector<GeneratedName> name_generated_code(const JitFiles& files, std::vector<CodeAddress> wanted);

}  // namespace wick
