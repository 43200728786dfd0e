// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The disk cache: data that can be rebuilt, in one directory per kind. Files are written to a temporary name and renamed, and
// mapped when read, so any number of wick processes may use it at once: a mapped file stays valid when another process replaces
// or removes it.
//
// Its size is limited. The modification time of a file records its last use (many file systems keep no access times); a hit
// updates it if it is more than a day old. Only writes trigger a scan of the directory.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/mapped_file.h"

namespace wick {

constexpr uint64_t kDefaultCacheLimit = 2'000'000'000;

// $WICK_CACHE_SIZE, or the default if unset; nullopt if it is not a valid size.
std::optional<uint64_t> cache_limit_of_user();

class Cache {
 public:
  // With an empty `folder` or a limit of 0, nothing is cached.
  explicit Cache(std::string folder) : Cache(std::move(folder), cache_limit_of_user().value_or(kDefaultCacheLimit)) {}
  Cache(std::string folder, uint64_t limit_bytes) : folder_(std::move(folder)), limit_(limit_bytes) {}

  bool keeps() const { return !folder_.empty() && limit_ > 0; }
  // `kind` is a directory name; `name` contains no slash. The caller must validate the contents: a file may be damaged.
  std::optional<MappedFile> load(std::string_view kind, std::string_view name) const;
  // Returns false if writing fails (full disk, no permission) or the data exceeds the limit; that only costs time.
  bool store(std::string_view kind, std::string_view name, std::span<const Bytes> parts) const;
  // Removes all files of a kind except one.
  void remove_others(std::string_view kind, std::string_view name) const;
  // Removes the least recently used files if the limit is exceeded, and leftovers of killed writers. store() calls it.
  void trim() const;

 private:
  std::string path_of(std::string_view kind, std::string_view name) const;

  std::string folder_;
  uint64_t limit_ = 0;
};

}  // namespace wick
