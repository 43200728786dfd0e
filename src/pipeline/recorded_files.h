// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The files that were mapped in a recording of the past, perhaps of another machine: below --symfs, by their path here, in perf's
// own cache (~/.debug) and among the debug files that the user names. A file counts only where its build-id is the recorded one;
// where none was recorded, by its inode; below --symfs, and where an old perf on this machine recorded none, by its path.

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/raw.h"
#include "module/debug_file.h"
#include "module/module.h"

namespace wick {

struct RecordedMachine {
  bool is_here = false;         // recorded on this host
  bool is_this_kernel = false;  // and by the kernel that runs now: its vDSO is ours
  std::string build_id_cache;   // perf's, usually ~/.debug; empty: none
};

class RecordedFiles {
 public:
  RecordedFiles(RecordedMachine machine, DebugPlaces places) : machine_(std::move(machine)), places_(std::move(places)) {}

  // Of a path, for mappings that do not tell it themselves. The first one counts.
  void add_build_id(const std::string& path, const std::string& build_id) { build_ids_.emplace(path, build_id); }
  const LoadedModule* open(ModuleStore& store, const MmapEvent& event);

  // Files that are here, but not as they were recorded.
  const std::vector<std::string>& changed() const { return changed_; }
  // Files of another machine that have a namesake here, and nothing tells whether it is the same.
  const std::vector<std::string>& unproven() const { return unproven_; }

 private:
  const LoadedModule* find(ModuleStore& store, const MmapEvent& event, const std::string& build_id);
  const LoadedModule* find_vdso(ModuleStore& store, const std::string& build_id);

  RecordedMachine machine_;
  DebugPlaces places_;
  std::unordered_map<std::string, std::string> build_ids_;
  std::map<std::pair<std::string, std::string>, const LoadedModule*> known_;  // by path and build-id
  std::vector<std::string> changed_, unproven_;
};

// perf's cache of this user; empty when there is none.
std::string find_build_id_cache();

}  // namespace wick
