// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Matches the functions of two profiles. Two recordings of one tool use the same names. Those of two tools differ: names have
// parameters or not, the kernel has many names, libc functions have aliases, some formats lack modules or inlined functions, and
// folded stacks begin with the command. docs/diff.md has the rules.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/module_match.h"
#include "analyze/selection.h"
#include "model/profile.h"

namespace wick {

struct MatchOptions {
  bool by_name = false;    // ignore modules
  bool strip_hex = false;  // analyze/diff_name.h
};

class FunctionMatch {
 public:
  static constexpr size_t kSides = 2;  // before, after

  FunctionMatch(const Profile& before, const Profile& after, const MatchOptions& options);

  // The common name; empty module: unknown, or ignored.
  struct Named {
    std::string name, module;
    ModuleId from{};                       // from the profile that has it
    bool kernel = false, skipped = false;  // skipped: always inlined, if inlined functions are not compared
  };
  const Named& of(size_t side, FunctionId function) const { return named_[side][function.value]; }

  // Whether the other side has no inlined functions: there their cost is in the callers, so it must be here as well.
  bool skips_inlined(size_t side) const { return skips_inlined_[side]; }

  const ModuleMatch& modules() const { return modules_; }
  bool knows_modules() const { return !by_name_; }

 private:
  void name_all(const MatchOptions& options);
  void match_loosely();
  void match_modules();
  void look_for_inlined();

  const Profile* profiles_[kSides];
  ModuleMatch modules_;
  bool loose_;  // for two different tools
  bool by_name_;
  std::vector<Named> named_[kSides];
  bool skips_inlined_[kSides] = {false, false};
};

// Outermost functions of `profile` that are commands, as in folded stacks: it has no thread and process names, and nearly all its
// stacks begin with a command of `other`. Otherwise empty.
std::set<std::string> find_command_frames(const Profile& profile, const Selection& selection, const Profile& other);

// The part of a function's name that tools agree on: without parameters, template arguments, marks ("_[k]") and libc's prefixes.
std::string loose_name(std::string_view name);

}  // namespace wick
