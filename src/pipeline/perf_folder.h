// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The directory of perf record --threads: "data" has the header and what perf knew at the start; "data.0", "data.1", … have the
// records of one ring each. With --kcore there is only "data", and copies of kernel code that wick does not need.

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/mapped_file.h"
#include "base/result.h"

namespace wick {

struct PerfFolder {
  struct Part {
    std::string name;
    MappedFile file;
  };
  MappedFile head;
  std::vector<Part> parts;            // sorted by number
  std::vector<std::string> problems;  // missing or unreadable files
};

// Opens only regular files: a directory from elsewhere may contain FIFOs or links to other files.
Result<PerfFolder> open_perf_folder(const std::string& path);

// Releases pages of a mapped file that are not needed soon.
void release_mapped(Bytes bytes);

}  // namespace wick
