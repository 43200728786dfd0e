// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The disk cache: what may be thrown away and made again, in one folder for each kind of thing. Files are written beside and
// renamed, and mapped when they are read, so that any number of wicks may use it at once: whoever has a file mapped keeps it when
// another replaces or removes it.
//
// It is kept under a limit. When a file was last used is its time of modification (many disks keep no time of access): a hit
// sets it when it is more than a day old. The folder is looked through only after something was written.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"

namespace wick {

constexpr uint64_t kDefaultCacheLimit = 2'000'000'000;

// $WICK_CACHE_SIZE, or the default when it is not set; none when it is no size.
std::optional<uint64_t> cache_limit_of_user();

class Cache {
 public:
  // An empty `folder`, or a limit of 0: nothing is kept.
  explicit Cache(std::string folder) : Cache(std::move(folder), cache_limit_of_user().value_or(kDefaultCacheLimit)) {}
  Cache(std::string folder, uint64_t limit_bytes) : folder_(std::move(folder)), limit_(limit_bytes) {}

  bool keeps() const { return !folder_.empty() && limit_ > 0; }
  // `kind` is the name of a folder; `name` has no slash. The caller checks what it gets: a file may be damaged.
  std::optional<MappedFile> load(std::string_view kind, std::string_view name) const;
  // False when it could not be written (full disk, no right) or is larger than all that may be kept: that only costs time.
  bool store(std::string_view kind, std::string_view name, std::span<const Bytes> parts) const;
  // All of a kind but one name.
  void remove_others(std::string_view kind, std::string_view name) const;
  // Removes what was not used for longest when there is too much, and what killed writers left. After store() it is done already.
  void trim() const;

 private:
  std::string path_of(std::string_view kind, std::string_view name) const;

  std::string folder_;
  uint64_t limit_ = 0;
};

}  // namespace wick
