// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/proc_maps.h"

#include <sys/sysmacros.h>

#include <cerrno>
#include <optional>
#include <string>

#include "base/fd.h"
#include "base/text.h"

namespace wick {
namespace {

// The kernel writes a newline within a path as \012, and nothing else otherwise.
std::string unescape_newlines(std::string_view path) {
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

// The next word of a line; blanks before it are skipped.
std::string_view next_word(std::string_view& line) {
  size_t first = line.find_first_not_of(' ');
  line.remove_prefix(first == std::string_view::npos ? line.size() : first);
  std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  return word;
}

// "start-end perms offset major:minor inode   path": the path may hold blanks, so it is the rest of the line.
std::optional<MmapEvent> parse_line(std::string_view line) {
  std::string_view range = next_word(line);
  std::string_view permissions = next_word(line);
  std::string_view offset = next_word(line);
  std::string_view device = next_word(line);
  std::string_view inode = next_word(line);
  if (permissions.size() < 3 || permissions[2] != 'x') { return std::nullopt; }
  size_t dash = range.find('-'), colon = device.find(':');
  if (dash == std::string_view::npos || colon == std::string_view::npos) { return std::nullopt; }
  std::optional<uint64_t> start = parse_u64(range.substr(0, dash), 16), end = parse_u64(range.substr(dash + 1), 16);
  std::optional<uint64_t> file_offset = parse_u64(offset, 16), node = parse_u64(inode);
  std::optional<uint64_t> major_number = parse_u64(device.substr(0, colon), 16),
                          minor_number = parse_u64(device.substr(colon + 1), 16);
  if (!start || !end || *end <= *start || !file_offset || !node || !major_number || !minor_number) { return std::nullopt; }

  MmapEvent event;
  event.start = *start;
  event.length = *end - *start;
  event.file_offset = *file_offset;
  event.device = makedev(static_cast<unsigned>(*major_number), static_cast<unsigned>(*minor_number));
  event.inode = *node;
  size_t path_at = line.find_first_not_of(' ');
  std::string_view path = path_at == std::string_view::npos ? std::string_view() : line.substr(path_at);
  if (path.starts_with('/')) { path = without_deleted(path); }
  event.path = path.empty() ? "//anon" : unescape_newlines(path);
  return event;
}

}  // namespace

std::vector<MmapEvent> parse_proc_maps(std::string_view text, uint32_t pid, uint64_t time_ns) {
  std::vector<MmapEvent> mappings;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : line.size());
    std::optional<MmapEvent> mapping = parse_line(line);
    // The vsyscall page of x86_64 is the kernel's: code there never runs as user code.
    if (!mapping || mapping->path == "[vsyscall]") { continue; }
    mapping->time_ns = time_ns;
    mapping->pid = mapping->tid = pid;
    mappings.push_back(std::move(*mapping));
  }
  return mappings;
}

Result<std::vector<MmapEvent>> load_proc_maps(pid_t pid, pid_t tid, uint64_t time_ns) {
  Result<std::string> text = read_file(strf("/proc/%d/task/%d/maps", pid, tid));
  if (!text.ok()) {
    int error = text.error().errnum();
    bool ended = error == ENOENT || error == ESRCH;
    if (ended) { return std::vector<MmapEvent>(); }
    return std::move(text).error();
  }
  return parse_proc_maps(*text, static_cast<uint32_t>(pid), time_ns);
}

}  // namespace wick
