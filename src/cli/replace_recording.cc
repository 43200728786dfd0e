// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/replace_recording.h"

#include <unistd.h>

#include "base/output_file.h"
#include "base/text.h"

namespace wick {

Status replace_recording(const std::string& file, const std::optional<FileId>& read, const std::string& output,
                         const std::vector<uint8_t>& bytes) {
  Bytes all = bytes;
  const std::string& path = output.empty() ? file : output;
  if (path == "-") { return write_all(STDOUT_FILENO, bytes, "standard output"); }
  if (!output.empty()) { return write_parts_atomically(output, {&all, 1}, {.keep = true}); }
  Status written = read ? write_parts_atomically(file, {&all, 1}, {.replaces = read})
                        : Error("cannot replace %s: not a regular file", file.c_str());
  if (written.ok()) { return written; }
  return std::move(written).error().with_hint("wick symbolize " + shell_quote(file) + " -o FILE");
}

}  // namespace wick
