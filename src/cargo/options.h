// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace wick::cargo {

enum class TargetKind { kBin, kExample, kTest, kBench, kUnitTest };

// What to build, as typed.
struct Options {
  bool has_kind = false;  // --bin, --example, --test, --bench or --unit-test
  TargetKind kind = TargetKind::kBin;
  std::string name{};  // empty: the only one
  std::string package{}, profile{}, manifest_path{}, target_dir{}, triple{}, jobs{};
  std::vector<std::string> features{};
  bool dev = false, all_features = false, no_default_features = false, quiet = false;
  bool locked = false, offline = false, frozen = false;
};

// The profile that cargo builds with.
std::string profile_name(const Options& options, TargetKind kind);

}  // namespace wick::cargo
