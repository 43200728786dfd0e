// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A mapping gives a path as the process saw it when it mapped the file. By the time we look, the process may live in another
// mount namespace, be gone, or the file may have been deleted or replaced by a new build. So several doors are tried, and what is
// behind each is compared with the inode that was mapped; a file that is not the one that ran would give wrong names and wrong
// stacks.

#include "module/module.h"

#include <elf.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstring>

#include "base/hash.h"
#include "base/text.h"

namespace wick {
namespace {

constexpr unsigned kMaxTries = 8;

bool starts_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

// Names the kernel makes up for what is no file.
bool is_made_up(std::string_view path) {
  return path.empty() || path[0] != '/' || starts_with(path, "//") || starts_with(path, "/dev/zero") ||
         starts_with(path, "/SYSV") || starts_with(path, "/memfd:") || starts_with(path, "/anon_hugepage");
}

enum class Match { kSame, kReplaced };

Match compare(const struct stat& info, const ModuleRequest& request) {
  if (request.inode == 0 || info.st_ino == request.inode) { return Match::kSame; }
  // An overlay of several file systems shows the inode with the layer's number in the upper bits, and another device.
  bool overlay = info.st_dev != request.device && (info.st_ino & UINT32_MAX) == (request.inode & UINT32_MAX);
  return overlay ? Match::kSame : Match::kReplaced;
}

// "no such file or directory": the path of the attempt, which may be one in /proc, says nothing to people.
std::string reason_of(const Error& error) {
  size_t colon = error.message().rfind(": ");
  return colon == std::string::npos ? error.message() : error.message().substr(colon + 2);
}

// Which root a process has, as text for a key; empty for our own.
std::string root_key(uint32_t pid) {
  struct stat theirs{}, ours{};
  bool differs = pid != 0 && ::stat(strf("/proc/%u/root", pid).c_str(), &theirs) == 0 && ::stat("/", &ours) == 0 &&
                 (theirs.st_dev != ours.st_dev || theirs.st_ino != ours.st_ino);
  return differs ? strf("%" PRIx64 ":%" PRIx64, static_cast<uint64_t>(theirs.st_dev), static_cast<uint64_t>(theirs.st_ino))
                 : std::string();
}

// The name under which the kernel offers the mapped file itself, whatever became of its path. Needs CAP_SYS_ADMIN or
// CAP_CHECKPOINT_RESTORE to open, so most often it is there for root only.
std::string find_map_file(const ModuleRequest& request) {
  if (request.pid == 0 || request.inode == 0) { return {}; }
  Result<std::string> maps = read_file(strf("/proc/%u/maps", request.pid), 64u << 20);
  if (!maps.ok()) { return {}; }
  for (std::string_view line : split(*maps, '\n')) {
    // start-end perms offset major:minor inode path
    std::vector<std::string_view> words = split(line.substr(0, 128), ' ');
    if (words.size() < 5 || parse_u64(words[4]) != request.inode) { continue; }
    std::vector<std::string_view> device = split(words[3], ':');
    if (device.size() != 2) { continue; }
    uint64_t number = makedev(static_cast<unsigned>(parse_u64(device[0], 16).value_or(0)),
                              static_cast<unsigned>(parse_u64(device[1], 16).value_or(0)));
    if (request.device == 0 || number == request.device) {
      return strf("/proc/%u/map_files/%s", request.pid, std::string(words[0]).c_str());
    }
  }
  return {};
}

constexpr char kTextIdentity[] = "text-";

// The whole range of our own vDSO: its headers do not say how long it is.
Bytes own_vdso() {
  uint64_t base = ::getauxval(AT_SYSINFO_EHDR);
  if (base == 0) { return {}; }
  Result<std::string> maps = read_file("/proc/self/maps", 64u << 20);
  if (!maps.ok()) { return {}; }
  for (std::string_view line : split(*maps, '\n')) {
    size_t dash = line.find('-'), blank = line.find(' ');
    if (dash == std::string_view::npos || blank == std::string_view::npos || blank < dash) { continue; }
    std::optional<uint64_t> start = parse_u64(line.substr(0, dash), 16),
                            end = parse_u64(line.substr(dash + 1, blank - dash - 1), 16);
    if (start == base && end && *end > base) {
      return {reinterpret_cast<const uint8_t*>(base), static_cast<size_t>(*end - base)};
    }
  }
  return {};
}

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
  std::vector<std::string> doors = {request.path, find_map_file(request)};
  if (request.pid != 0) { doors.insert(doors.begin(), strf("/proc/%u/root%s", request.pid, request.path.c_str())); }
  for (const std::string& door : doors) {
    Result<Fd> fd = door.empty() ? Result<Fd>(Fd()) : open_read(door);
    struct stat info{};
    bool is_it =
        fd.ok() && *fd && ::fstat(fd->get(), &info) == 0 && S_ISREG(info.st_mode) && compare(info, request) == Match::kSame;
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
  // Says whether the search is over.
  auto attempt = [&](const std::string& name) {
    Result<Fd> fd = open_read(name);
    struct stat info{};
    if (!fd.ok() || ::fstat(fd->get(), &info) != 0) {
      if (trouble.empty() && !fd.ok()) { trouble = reason_of(fd.error()); }
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
    done = (request.pid != 0 && attempt(strf("/proc/%u/root%s", request.pid, path.c_str()))) ||
           attempt(request.file.empty() ? request.root + path : request.file);
  }
  // The executable of the process, also when it was deleted; without an inode only its name can tell that it is the one.
  if (!done && request.pid != 0 && (request.inode != 0 || !made_up)) {
    std::string exe = strf("/proc/%u/exe", request.pid);
    std::string target(4096, '\0');
    ssize_t n = request.inode == 0 ? ::readlink(exe.c_str(), target.data(), target.size()) : 0;
    target.resize(n > 0 ? static_cast<size_t>(n) : 0);
    if (request.inode != 0 || target == path || target == path + std::string(kDeleted)) { done = attempt(exe); }
  }
  if (!done) {
    std::string map_file = find_map_file(request);
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
  // Code that is in no file: nothing to open, however many such mappings there are.
  if (is_made_up(path) && (request.inode == 0 || !starts_with(path, "/memfd:"))) {
    return anonymous(path.empty() ? "//anon" : path);
  }

  // Without an inode: the same path in another root may be another file.
  std::string key = request.inode != 0 ? strf("f%" PRIx64 ":%" PRIx64 ":", request.device, request.inode) + path
                                       : "r" + root_key(request.pid) + request.root + ":" + request.file + ":" + path;
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
  Bytes bytes = own_vdso();
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
