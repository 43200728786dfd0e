// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "base/fd.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/text.h"

namespace wick {

void Fd::reset(int fd) {
  if (fd_ >= 0) { ::close(fd_); }
  fd_ = fd;
}

Result<Fd> open_read(const std::string& path) {
  // O_NONBLOCK: opening a FIFO without a writer must not block; it has no effect on regular files.
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) { return Error::from_errno(errno, "cannot open %s", path.c_str()); }
  return Fd(fd);
}

Result<Fd> look_at(const std::string& path) {
  int fd = ::open(path.c_str(), O_PATH | O_CLOEXEC);
  if (fd < 0) { return Error::from_errno(errno, "cannot open %s", path.c_str()); }
  return Fd(fd);
}

Result<Fd> read_found(const Fd& found, const std::string& path) {
  int fd = ::open(strf("/proc/self/fd/%d", found.get()).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) { return Error::from_errno(errno, "cannot open %s", path.c_str()); }
  return Fd(fd);
}

Result<Fd> open_regular(const std::string& path) {
  WICK_LET(Fd found, look_at(path));
  struct stat info{};
  if (::fstat(found.get(), &info) != 0) { return Error::from_errno(errno, "cannot read %s", path.c_str()); }
  if (S_ISDIR(info.st_mode)) { return Error("cannot read %s: is a directory", path.c_str()).with_code(Errc::kBadInput); }
  if (!S_ISREG(info.st_mode)) { return Error("cannot read %s: not a regular file", path.c_str()).with_code(Errc::kBadInput); }
  return read_found(found, path);
}

Result<std::string> read_fd(int fd, const std::string& name, size_t limit) {
  std::string out;
  size_t used = 0;
  for (;;) {
    if (out.size() - used < 4096) { out.resize(out.size() < 65536 ? 65536 : out.size() * 2); }
    ssize_t n = ::read(fd, out.data() + used, out.size() - used);
    if (n < 0 && errno == EINTR) { continue; }
    if (n < 0) { return Error::from_errno(errno, "cannot read %s", name.c_str()); }
    if (n == 0) { break; }
    used += static_cast<size_t>(n);
    if (used > limit) {
      return Error("cannot read %s: larger than %s", name.c_str(), human_bytes(limit).c_str()).with_code(Errc::kBadInput);
    }
  }
  out.resize(used);
  return out;
}

Result<std::string> read_file(const std::string& path, size_t limit) {
  WICK_LET(Fd fd, open_read(path));
  return read_fd(fd.get(), path, limit);
}

Status write_all(int fd, Bytes bytes, const std::string& name) {
  while (!bytes.empty()) {
    ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) { continue; }
    if (n < 0) { return Error::from_errno(errno, "cannot write %s", name.c_str()); }
    bytes = bytes.subspan(static_cast<size_t>(n));
  }
  return ok_status();
}

}  // namespace wick
