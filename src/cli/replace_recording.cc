// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/replace_recording.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "base/fd.h"
#include "base/output_file.h"

namespace wick {
namespace {

Status write_with_old_rights(const std::string& path, const std::vector<uint8_t>& bytes) {
  OutputFile::Rights rights;
  struct stat old{};
  if (::lstat(path.c_str(), &old) == 0 && S_ISREG(old.st_mode)) {
    rights = {old.st_mode & 0777, OutputFile::Owner{old.st_uid, old.st_gid}};
  }
  Bytes all = bytes;
  return write_parts_atomically(path, {&all, 1}, rights);
}

}  // namespace

Status replace_recording(const std::string& file, const std::string& output, const std::vector<uint8_t>& bytes) {
  const std::string& path = output.empty() ? file : output;
  if (path == "-") { return write_all(STDOUT_FILENO, bytes, "standard output"); }
  // In place means the file that was read: the target of a link.
  std::unique_ptr<char, decltype(&std::free)> real(output.empty() ? ::realpath(path.c_str(), nullptr) : nullptr, &std::free);
  return write_with_old_rights(real ? real.get() : path, bytes);
}

}  // namespace wick
