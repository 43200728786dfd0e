// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Separate debug files, as shipped by distributions (libc6-dbg) and made by `objcopy --only-keep-debug`.

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/fd.h"
#include "base/mapped_file.h"
#include "elf/image.h"

namespace wick {

struct DebugFile {
  std::string path;
  MappedFile file;  // backs `image`
  elf::Image image;
};

// Whether the file has a full symbol table; lines and inlined functions.
bool has_symbol_table(const elf::Image& image);
bool has_debug_info(const elf::Image& image);

struct DebugLink {
  std::string name;
  uint32_t crc = 0;
};
std::optional<DebugLink> read_debug_link(const elf::Image& image);

// The user's additional locations of debug files.
struct DebugPlaces {
  std::vector<std::string> debug_dirs;                       // searched before /usr/lib/debug, with the same layout or flat
  std::string symfs;                                         // the root of another machine: every path is tried below it first
  std::unordered_map<std::string, std::string> by_build_id;  // files known to have that build ID

  bool any() const { return !debug_dirs.empty() || !symfs.empty(); }
};
// Records the build IDs of all files directly in the debug directories (not in subdirectories), whatever their names.
void index_debug_dirs(DebugPlaces& places);

// The file into which dwz moved the common parts of several debug files (.gnu_debugaltlink).
struct SupplementLink {
  std::string name, build_id;  // build_id: hex
};
std::optional<SupplementLink> read_supplement_link(const elf::Image& debug);
// Candidate paths, best first; none if there is no link.
std::vector<std::string> supplement_candidates(const elf::Image& debug, const std::string& debug_path,
                                               const DebugPlaces& places = {});

// Candidate paths of the debug file for a build ID, whatever the program.
std::vector<std::string> build_id_candidates(const std::string& build_id, const DebugPlaces& places = {});

// Candidate paths of the debug file of `image`, best first: by build ID, by the .gnu_debuglink name next to the program, by the
// program's name in the user's debug directories, and in debuginfod-find's cache.
std::vector<std::string> debug_file_candidates(const elf::Image& image, const std::string& path, const DebugPlaces& places = {});

// The first candidate that exists, is of the same build (equal build IDs, or the link's checksum if there is none) and has debug
// info; else the first with a symbol table.
std::optional<DebugFile> find_debug_file(const elf::Image& image, const std::string& path, const DebugPlaces& places = {});

}  // namespace wick
