// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which settings of the user's profile leave out debug info or symbols, and how to override them for one build. Cargo has no
// stable way to print a resolved profile, so wick reads the few keys from the files and variables that cargo reads, with cargo's
// precedence: variables, then .cargo/config.toml, then Cargo.toml, each for a profile before those for its base. What cargo
// really used is checked against its messages after the build (artifact.h).

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cargo/toml.h"

namespace wick::cargo {

struct SettingsFile {
  std::string name;  // for messages
  std::vector<TomlValue> values;
};

struct SettingSources {
  SettingsFile manifest;              // Cargo.toml of the workspace root
  std::vector<SettingsFile> configs;  // .cargo/config.toml, nearest first
  std::function<std::optional<std::string>(const std::string&)> variable;
};

struct BuildSettings {
  // For the environment of cargo.
  std::vector<std::pair<std::string, std::string>> environment;
  // For the command line: "--config", "profile.x.debug=1".
  std::vector<std::string> arguments;
  std::vector<std::string> notes;  // what was overridden, one line each
  std::vector<std::string> warnings;
};

BuildSettings plan_build_settings(const std::string& profile, const SettingSources& sources);

// The [env] tables: variables for the program.
struct ProgramVariable {
  std::string name, value;
  bool force = false, is_relative = false;
};
std::vector<ProgramVariable> program_variables(const SettingsFile& config);

}  // namespace wick::cargo
