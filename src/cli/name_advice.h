// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The quality line: which files' samples have no names (or no lines), why, and the one command or flag that would bring them.

#include <cstdint>
#include <string>
#include <vector>

#include "cli/debug_package.h"
#include "view/nameless.h"

namespace wick {

enum class Lack : uint8_t { kNames, kLines };

// Why, and what to do: "stripped: build it with -g, no -s".
std::string advise(const LackingFile& file, Lack lack, const PackageFacts& facts = {});

// One line with the share of all samples and one for each of the worst files; none where it is not worth telling.
std::vector<std::string> describe_lack(Lack lack, std::vector<LackingFile> files, uint64_t all_samples,
                                       const PackageFacts& facts = {});

}  // namespace wick
