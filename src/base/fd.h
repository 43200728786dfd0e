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

// A private read-only mapping of a whole file; empty files give empty bytes.
class MappedFile {
 public:
  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~MappedFile();

  static Result<MappedFile> open(const std::string& path);
  static Result<MappedFile> map(const Fd& fd, const std::string& name_for_errors);

  Bytes bytes() const { return {static_cast<const uint8_t*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  size_t size_ = 0;
};

Result<Fd> open_read(const std::string& path);
// Also for files without a size (/proc, /sys, pipes). Refuses more than `limit` bytes.
Result<std::string> read_file(const std::string& path, size_t limit = size_t{1} << 30);
Result<std::string> read_fd(int fd, const std::string& name_for_errors, size_t limit = size_t{1} << 30);
Status write_all(int fd, Bytes bytes, const std::string& name_for_errors);
// Written beside and renamed, so that `path` is either the old file or the whole new one. A writer that is killed leaves a file
// whose name ends so.
constexpr char kTemporarySuffix[] = ".tmp";
Status write_parts_atomically(const std::string& path, std::span<const Bytes> parts, unsigned mode = 0666);
inline Status write_file_atomically(const std::string& path, Bytes bytes) { return write_parts_atomically(path, {&bytes, 1}); }
inline Bytes as_bytes(std::string_view text) { return {reinterpret_cast<const uint8_t*>(text.data()), text.size()}; }

}  // namespace wick
