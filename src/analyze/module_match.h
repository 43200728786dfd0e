// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which modules of two profiles are the same program or library, although their files may have other names: app and app.old,
// deps/bench-HASH of two builds, libfoo.so.1.2 and libfoo.so.1.3. docs/diff.md has the rules for users.
//
// Each module gets at most one counterpart, by the first rule that finds one:
//   1. the same build ID
//   2. the same name
//   3. both are the program that was recorded
//   4. the same name without versions and hashes, if only one module of each side has it
// Rules 3 and 4 are guesses, so the functions have the last word: modules whose functions are others stay apart.

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/profile.h"

namespace wick {

class ModuleMatch {
 public:
  static constexpr size_t kSides = 2;  // before, after

  ModuleMatch(const Profile& before, const Profile& after);

  // What both sides call it: as in `after`, if both have it.
  const std::string& name(size_t side, ModuleId module) const { return names_[side][module.value]; }
  // Threads and processes are called like their program, until they choose another name.
  std::string thread_name(size_t side, std::string_view name) const;
  // A sentence for each pair with different names.
  std::vector<std::string> notes() const;

 private:
  std::vector<std::string> names_[kSides];                    // by module
  std::vector<std::pair<std::string, std::string>> renamed_;  // in before, in after
  std::unordered_map<std::string, std::string> threads_;      // of before, by their names there
};

// "[kernel]" for all that it is called; other names stay.
std::string_view common_module_name(std::string_view name);

// Without a version ("libfoo.so.1.2", "libc-2.31.so", "liblua5.4.so") or a hash of the build ("bench-0123456789abcdef").
// Numbers that may tell two modules apart stay ("worker-1", "libgtk-3.so").
std::string module_stem(std::string_view name);

}  // namespace wick
