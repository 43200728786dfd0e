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
  // Two threads, or two processes that share a disk and not their numbers, may write the same file at once.
  static std::atomic<unsigned> serial{0};
  for (int tries = 0; !file.fd_ && tries < 100; ++tries) {
    file.beside_ = file.target_ + strf(".%d.%u%s", ::getpid(), serial.fetch_add(1), kTemporarySuffix);
    file.fd_.reset(::open(file.beside_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (!file.fd_ && errno != EEXIST) { break; }
  }
  if (!file.fd_) { return failed(); }
  return file;
}

Status OutputFile::write(Bytes bytes) { return write_all(fd_.get(), bytes, path_); }

Status OutputFile::commit() {
  if (!target_.empty() && ::rename(beside_.c_str(), target_.c_str()) != 0) {
    return Error::from_errno(errno, "cannot write %s", path_.c_str());
  }
  fd_.reset();
  return ok_status();
}

}  // namespace wick
