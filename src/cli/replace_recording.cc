// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/replace_recording.h"

#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "base/fd.h"
#include "base/output_file.h"

namespace wick {

Status replace_recording(const std::string& file, const std::string& output, const std::vector<uint8_t>& bytes) {
  const std::string& path = output.empty() ? file : output;
  if (path == "-") { return write_all(STDOUT_FILENO, bytes, "standard output"); }
  // In place means the file that was read: the target of a link.
  std::unique_ptr<char, decltype(&std::free)> real(output.empty() ? ::realpath(path.c_str(), nullptr) : nullptr, &std::free);
  Bytes all = bytes;
  return write_parts_atomically(real ? real.get() : path, {&all, 1}, {.keep = true});
}

}  // namespace wick
