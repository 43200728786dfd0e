// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which functions of two profiles are the same. Two recordings of one tool call a function the same; two tools do not: names come
// with or without parameters, the kernel has many names, libc's functions have several, formats leave out modules or inlined
// functions, and folded stacks begin with the command. docs/diff.md tells the rules to users.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/module_match.h"
#include "analyze/selection.h"
#include "model/profile.h"

namespace wick {

struct MatchOptions {
  bool by_name = false;    // modules do not count
  bool strip_hex = false;  // analyze/diff_name.h
};

class FunctionMatch {
 public:
  static constexpr size_t kSides = 2;  // before, after

  FunctionMatch(const Profile& before, const Profile& after, const MatchOptions& options);

  // What both call it; empty module: not known, or it does not count.
  struct Named {
    std::string name, module;
    ModuleId from{};                       // of the profile that knows it
    bool kernel = false, skipped = false;  // the latter: always inlined, where that is not looked at
  };
  const Named& of(size_t side, FunctionId function) const { return named_[side][function.value]; }

  // Whether the other side does not tell what was inlined: there it is part of the callers, so it has to be here.
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
  bool loose_;  // of two tools
  bool by_name_;
  std::vector<Named> named_[kSides];
  bool skips_inlined_[kSides] = {false, false};
};

// The outermost functions of `profile` that are no functions but commands: it has no names of threads and processes, and nearly
// all of its stacks begin with one of `other`'s, as folded stacks do. Else none.
std::set<std::string> find_command_frames(const Profile& profile, const Selection& selection, const Profile& other);

// A function's name with what tools agree on: without parameters, template arguments, marks ("_[k]") and libc's prefixes.
std::string loose_name(std::string_view name);

}  // namespace wick
