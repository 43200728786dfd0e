// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/file_appender.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "base/text.h"

namespace wick {

FileAppender::~FileAppender() { static_cast<void>(close().ok()); }

// A recorder locks its file: two that write to one name would replace each other's file.
Status FileAppender::check_free() const {
  Fd other = file_.open_replaced();
  if (!other || ::flock(other.get(), LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK) { return ok_status(); }
  return Error("cannot write %s: another wick is recording into it", path_.c_str())
      .with_hint("wick record -o FILE …   (another name)");
}

Status FileAppender::open(const std::string& path) {
  path_ = path;
  Result<OutputFile> file = OutputFile::create(path);
  if (!file.ok()) {
    bool is_folder = file.error().errnum() == EISDIR;
    std::string inside = path.ends_with('/') ? path + "profile.wick" : path + "/profile.wick";
    return std::move(file).error().with_hint(is_folder ? "wick record -o " + shell_quote(inside) + " …"
                                                       : "wick record -o FILE …   (somewhere you may write)");
  }
  file_ = *std::move(file);
  WICK_OK(check_free());
  if (!file_.is_special()) { static_cast<void>(::flock(file_.fd(), LOCK_EX | LOCK_NB)); }  // file systems without locks
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    // No more threads (process limit): append() writes.
  }
  return ok_status();
}

Status FileAppender::commit() {
  if (file_.is_special()) { return ok_status(); }
  WICK_OK(check_free());
  return file_.commit(OutputFile::Old::kKept);
}

void FileAppender::append(std::vector<uint8_t> block) {
  if (block.empty()) { return; }
  std::unique_lock lock(mutex_);
  if (error_) { return; }
  appended_bytes_ += block.size();
  queue_.push_back(std::move(block));
  if (!thread_.joinable()) { write_queue(lock); }
  changed_.notify_all();
}

Status FileAppender::close() {
  {
    std::lock_guard lock(mutex_);
    closing_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) { thread_.join(); }
  file_.close();
  if (error_) { return *error_; }
  return ok_status();
}

Status FileAppender::copy(uint64_t bytes, OutputFile& to) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return error_ || written_bytes_ >= bytes; });
    if (written_bytes_ < bytes) { return *error_; }
  }
  Fd from(::open(strf("/proc/self/fd/%d", file_.fd()).c_str(), O_RDONLY | O_CLOEXEC));
  if (!from) { return Error::from_errno(errno, "cannot read the recording"); }
  std::vector<uint8_t> buffer(std::min<uint64_t>(bytes, 1u << 20));
  for (uint64_t at = 0; at < bytes;) {
    ssize_t got = ::pread(from.get(), buffer.data(), std::min<uint64_t>(buffer.size(), bytes - at), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) { continue; }
    if (got <= 0) { return Error::from_errno(got < 0 ? errno : EIO, "cannot read the recording"); }
    WICK_OK(to.write(Bytes(buffer.data(), static_cast<size_t>(got))));
    at += static_cast<uint64_t>(got);
  }
  return ok_status();
}

bool FileAppender::failed() const {
  std::lock_guard lock(mutex_);
  return error_.has_value();
}

uint64_t FileAppender::size_bytes() const {
  std::lock_guard lock(mutex_);
  return error_ ? written_bytes_ : appended_bytes_;
}

void FileAppender::run() {
  std::unique_lock lock(mutex_);
  while (!error_) {
    changed_.wait(lock, [this] { return closing_ || !queue_.empty(); });
    if (queue_.empty()) { return; }
    write_queue(lock);
  }
}

// Unlocks while writing.
void FileAppender::write_queue(std::unique_lock<std::mutex>& lock) {
  while (!queue_.empty()) {
    std::vector<uint8_t> block = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    Status written = file_.write(block);
    lock.lock();
    if (written.ok()) {
      written_bytes_ += block.size();
      changed_.notify_all();
      continue;
    }
    error_ = std::move(written).error();
    // The reader would skip a partial block; without it the file is clean.
    if (!file_.is_special() && ::ftruncate(file_.fd(), static_cast<off_t>(written_bytes_)) != 0) { /* the reader copes */
    }
    queue_.clear();
    changed_.notify_all();
  }
}

}  // namespace wick
