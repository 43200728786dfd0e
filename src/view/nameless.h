// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Files whose samples lack symbols or lines. cli/name_advice.h advises what to do on this machine.

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/selection.h"

namespace wick {

// A file with samples that lack something.
struct LackingFile {
  std::string path, build_id;
  std::string trouble;  // why the recorder could not read it, if known
  std::string process;  // the process that ran it, for code without a file
  uint64_t samples = 0;
  std::string imported_from = {};  // format of another tool; empty for a recording of wick
};

// Counts the selected samples whose innermost function has no symbol, by file.
std::vector<LackingFile> compute_nameless(const Profile& profile, const Selection& selection);
// The same for those with a symbol but no source file. Only of files on disk.
std::vector<LackingFile> compute_lineless(const Profile& profile, const Selection& selection);

}  // namespace wick
