// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Writes a profile, or a comparison of two, in another format: `wick export`.

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/profile_options.h"

namespace wick {

// As typed.
struct ExportArguments {
  ProfileOptions profile;
  std::string after;  // compared with profile.file
  std::string format, output;
  std::vector<std::string> source_dirs;
  bool quiet = false, no_source = false;
};

Status run_export(const ExportArguments& options);

}  // namespace wick
