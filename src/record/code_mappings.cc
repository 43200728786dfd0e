// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/code_mappings.h"

#include <cerrno>
#include <optional>
#include <string>

#include "base/fd.h"
#include "base/text.h"
#include "os/proc_maps.h"

namespace wick {
namespace {

MmapEvent event_of(const MapsLine& line) {
  MmapEvent event;
  event.start = line.start;
  event.length = line.end - line.start;
  event.file_offset = line.file_offset;
  event.device = line.device;
  event.inode = line.inode;
  event.path = line.path.empty() ? "//anon" : unescape_maps_path(line.path);
  return event;
}

}  // namespace

std::vector<MmapEvent> parse_code_mappings(std::string_view text, uint32_t pid, uint64_t time_ns) {
  std::vector<MmapEvent> mappings;
  while (std::optional<MapsLine> line = next_maps_line(text)) {
    // x86_64's vsyscall page belongs to the kernel: code there never runs as user code.
    if (!line->is_executable || line->path == "[vsyscall]") { continue; }
    MmapEvent mapping = event_of(*line);
    mapping.time_ns = time_ns;
    mapping.pid = mapping.tid = pid;
    mappings.push_back(std::move(mapping));
  }
  return mappings;
}

Result<std::vector<MmapEvent>> load_code_mappings(pid_t pid, pid_t tid, uint64_t time_ns) {
  Result<std::string> text = read_file(strf("/proc/%d/task/%d/maps", pid, tid));
  if (!text.ok()) {
    int error = text.error().errnum();
    bool ended = error == ENOENT || error == ESRCH;
    if (ended) { return std::vector<MmapEvent>(); }
    return std::move(text).error();
  }
  return parse_code_mappings(*text, static_cast<uint32_t>(pid), time_ns);
}

}  // namespace wick
