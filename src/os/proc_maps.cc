// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "os/proc_maps.h"

#include <sys/sysmacros.h>

#include "base/text.h"

namespace wick {
namespace {

// Removes the next word from the line, with the blanks before it.
std::string_view next_word(std::string_view& line) {
  size_t first = line.find_first_not_of(' ');
  line.remove_prefix(first == std::string_view::npos ? line.size() : first);
  std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  return word;
}

// "start-end perms offset major:minor inode   path": the path may contain blanks, so it is the rest of the line.
std::optional<MapsLine> parse_line(std::string_view line) {
  MapsLine out;
  out.range = next_word(line);
  std::string_view permissions = next_word(line);
  std::string_view offset = next_word(line);
  std::string_view device = next_word(line);
  std::string_view inode = next_word(line);
  size_t dash = out.range.find('-'), colon = device.find(':');
  if (permissions.size() < 3 || dash == std::string_view::npos || colon == std::string_view::npos) { return std::nullopt; }
  std::optional<uint64_t> start = parse_u64(out.range.substr(0, dash), 16), end = parse_u64(out.range.substr(dash + 1), 16);
  std::optional<uint64_t> file_offset = parse_u64(offset, 16), node = parse_u64(inode);
  std::optional<uint64_t> major_number = parse_u64(device.substr(0, colon), 16),
                          minor_number = parse_u64(device.substr(colon + 1), 16);
  if (!start || !end || *end <= *start || !file_offset || !node || !major_number || !minor_number) { return std::nullopt; }
  out.start = *start;
  out.end = *end;
  out.file_offset = *file_offset;
  out.device = makedev(static_cast<unsigned>(*major_number), static_cast<unsigned>(*minor_number));
  out.inode = *node;
  out.is_executable = permissions[2] == 'x';
  size_t path_at = line.find_first_not_of(' ');
  out.path = path_at == std::string_view::npos ? std::string_view() : line.substr(path_at);
  return out;
}

}  // namespace

std::optional<MapsLine> next_maps_line(std::string_view& text) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : line.size());
    if (std::optional<MapsLine> found = parse_line(line)) { return found; }
  }
  return std::nullopt;
}

std::string unescape_maps_path(std::string_view path) {
  if (path.starts_with('/')) { path = without_deleted(path); }
  std::string out;
  for (size_t at = 0; at < path.size();) {
    if (path.substr(at, 4) == "\\012") {
      out += '\n';
      at += 4;
    } else {
      out += path[at++];
    }
  }
  return out;
}

}  // namespace wick
