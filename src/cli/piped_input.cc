// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/piped_input.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "base/fd.h"
#include "base/text.h"
#include "pipeline/load.h"

namespace wick {
namespace {

bool is_empty(const struct stat& info) {
  if (S_ISREG(info.st_mode)) { return info.st_size <= std::max<off_t>(::lseek(STDIN_FILENO, 0, SEEK_CUR), 0); }
  constexpr int kPatienceMs = 2000;
  pollfd waiting{STDIN_FILENO, POLLIN, 0};
  if (::poll(&waiting, 1, kPatienceMs) == 0) {
    std::fprintf(stderr, "wick: waiting for standard input (to read the file instead: give %s as an argument)\n",
                 kDefaultProfile);
    while (::poll(&waiting, 1, -1) < 0 && errno == EINTR) {}
  }
  int bytes = 0;
  return ::ioctl(STDIN_FILENO, FIONREAD, &bytes) != 0 || bytes == 0;
}

}  // namespace

Result<std::string> choose_input(std::string_view command) {
  struct stat info{};
  bool is_given = ::fstat(STDIN_FILENO, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISREG(info.st_mode));
  if (!is_given) { return std::string(kDefaultProfile); }
  bool has_default = ::access(kDefaultProfile, F_OK) == 0;
  if (is_empty(info)) {
    Error error = Error("standard input is empty").with_code(Errc::kBadInput);
    return has_default ? std::move(error).with_hint("wick " + std::string(command) + " " + kDefaultProfile) : error;
  }
  if (has_default) { std::fprintf(stderr, "wick: reading standard input (ignoring ./%s)\n", kDefaultProfile); }
  return std::string(kStandardInput);
}

}  // namespace wick
