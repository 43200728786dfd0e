// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The scalar values of a TOML file, of which wick needs a few. This is no validator: cargo has read these files before. A line
// that is not understood is skipped.

#include <string>
#include <string_view>
#include <vector>

namespace wick::cargo {

struct TomlValue {
  std::vector<std::string> path;  // {"profile", "release", "debug"}
  std::string text;               // without quotes; items of an array are separated by line breaks
  bool is(std::initializer_list<std::string_view> wanted) const;
};

std::vector<TomlValue> read_toml(std::string_view text);

// The last value of that path, or null.
const TomlValue* find_toml(const std::vector<TomlValue>& values, std::initializer_list<std::string_view> path);

}  // namespace wick::cargo
