// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "base/fd.h"

namespace wick {

// A private read-only mapping of a complete file; empty files give empty bytes.
//
// Another process may truncate the file while it is mapped. Reading past its new end would raise SIGBUS; here it gives zeros, and
// is_damaged() returns true. The contents can change between two reads, so check a value where it is used.
class MappedFile {
 public:
  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        range_(std::exchange(other.range_, nullptr)) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(range_, other.range_);
    return *this;
  }
  ~MappedFile();

  static Result<MappedFile> open(const std::string& path);
  static Result<MappedFile> map(const Fd& fd, const std::string& name_for_errors);

  Bytes bytes() const { return {static_cast<const uint8_t*>(data_), size_}; }
  // Some of the file could not be read: it was truncated, or its disk failed.
  bool is_damaged() const;
  // The same as an error about `name`.
  Status check(const std::string& name) const;

  struct Range;  // the signal handler's view

 private:
  void* data_ = nullptr;
  size_t size_ = 0;
  Range* range_ = nullptr;
};

}  // namespace wick
