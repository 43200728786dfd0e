// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A file that is written bit by bit beside its place and moved there at the end: its path is either the old file or the whole new
// one. Until then it has no name, where the file system allows that: a writer that is killed leaves nothing. What is no regular
// file (/dev/stdout, a fifo) is written to as it is.

#include <string>

#include "base/fd.h"

namespace wick {

class OutputFile {
 public:
  OutputFile(OutputFile&& other) noexcept = default;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();  // without commit() nothing is left of it

  static Result<OutputFile> create(const std::string& path, unsigned mode = 0666);

  Status write(Bytes bytes);
  Status commit();

 private:
  OutputFile() = default;

  std::string path_;    // as it was given, for messages
  std::string target_;  // empty: written in place
  std::string beside_;  // empty: it has no name yet
  Fd fd_;
};

}  // namespace wick
