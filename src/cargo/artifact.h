// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The program that cargo has built, from the JSON lines of `cargo build --message-format=json`.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cargo/workspace.h"

namespace wick::cargo {

struct Artifact {
  std::string executable, package_id;
  bool has_debug_info = false, is_optimized = false;
  // From the build script of its package.
  std::string out_dir;
  std::vector<std::pair<std::string, std::string>> script_environment;
  std::vector<std::string> native_directories;  // of all build scripts
};

// Skips lines that are not JSON: a wrapper of rustc may print something.
Result<Artifact> find_artifact(std::string_view messages, const Candidate& target);

}  // namespace wick::cargo
