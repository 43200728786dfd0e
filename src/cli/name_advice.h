// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The quality line: which files' samples have no names (or no lines), why, and the one command or flag that would bring them.

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/selection.h"
#include "cli/debug_package.h"
#include "pipeline/recording.h"

namespace wick {

// A file with samples that lack something.
struct LackingFile {
  std::string path, build_id;
  std::string trouble;  // why the recorder could not read it; empty: it could, or that is not known
  std::string process;  // that ran it, for code that is in no file
  uint64_t samples = 0;
  std::string imported_from = {};  // perf.data or what else another tool wrote; empty: a recording of ours
};

enum class Lack : uint8_t { kNames, kLines };

// Why, and what to do: "stripped: build it with -g, no -s".
std::string advise(const LackingFile& file, Lack lack, const PackageFacts& facts = {});

// One line with the share of all samples and one for each of the worst files; none where it is not worth telling.
std::vector<std::string> describe_lack(Lack lack, std::vector<LackingFile> files, uint64_t all_samples,
                                       const PackageFacts& facts = {});

// Of the selected samples: those whose innermost function has no name, by file.
std::vector<LackingFile> compute_nameless(const Profile& profile, const Selection& selection);

}  // namespace wick
