// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "module/module.h"

namespace wick {

// Where a process tells the names of code that it makes while it runs: /tmp/perf-PID.map, and files jit-PID.dump that it maps.
// They are read when the recording ends, and by then the process is often gone, with what /proc told of it (its own view of the
// files, its number in a container, its user). So that is asked as soon as there is such code.
class JitFiles {
 public:
  // A process of a past recording is not asked for in /proc: its number may be another's now. What another machine's has left is
  // not here.
  enum class Life : uint8_t { kMayLive, kOver, kElsewhere };
  // `start_ns`: when it began, as far as seen (CLOCK_MONOTONIC). `parent`: a forked process has the code of its parent.
  JitFiles(uint32_t pid, uint64_t start_ns, std::shared_ptr<const JitFiles> parent = nullptr, Life life = Life::kMayLive);

  ~JitFiles();
  JitFiles(const JitFiles&) = delete;
  JitFiles& operator=(const JitFiles&) = delete;

  // Whether the mapping of such a file is the sign that it is a log of generated code.
  static bool is_dump(std::string_view path);
  void add_dump(const ModuleRequest& request);

  // Not valid when there is none, or it is not to be trusted: not a file of the process's user or of root, or older than the
  // process (left by another with the same number).
  Fd open_map() const;
  std::vector<Fd> open_dumps() const;
  const JitFiles* parent() const { return parent_.get(); }

 private:
  struct Dump {
    std::string path;
    uint64_t device = 0, inode = 0;
    Fd fd;  // not valid when too many are open already
  };
  void ask_proc(uint32_t pid);
  bool is_trusted(const Fd& fd) const;

  uint32_t pid_ = 0;  // as it sees itself
  Life life_;
  uint64_t start_wall_ns_ = 0;
  std::vector<uint32_t> users_;
  std::shared_ptr<const Fd> tmp_;  // its /tmp, when that is not ours
  std::vector<Dump> dumps_;
  std::shared_ptr<const JitFiles> parent_;
};

}  // namespace wick
