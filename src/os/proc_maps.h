// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parses /proc/PID/maps.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wick {

struct MapsLine {
  uint64_t start = 0, end = 0, file_offset = 0;
  uint64_t device = 0, inode = 0;
  bool is_executable = false;
  std::string_view range;  // "start-end" as printed: the name in map_files
  std::string_view path;   // as printed, including "[vdso]" or ""
};

// Removes the next line from `text` and parses it. Skips malformed lines; nullopt at the end.
std::optional<MapsLine> next_maps_line(std::string_view& text);

// The path in the file system: without " (deleted)", and with the newlines that the kernel escapes as \012.
std::string unescape_maps_path(std::string_view path);

}  // namespace wick
