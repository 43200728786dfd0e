// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "os/search_path.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "base/text.h"

namespace wick {
namespace {

bool is_program(const std::string& path) {
  struct stat info{};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::string find_program(const std::string& name) {
  if (name.empty()) { return {}; }
  if (name.find('/') != std::string::npos) { return is_program(name) ? name : std::string(); }
  const char* path = std::getenv("PATH");
  for (std::string_view folder : split(path != nullptr ? path : "/bin:/usr/bin", ':')) {
    std::string candidate = std::string(folder.empty() ? "." : folder) + "/" + name;  // an empty entry is the current directory
    if (is_program(candidate)) { return candidate; }
  }
  return {};
}

}  // namespace wick
