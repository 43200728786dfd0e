// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"

namespace wick {

// What a cached index was made from besides the debug file itself: the halves of split units, packages and supplements that were
// there, and the better ones that were not. Kept in front of the index, so that it is made anew when one of them comes, changes
// or goes. To check one costs a stat().
class IndexInputs {
 public:
  // Before the file is opened, whether it is there or not.
  void note(const std::string& path);
  // Where the debug file lies matters, too: others were looked for beside it.
  void note_debug_path(const std::string& path) { debug_path_ = path; }

  // A multiple of 8 bytes.
  std::string encode() const;
  // What stands behind them, when all is as it was.
  static std::optional<Bytes> skip_if_current(Bytes bytes, const std::string& debug_path);

 private:
  struct State {
    uint64_t size = UINT64_MAX, time_ns = 0;  // as of a file that is not there
    friend bool operator==(const State&, const State&) = default;
  };
  struct File {
    std::string path;
    State state;
  };
  static State state_of(const std::string& path);

  std::string debug_path_;  // empty: it does not matter
  std::vector<File> files_;
};

}  // namespace wick
