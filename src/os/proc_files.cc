// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "os/proc_files.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cinttypes>
#include <optional>

#include "base/text.h"
#include "os/proc_maps.h"

namespace wick {
namespace {

constexpr size_t kMostMaps = 64u << 20;

}  // namespace

std::string path_in_root_of(uint32_t pid, const std::string& path) { return strf("/proc/%u/root%s", pid, path.c_str()); }

std::string executable_link(uint32_t pid) { return strf("/proc/%u/exe", pid); }

std::string load_executable_path(uint32_t pid) {
  std::string target(4096, '\0');
  ssize_t n = ::readlink(executable_link(pid).c_str(), target.data(), target.size());
  target.resize(n > 0 ? static_cast<size_t>(n) : 0);
  return target;
}

std::string find_map_file(uint32_t pid, uint64_t device, uint64_t inode) {
  Result<std::string> maps = read_file(strf("/proc/%u/maps", pid), kMostMaps);
  std::string_view text = maps.ok() ? std::string_view(*maps) : std::string_view();
  while (std::optional<MapsLine> line = next_maps_line(text)) {
    if (line->inode == inode && (device == 0 || line->device == device)) {
      return strf("/proc/%u/map_files/%s", pid, std::string(line->range).c_str());
    }
  }
  return {};
}

std::string load_root_key(uint32_t pid) {
  struct stat theirs{}, ours{};
  bool differs = ::stat(path_in_root_of(pid, "").c_str(), &theirs) == 0 && ::stat("/", &ours) == 0 &&
                 (theirs.st_dev != ours.st_dev || theirs.st_ino != ours.st_ino);
  return differs ? strf("%" PRIx64 ":%" PRIx64, static_cast<uint64_t>(theirs.st_dev), static_cast<uint64_t>(theirs.st_ino))
                 : std::string();
}

Fd open_tmp_of(uint32_t pid) {
  return Fd(::open(path_in_root_of(pid, "/tmp").c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

Bytes load_own_vdso() {
  uint64_t base = ::getauxval(AT_SYSINFO_EHDR);
  if (base == 0) { return {}; }
  Result<std::string> maps = read_file("/proc/self/maps", kMostMaps);
  std::string_view text = maps.ok() ? std::string_view(*maps) : std::string_view();
  while (std::optional<MapsLine> line = next_maps_line(text)) {
    if (line->start == base) { return {reinterpret_cast<const uint8_t*>(base), static_cast<size_t>(line->end - base)}; }
  }
  return {};
}

}  // namespace wick
