// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/recorded_files.h"

#include <unistd.h>

#include <cstdlib>

#include "base/text.h"

namespace wick {
namespace {

// perf's copies: a directory that a link by build ID points to, or in older versions the file itself.
std::vector<std::string> cached_copies(const std::string& cache, const std::string& build_id) {
  if (cache.empty() || build_id.size() <= 2) { return {}; }
  std::string link = cache + "/.build-id/" + build_id.substr(0, 2) + "/" + build_id.substr(2);
  return {link + "/elf", link + "/vdso", link};
}

}  // namespace

std::string find_build_id_cache() {
  const char* home = std::getenv("HOME");
  std::string path = home != nullptr && home[0] == '/' ? std::string(home) + "/.debug" : std::string();
  return !path.empty() && ::access((path + "/.build-id").c_str(), X_OK) == 0 ? path : std::string();
}

const LoadedModule* RecordedFiles::open(ModuleStore& store, const MmapEvent& event) {
  std::string build_id = event.build_id;
  std::string path(without_deleted(event.path));
  if (build_id.empty()) {
    auto known = build_ids_.find(event.path);
    if (known == build_ids_.end()) { known = build_ids_.find(path); }
    if (known != build_ids_.end()) { build_id = known->second; }
  }
  auto [entry, is_new] = known_.try_emplace({event.path, build_id});
  if (is_new) { entry->second = find(store, event, build_id); }
  return entry->second;
}

const LoadedModule* RecordedFiles::find(ModuleStore& store, const MmapEvent& event, const std::string& build_id) {
  if (event.path == "[vdso]") { return find_vdso(store, build_id); }
  std::string path(without_deleted(event.path));
  bool is_file = path.starts_with('/') && !path.starts_with("//") && !path.starts_with("/memfd:") && !path.starts_with("/dev/") &&
                 !path.starts_with("/SYSV") && !path.starts_with("/anon_hugepage");
  if (!is_file) { return store.load({0, path, 0, 0}); }
  bool changed = false;
  auto fits = [&](const LoadedModule* module) {
    if (!module->image) { return false; }
    bool same = build_id.empty() || module->build_id == build_id;
    changed |= !same;
    // A debug file has the build ID, but no code.
    return same && module->svma(event.file_offset).has_value();
  };
  if (!places_.symfs.empty()) {
    const LoadedModule* module = store.load({0, path, 0, 0, places_.symfs});
    if (fits(module)) { return module; }
  }
  // Without a build ID, only the inode identifies the mapped file.
  bool check_inode = build_id.empty();
  const LoadedModule* module = store.load({0, path, check_inode ? event.device : 0, check_inode ? event.inode : 0});
  bool is_other = module->trouble == "replaced since it was mapped";
  bool is_known = !build_id.empty() || machine_.is_here || event.inode != 0;
  if (is_known && fits(module)) { return module; }
  if (!build_id.empty()) {
    std::vector<std::string> copies = cached_copies(machine_.build_id_cache, build_id);
    for (const std::string& copy : build_id_candidates(build_id, places_)) { copies.push_back(copy); }
    for (const std::string& copy : copies) {
      if (::access(copy.c_str(), R_OK) != 0) { continue; }
      const LoadedModule* cached = store.load({0, path, 0, 0, {}, copy});
      if (fits(cached)) { return cached; }
    }
  }
  if (changed || (is_other && machine_.is_here)) {
    changed_.push_back(path);
  } else if (is_other || (!is_known && module->image)) {
    unproven_.push_back(path);
  }
  // A path that does not exist marks the file as unreadable.
  return module->image ? store.load({0, path, 0, 0, {}, "/nonexistent"}) : module;
}

const LoadedModule* RecordedFiles::find_vdso(ModuleStore& store, const std::string& build_id) {
  const LoadedModule* ours = store.vdso();
  if (ours->image && (build_id.empty() ? machine_.is_this_kernel : ours->build_id == build_id)) { return ours; }
  for (const std::string& copy : cached_copies(machine_.build_id_cache, build_id)) {
    if (::access(copy.c_str(), R_OK) != 0) { continue; }
    const LoadedModule* cached = store.load({0, "/vdso", 0, 0, {}, copy});
    if (cached->image && cached->build_id == build_id) { return cached; }
  }
  return store.anonymous("[vdso]");
}

}  // namespace wick
