// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Matches the modules of two profiles, although their files may have different names: app and app.old, deps/bench-HASH of two
// builds, libfoo.so.1.2 and libfoo.so.1.3. docs/diff.md has the rules.
//
// Each module gets at most one counterpart, by the first rule that finds one:
//   1. the same build ID
//   2. the same name
//   3. both are the recorded program
//   4. the same name without versions and hashes, if unique on each side
// Rules 3 and 4 are guesses, so functions decide: modules with different functions stay separate.

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

  // The common name: as in `after`, if both sides have the module.
  const std::string& name(size_t side, ModuleId module) const { return names_[side][module.value]; }
  // Threads and processes have the name of their program until they choose another one.
  std::string thread_name(size_t side, std::string_view name) const;
  // A sentence for each pair with different names.
  std::vector<std::string> notes() const;

 private:
  std::vector<std::string> names_[kSides];                    // by module
  std::vector<std::pair<std::string, std::string>> renamed_;  // (before, after)
  std::unordered_map<std::string, std::string> threads_;      // names in before
};

// "[kernel]" for any of its names; other names unchanged.
std::string_view common_module_name(std::string_view name);

// Drops a version ("libfoo.so.1.2", "libc-2.31.so", "liblua5.4.so") or a build hash ("bench-0123456789abcdef"). Keeps numbers
// that may distinguish two modules ("worker-1", "libgtk-3.so").
std::string module_stem(std::string_view name);

}  // namespace wick
