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

// The instructions of a function as a JIT compiler logged them.
struct GeneratedBody {
  uint64_t address = 0, weight = 0;
  std::string bytes;
  std::vector<uint32_t> rows;  // of the wanted addresses, those in this function
};
// Which functions' instructions to read.
struct GeneratedCodeWish {
  std::vector<uint64_t> weights;  // parallel to the wanted addresses; empty: none is read
  uint64_t least_weight = 0;      // of a function
  uint64_t most_bytes = 0;        // of a function
};
std::vector<GeneratedName> name_generated_code(const JitFiles& files, std::vector<CodeAddress> wanted,
                                               const GeneratedCodeWish& wish, std::vector<GeneratedBody>& bodies);

}  // namespace wick
