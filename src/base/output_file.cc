// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <memory>

#include "base/text.h"

namespace wick {

namespace {

std::string name_of_fd(const Fd& fd) { return strf("/proc/self/fd/%d", fd.get()); }

// A file without a name in the folder of `target`: nothing is left of it, however the program ends. Not on every file system.
Fd open_nameless(const std::string& target, unsigned mode) {
  size_t slash = target.rfind('/');
  std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : target.substr(0, slash);
  Fd fd(::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, mode));
  if (fd && ::access(name_of_fd(fd).c_str(), F_OK) != 0) { fd.reset(); }  // no /proc to give it a name by
  return fd;
}

// Two threads, or two processes that share a disk and not their numbers, may write the same file at once.
std::string name_beside(const std::string& target) {
  static std::atomic<unsigned> serial{0};
  return target + strf(".%d.%u%s", ::getpid(), serial.fetch_add(1), kTemporarySuffix);
}
constexpr int kMostTries = 100;

}  // namespace

OutputFile::~OutputFile() {
  if (fd_ && !beside_.empty()) { ::unlink(beside_.c_str()); }
}

Result<OutputFile> OutputFile::create(const std::string& path, unsigned mode) {
  OutputFile file;
  file.path_ = path;
  auto failed = [&] { return Error::from_errno(errno, "cannot write %s", path.c_str()); };
  struct stat info{};
  bool special = ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
  if (special) {  // nothing to rename onto
    file.fd_.reset(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.fd_) { return failed(); }
    return file;
  }
  // Renaming onto a symbolic link would replace the link, and leave the file that it names as it was.
  std::unique_ptr<char, decltype(&::free)> real(::realpath(path.c_str(), nullptr), &::free);
  file.target_ = real ? real.get() : path;
  file.fd_ = open_nameless(file.target_, mode);
  for (int tries = 0; !file.fd_ && tries < kMostTries; ++tries) {
    file.beside_ = name_beside(file.target_);
    file.fd_.reset(::open(file.beside_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (!file.fd_ && errno != EEXIST) { break; }
  }
  if (!file.fd_) { return failed(); }
  return file;
}

Status OutputFile::write(Bytes bytes) { return write_all(fd_.get(), bytes, path_); }

Status OutputFile::commit() {
  auto failed = [&] { return Error::from_errno(errno, "cannot write %s", path_.c_str()); };
  if (target_.empty()) {
    fd_.reset();
    return ok_status();
  }
  for (int tries = 0; beside_.empty() && tries < kMostTries; ++tries) {
    std::string name = name_beside(target_);
    if (::linkat(AT_FDCWD, name_of_fd(fd_).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      beside_ = std::move(name);
    } else if (errno != EEXIST) {
      return failed();
    }
  }
  if (::rename(beside_.c_str(), target_.c_str()) != 0) { return failed(); }
  fd_.reset();
  return ok_status();
}

}  // namespace wick
