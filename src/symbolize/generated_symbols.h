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

// Names of code that a process made, in the order of `wanted`; without a function where nothing tells of the address. What its
// logs (jitdump) say goes before its map, and both before those of the process that it was forked from.
std::vector<GeneratedName> name_generated_code(const JitFiles& files, std::vector<CodeAddress> wanted);

}  // namespace wick
