// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"

namespace wick {

// The files that a cached index depends on besides the debug file: the split units, packages and supplements that existed, and
// preferred ones that did not. Stored before the index, which is rebuilt when one of them appears, changes or disappears.
// Checking one costs a stat().
class IndexInputs {
 public:
  // Call before opening the file, whether it exists or not.
  void note(const std::string& path);
  // The location of the debug file matters because other files are searched next to it.
  void note_debug_path(const std::string& path) { debug_path_ = path; }

  // The size is a multiple of 8 bytes.
  std::string encode() const;
  // Returns the data after the inputs if they are all unchanged.
  static std::optional<Bytes> skip_if_current(Bytes bytes, const std::string& debug_path);

 private:
  struct State {
    uint64_t size = UINT64_MAX, time_ns = 0;  // defaults: the file does not exist
    friend bool operator==(const State&, const State&) = default;
  };
  struct File {
    std::string path;
    State state;
  };
  static State state_of(const std::string& path);

  std::string debug_path_;  // empty: irrelevant
  std::vector<File> files_;
};

}  // namespace wick
