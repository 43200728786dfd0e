// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The packages of a workspace, from `cargo metadata --no-deps`.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cargo/options.h"

namespace wick::cargo {

struct Target {
  std::string name;
  bool is_bin = false, is_example = false, is_test = false, is_bench = false, is_library = false;
  bool has_unit_tests = false;
  bool fits(TargetKind kind) const;
};

struct Package {
  std::string id, name, version, manifest_path, default_run;
  // The environment that cargo gives to the programs of this package.
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<Target> targets;
  std::string directory() const;
};

struct Workspace {
  std::string root;
  std::vector<Package> packages, default_members;
};

Result<Workspace> parse_metadata(std::string_view json);

// A target of a package; an empty package leaves the choice to cargo.
struct Candidate {
  TargetKind kind = TargetKind::kBin;
  std::string name{}, package{};
  bool is_library = false;  // whose unit tests run
  std::string arguments(bool with_package) const;  // "-p a --bin one"
};

// All that fit: one is the target, none is an error, several need a choice. A name that no package has is returned as it is, for
// cargo to report.
Result<std::vector<Candidate>> find_candidates(const Workspace& workspace, const Options& options, std::string_view current_dir);
Error explain_ambiguity(const std::vector<Candidate>& candidates);
// "binaries", "examples", …
const char* plural(TargetKind kind);
// Whether the candidates are in different packages.
bool has_several_packages(const std::vector<Candidate>& candidates);

}  // namespace wick::cargo
