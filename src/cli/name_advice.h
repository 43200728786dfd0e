// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The quality lines of a summary: which files lack symbols (or lines), why, and the command or flag that adds them.

#include <cstdint>
#include <string>
#include <vector>

#include "cli/debug_package.h"
#include "view/nameless.h"

namespace wick {

enum class Lack : uint8_t { kNames, kLines };

// The reason and what to do: "stripped: build with -g, no -s".
struct Advice {
  std::string text;
  DebugFileSource debug_file{};  // that would help
};
Advice advise(const LackingFile& file, Lack lack, const PackageFacts& facts = {});

// A line with the share of all samples and one for each of the worst files; empty if too few samples are affected. The lines are
// short: the caller says how to get the debug files, once for all.
struct LackText {
  std::vector<std::string> lines;
  std::vector<DebugFileSource> debug_files;
  std::vector<std::string> debug_file_paths;  // the files that they belong to
};
LackText describe_lack(Lack lack, std::vector<LackingFile> files, uint64_t all_samples, const PackageFacts& facts = {});

}  // namespace wick
