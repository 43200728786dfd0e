// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "module/cache_dir.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace wick {
namespace {

bool is_own_folder(const std::string& path) {
  struct stat info{};
  return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid();
}

bool make_folder(const std::string& path) { return ::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST; }

bool exists(const std::string& path) {
  struct stat info{};
  return ::lstat(path.c_str(), &info) == 0;
}

bool is_usable_folder(const std::string& path) { return is_own_folder(path) && ::access(path.c_str(), R_OK | W_OK | X_OK) == 0; }

// Creates `base` (or `base`/`inner`, if `base` must exist) and wick/ in it.
std::string make_usable(const std::string& base, const std::string& inner) {
  std::string path = base;
  if (!inner.empty()) {
    if (!is_own_folder(base)) { return {}; }
    path += "/" + inner;
  }
  std::string wick = path + "/wick";
  bool made = make_folder(path) && is_own_folder(path) && make_folder(wick);
  return made && is_usable_folder(wick) ? wick : std::string();
}

// The same without creating anything: the innermost existing directory decides.
std::string expect_usable(const std::string& base, const std::string& inner) {
  if (!inner.empty() && !is_own_folder(base)) { return {}; }
  std::string path = inner.empty() ? base : base + "/" + inner, wick = path + "/wick";
  std::string above = path.substr(0, path.rfind('/') + 1);
  bool good = exists(wick)   ? is_own_folder(path) && is_usable_folder(wick)
              : exists(path) ? is_usable_folder(path)
                             : ::access(above.c_str(), W_OK | X_OK) == 0;
  return good ? wick : std::string();
}

template <typename Usable>
std::string choose_cache_dir(Usable usable) {
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  if (xdg != nullptr && xdg[0] == '/') {  // the specification says to ignore relative paths
    std::string found = usable(xdg, "");
    if (!found.empty()) { return found; }
  }
  const char* home = std::getenv("HOME");
  return home != nullptr && home[0] == '/' ? usable(home, ".cache") : std::string();
}

}  // namespace

std::string find_cache_dir() { return choose_cache_dir(make_usable); }
std::string expected_cache_dir() { return choose_cache_dir(expect_usable); }

}  // namespace wick
