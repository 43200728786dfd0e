// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The folder that perf record --threads makes: "data" has the header and what perf knew at the beginning, "data.0", "data.1", …
// the records of one ring each. With --kcore it has "data" alone, and copies of the kernel's code that wick does not need.

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
  std::vector<Part> parts;            // by their numbers
  std::vector<std::string> problems;  // what could not be read, or is missing
};

// Only regular files are opened: a folder from elsewhere may hold a fifo, or links to what is none of its own.
Result<PerfFolder> open_perf_folder(const std::string& path);

// Pages of a mapped file that will not be looked at soon.
void release_mapped(Bytes bytes);

}  // namespace wick
