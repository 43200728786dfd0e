// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "os/memory.h"

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/text.h"

namespace wick {
namespace {

// The path of wick's cgroup (version 2); empty if there is none.
std::string load_own_cgroup() {
  Result<std::string> groups = read_file("/proc/self/cgroup", 1 << 20);
  for (std::string_view line : split(groups.ok() ? std::string_view(*groups) : std::string_view(), '\n')) {
    if (line.starts_with("0::")) { return std::string(line.substr(3)); }
  }
  return {};
}

}  // namespace

uint64_t usable_memory_bytes() {
  uint64_t machine = static_cast<uint64_t>(std::max(::sysconf(_SC_PHYS_PAGES), 1L)) * static_cast<uint64_t>(::getpagesize());
  // In a container the name is the host's, but the directory is the container's own.
  for (const std::string& folder : {"/sys/fs/cgroup" + load_own_cgroup(), std::string("/sys/fs/cgroup")}) {
    Result<std::string> text = read_file(folder + "/memory.max", 64);
    std::optional<uint64_t> most = text.ok() ? parse_u64(trim(*text)) : std::nullopt;
    if (most) { return std::min(machine, *most); }
  }
  return machine;
}

}  // namespace wick
