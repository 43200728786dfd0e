// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "base/fd.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/output_file.h"
#include "base/text.h"

namespace wick {

void Fd::reset(int fd) {
  if (fd_ >= 0) { ::close(fd_); }
  fd_ = fd;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) { ::munmap(data_, size_); }
}

Result<MappedFile> MappedFile::open(const std::string& path) {
  WICK_LET(Fd fd, open_read(path));
  return map(fd, path);
}

Result<MappedFile> MappedFile::map(const Fd& fd, const std::string& name) {
  struct stat info{};
  if (::fstat(fd.get(), &info) != 0) { return Error::from_errno(errno, "cannot read %s", name.c_str()); }
  if (S_ISDIR(info.st_mode)) { return Error("cannot read %s: is a directory", name.c_str()).with_code(Errc::kBadInput); }
  if (!S_ISREG(info.st_mode)) { return Error("cannot read %s: not a regular file", name.c_str()).with_code(Errc::kBadInput); }
  MappedFile file;
  if (info.st_size == 0) { return file; }
  void* data = ::mmap(nullptr, static_cast<size_t>(info.st_size), PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (data == MAP_FAILED) { return Error::from_errno(errno, "cannot map %s", name.c_str()); }
  file.data_ = data;
  file.size_ = static_cast<size_t>(info.st_size);
  return file;
}

Result<Fd> open_read(const std::string& path) {
  // O_NONBLOCK: a fifo without a writer must not hang us; it has no effect on regular files.
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) { return Error::from_errno(errno, "cannot open %s", path.c_str()); }
  return Fd(fd);
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

Status write_parts_atomically(const std::string& path, std::span<const Bytes> parts, unsigned mode) {
  WICK_LET(OutputFile file, OutputFile::create(path, mode));
  for (Bytes part : parts) { WICK_OK(file.write(part)); }
  return file.commit();
}

}  // namespace wick
