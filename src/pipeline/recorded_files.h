// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Finds the files mapped in an older recording, perhaps of another machine: below --symfs, at their path here, in perf's cache
// (~/.debug) and among the given debug files. The build ID must match. If none was recorded, the inode must match; below --symfs,
// and for an old perf on this machine, the path is enough.

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
  bool is_this_kernel = false;  // by the running kernel: its vDSO is ours
  std::string build_id_cache;   // perf's cache, usually ~/.debug; empty: none
};

class RecordedFiles {
 public:
  RecordedFiles(RecordedMachine machine, DebugPlaces places) : machine_(std::move(machine)), places_(std::move(places)) {}

  // The build ID of a path, for mappings that lack one. The first one wins.
  void add_build_id(const std::string& path, const std::string& build_id) { build_ids_.emplace(path, build_id); }
  const LoadedModule* open(ModuleStore& store, const MmapEvent& event);

  // Files that exist here but differ from the recorded ones.
  const std::vector<std::string>& changed() const { return changed_; }
  // Files of another machine with a namesake here that cannot be verified.
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

// perf's cache of this user; empty if there is none.
std::string find_build_id_cache();

}  // namespace wick
