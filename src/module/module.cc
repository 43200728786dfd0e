// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A mapping has the path that the process saw when it mapped the file. By the time wick looks, the process may be in another
// mount namespace or gone, or the file deleted or replaced by a new build. So wick tries several paths and compares each with the
// mapped inode; a different file would give wrong symbols and wrong stacks.

#include "module/module.h"

#include <elf.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstring>

#include "base/hash.h"
#include "base/text.h"
#include "os/proc_files.h"

namespace wick {
namespace {

constexpr unsigned kMaxTries = 8;

bool starts_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

// Names that the kernel invents for mappings without a file.
bool is_made_up(std::string_view path) {
  return path.empty() || path[0] != '/' || starts_with(path, "//") || starts_with(path, "/dev/zero") ||
         starts_with(path, "/SYSV") || starts_with(path, "/memfd:") || starts_with(path, "/anon_hugepage");
}

enum class Match { kSame, kReplaced };

Match compare(const struct stat& info, const ModuleRequest& request) {
  if (request.inode == 0 || info.st_ino == request.inode) { return Match::kSame; }
  // An overlay file system shows the inode with the layer number in its upper bits, and another device.
  bool overlay = info.st_dev != request.device && (info.st_ino & UINT32_MAX) == (request.inode & UINT32_MAX);
  return overlay ? Match::kSame : Match::kReplaced;
}

// "no such file or directory": the attempted path, possibly in /proc, means nothing to users.
std::string reason_of(const Error& error) {
  size_t colon = error.message().rfind(": ");
  return colon == std::string::npos ? error.message() : error.message().substr(colon + 2);
}

// The kernel's link to the mapped file.
std::string map_file_of(const ModuleRequest& request) {
  return request.pid == 0 || request.inode == 0 ? "" : find_map_file(request.pid, request.device, request.inode);
}

constexpr char kTextIdentity[] = "text-";

}  // namespace

std::string identity_of(const LoadedModule& module) {
  if (!module.build_id.empty() || !module.image) { return module.build_id; }
  uint64_t hash = 0;
  for (const elf::Segment& segment : module.image->segments()) {
    if (segment.type != PT_LOAD || !(segment.flags & PF_X)) { continue; }
    hash = hash_pair(hash, hash_pair(segment.vaddr, hash_bytes(module.image->segment_bytes(segment))));
  }
  return strf("%s%016" PRIx64, kTextIdentity, hash);
}

bool is_build_id(std::string_view identity) { return !identity.empty() && !identity.starts_with(kTextIdentity); }

Fd open_mapped(const ModuleRequest& request) {
  std::vector<std::string> doors = {request.path, map_file_of(request)};
  if (request.pid != 0) { doors.insert(doors.begin(), path_in_root_of(request.pid, request.path)); }
  for (const std::string& door : doors) {
    Result<Fd> fd = door.empty() ? Result<Fd>(Fd()) : open_regular(door);
    struct stat info{};
    bool is_it = fd.ok() && *fd && ::fstat(fd->get(), &info) == 0 && compare(info, request) == Match::kSame;
    if (is_it) { return *std::move(fd); }
  }
  return {};
}

void ModuleStore::attach_image(LoadedModule& module, Bytes bytes) const {
  Result<elf::Image> image = elf::Image::parse(bytes);
  if (!image.ok()) {
    module.trouble = image.error().message();
    return;
  }
  module.image.emplace(*std::move(image));
  module.build_id = module.image->build_id();
  module.unwind = std::make_unique<UnwindInfo>(*module.image, module.build_id, cache_dir_);
}

std::unique_ptr<LoadedModule> ModuleStore::open(const ModuleRequest& request, const std::string& path) const {
  auto module = std::make_unique<LoadedModule>();
  module->path = path;
  bool made_up = is_made_up(path), replaced = false;
  std::string trouble;
  // Returns whether the search is over.
  auto attempt = [&](const std::string& name) {
    Result<Fd> found = look_at(name);
    struct stat info{};
    if (!found.ok() || ::fstat(found->get(), &info) != 0) {
      if (trouble.empty() && !found.ok()) { trouble = reason_of(found.error()); }
      return false;
    }
    if (compare(info, request) == Match::kReplaced) {
      replaced = true;
      return false;
    }
    if (!S_ISREG(info.st_mode)) {
      made_up = true;
      return true;
    }
    Result<Fd> fd = read_found(*found, name);
    if (!fd.ok()) {
      if (trouble.empty()) { trouble = reason_of(fd.error()); }
      return false;
    }
    Result<MappedFile> file = MappedFile::map(*fd, name);
    if (!file.ok()) {
      trouble = file.error().message();
      return false;
    }
    module->file = *std::move(file);
    attach_image(*module, module->file.bytes());
    return true;
  };
  bool done = false;
  if (!made_up) {
    done = (request.pid != 0 && attempt(path_in_root_of(request.pid, path))) ||
           attempt(request.file.empty() ? request.root + path : request.file);
  }
  // The process's executable, even if deleted; without an inode, only its name can identify it.
  if (!done && request.pid != 0 && (request.inode != 0 || !made_up)) {
    bool is_it = request.inode != 0 || without_deleted(load_executable_path(request.pid)) == path;
    if (is_it) { done = attempt(executable_link(request.pid)); }
  }
  if (!done) {
    std::string map_file = map_file_of(request);
    if (!map_file.empty()) { done = attempt(map_file); }
  }
  if (!done) { module->trouble = replaced ? "replaced since it was mapped" : trouble; }
  if (made_up && !module->image) {
    module->kind = LoadedModule::Kind::kAnonymous;
    module->trouble.clear();
  }
  return module;
}

const LoadedModule* ModuleStore::load(const ModuleRequest& request) {
  if (request.path == "[vdso]") { return vdso(); }
  std::string path(without_deleted(request.path));
  // Code without a file: there is nothing to open.
  if (is_made_up(path) && (request.inode == 0 || !starts_with(path, "/memfd:"))) {
    return anonymous(path.empty() ? "//anon" : path);
  }

  // Without an inode, the same path in another root may be another file.
  std::string key = request.inode != 0 ? strf("f%" PRIx64 ":%" PRIx64 ":", request.device, request.inode) + path
                                       : "r" + (request.pid == 0 ? "" : load_root_key(request.pid)) + request.root + ":" +
                                             request.file + ":" + path;
  std::lock_guard lock(mutex_);
  auto found = by_key_.find(key);
  bool was_read = found != by_key_.end() && !found->second->file.bytes().empty();
  if (was_read || (found != by_key_.end() && ++tries_[key] >= kMaxTries)) { return found->second; }
  std::unique_ptr<LoadedModule> module = open(request, path);
  if (found != by_key_.end() && !module->image) { return found->second; }
  return add(key, std::move(module));
}

const LoadedModule* ModuleStore::vdso() {
  std::lock_guard lock(mutex_);
  auto found = by_key_.find("v");
  if (found != by_key_.end()) { return found->second; }
  auto module = std::make_unique<LoadedModule>();
  module->kind = LoadedModule::Kind::kVdso;
  module->path = "[vdso]";
  Bytes bytes = load_own_vdso();
  module->memory.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (bytes.empty()) {
    module->trouble = "this kernel has none";
  } else {
    attach_image(*module, as_bytes(module->memory));
  }
  return add("v", std::move(module));
}

const LoadedModule* ModuleStore::anonymous(const std::string& name) {
  std::lock_guard lock(mutex_);
  auto found = by_key_.find("a" + name);
  if (found != by_key_.end()) { return found->second; }
  auto module = std::make_unique<LoadedModule>();
  module->kind = LoadedModule::Kind::kAnonymous;
  module->path = name;
  return add("a" + name, std::move(module));
}

std::vector<const LoadedModule*> ModuleStore::all() const {
  std::lock_guard lock(mutex_);
  std::vector<const LoadedModule*> out;
  for (const std::unique_ptr<LoadedModule>& module : modules_) { out.push_back(module.get()); }
  return out;
}

const LoadedModule* ModuleStore::add(const std::string& key, std::unique_ptr<LoadedModule> module) {
  module->index = static_cast<uint32_t>(modules_.size());
  modules_.push_back(std::move(module));
  by_key_[key] = modules_.back().get();
  return modules_.back().get();
}

}  // namespace wick
