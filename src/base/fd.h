// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace wick {

using Bytes = std::span<const uint8_t>;

// Owns a file descriptor.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    if (this != &other) { reset(std::exchange(other.fd_, -1)); }
    return *this;
  }
  ~Fd() { reset(); }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  explicit operator bool() const { return valid(); }
  int release() { return std::exchange(fd_, -1); }
  void reset(int fd = -1);

 private:
  int fd_ = -1;
};

// Identifies an open file, whatever its names.
struct FileId {
  uint64_t device = 0, inode = 0;
  bool operator==(const FileId&) const = default;
};

Result<Fd> open_read(const std::string& path);
// A file named by untrusted input may be a device or a FIFO, where opening alone has an effect. look_at() does not open it (fstat
// works on the result); read_found() then opens exactly that file.
Result<Fd> look_at(const std::string& path);
Result<Fd> read_found(const Fd& found, const std::string& path);
// Both steps, for regular files only.
Result<Fd> open_regular(const std::string& path);
// Also handles files without a size (/proc, /sys, pipes). Fails if there are more than `limit` bytes.
Result<std::string> read_file(const std::string& path, size_t limit = size_t{1} << 30);
Result<std::string> read_fd(int fd, const std::string& name_for_errors, size_t limit = size_t{1} << 30);
Status write_all(int fd, Bytes bytes, const std::string& name_for_errors);
inline Bytes as_bytes(std::string_view text) { return {reinterpret_cast<const uint8_t*>(text.data()), text.size()}; }

}  // namespace wick
