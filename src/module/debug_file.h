// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Separate debug files, as distributions ship them (libc6-dbg) and `objcopy --only-keep-debug` makes them.

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/fd.h"
#include "elf/image.h"

namespace wick {

struct DebugFile {
  std::string path;
  MappedFile file;  // what `image` views
  elf::Image image;
};

// Has it names of its own: a full symbol table; lines and inlined functions?
bool has_symbol_table(const elf::Image& image);
bool has_debug_info(const elf::Image& image);

struct DebugLink {
  std::string name;
  uint32_t crc = 0;
};
std::optional<DebugLink> read_debug_link(const elf::Image& image);

// Where the user has such files besides the usual places.
struct DebugPlaces {
  std::vector<std::string> debug_dirs;  // looked at before /usr/lib/debug, and laid out like it or flat
  std::string symfs;                    // the root of another machine: every path is looked for below it first
  std::unordered_map<std::string, std::string> by_build_id;  // files that are known to be of that build

  bool any() const { return !debug_dirs.empty() || !symfs.empty(); }
};
// Notes the build-ids of the files that lie in the debug dirs themselves (not of those deeper), whatever they are called.
void index_debug_dirs(DebugPlaces& places);

// The file that dwz has moved common parts of several debug files into (.gnu_debugaltlink).
struct SupplementLink {
  std::string name, build_id;  // build_id: hex
};
std::optional<SupplementLink> read_supplement_link(const elf::Image& debug);
// Where it may lie, best first; none when there is no link.
std::vector<std::string> supplement_candidates(const elf::Image& debug, const std::string& debug_path,
                                               const DebugPlaces& places = {});

// Where the debug file of a build may lie, whatever program it belongs to.
std::vector<std::string> build_id_candidates(const std::string& build_id, const DebugPlaces& places = {});

// Where the debug file of `image` may lie, best first: by build-id, by the name in .gnu_debuglink beside the program, by the
// program's own name where the user has such files, and where debuginfod-find puts what it fetched.
std::vector<std::string> debug_file_candidates(const elf::Image& image, const std::string& path, const DebugPlaces& places = {});

// The first of them that is there, of the same build (equal build-ids, or the checksum of the link where there is none) and has
// debug information; else the first that has a symbol table.
std::optional<DebugFile> find_debug_file(const elf::Image& image, const std::string& path, const DebugPlaces& places = {});

}  // namespace wick
