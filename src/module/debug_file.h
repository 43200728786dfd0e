// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Separate debug files, as distributions ship them (libc6-dbg) and `objcopy --only-keep-debug` makes them.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "elf/image.h"

namespace wick {

struct DebugFile {
  std::string path;
  MappedFile file;  // what `image` views
  elf::Image image;
};

struct DebugLink {
  std::string name;
  uint32_t crc = 0;
};
std::optional<DebugLink> read_debug_link(const elf::Image& image);

// Where the user has such files besides the usual places.
struct DebugPlaces {
  std::vector<std::string> debug_dirs;  // laid out like /usr/lib/debug, and looked at before it
};

// The file that dwz has moved common parts of several debug files into (.gnu_debugaltlink).
struct SupplementLink {
  std::string name, build_id;  // build_id: hex
};
std::optional<SupplementLink> read_supplement_link(const elf::Image& debug);
// Where it may lie, best first; none when there is no link.
std::vector<std::string> supplement_candidates(const elf::Image& debug, const std::string& debug_path,
                                               const DebugPlaces& places = {});

// Where the debug file of `image` may lie, best first: by build-id, by the name in .gnu_debuglink beside the program, and
// where debuginfod-find puts what it fetched.
std::vector<std::string> debug_file_candidates(const elf::Image& image, const std::string& path, const DebugPlaces& places = {});

// The first of them that is there and of the same build: equal build-ids, or the checksum of the link where there is none.
std::optional<DebugFile> find_debug_file(const elf::Image& image, const std::string& path, const DebugPlaces& places = {});

}  // namespace wick
