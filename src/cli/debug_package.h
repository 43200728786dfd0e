// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Finds the debug package of a program of the distribution, from files on this machine.

#include <span>
#include <string>

namespace wick {

struct PackageFacts {
  std::string dpkg_info = "/var/lib/dpkg/info";  // NAME.list or NAME:ARCH.list: the paths of a package's files
  std::string os_release = "/etc/os-release";
  std::string apt_lists = "/var/lib/apt/lists";  // SERVER_PATH_dists_SUITE_…_Packages: what apt can install
  std::string debuginfod_find = "debuginfod-find";
};

// The Debian package that contains a file, without running dpkg; empty if there is none.
std::string find_package(const std::string& path, const PackageFacts& facts = {});

// Where the debug file of a program or library of the distribution comes from: a package, or a command that fetches it. Both are
// empty for other files.
struct DebugFileSource {
  std::string package{}, fetch{};
  bool needs_archive = false;  // the package is in an archive that apt does not know
  bool empty() const { return package.empty() && fetch.empty(); }
};
DebugFileSource find_debug_file_source(const std::string& path, const std::string& build_id, const PackageFacts& facts = {});

// One command for all of them; empty if there are none.
std::string debug_files_command(std::span<const DebugFileSource> sources, const PackageFacts& facts = {});
// For one file.
std::string debug_file_command(const std::string& path, const std::string& build_id, const PackageFacts& facts = {});

}  // namespace wick
