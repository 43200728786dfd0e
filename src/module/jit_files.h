// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "module/module.h"

namespace wick {

// Files in which a process names its generated code: /tmp/perf-PID.map, and jit-PID.dump files that it maps. They are read when
// the recording ends. By then the process is often gone, and with it its view of the file system, its PID in a container and its
// user in /proc, so these are queried as soon as such code appears.
class JitFiles {
 public:
  // For a past recording, /proc is not consulted, since the PID may belong to another process now. Files of another machine are
  // not here.
  enum class Life : uint8_t { kMaybeAlive, kOver, kElsewhere };
  // `start_ns`: first seen (CLOCK_MONOTONIC). `parent`: a forked process shares the code of its parent.
  JitFiles(uint32_t pid, uint64_t start_ns, std::shared_ptr<const JitFiles> parent = nullptr, Life life = Life::kMaybeAlive);

  ~JitFiles();
  JitFiles(const JitFiles&) = delete;
  JitFiles& operator=(const JitFiles&) = delete;

  // Whether mapping such a file marks it as a log of generated code.
  static bool is_dump(std::string_view path);
  void add_dump(const ModuleRequest& request);

  // Both may be called while another thread adds dumps.
  // Invalid if there is no map or it is not trusted: not owned by the process's user or root, or older than the process (left by
  // another with the same PID).
  Fd open_map() const;
  std::vector<Fd> open_dumps() const;
  const JitFiles* parent() const { return parent_.get(); }

 private:
  struct Dump {
    std::string path;
    uint64_t device = 0, inode = 0;
    Fd fd;  // invalid if too many are open already
  };
  void ask_proc(uint32_t pid);
  bool is_trusted(const Fd& fd) const;

  uint32_t pid_ = 0;  // in its own PID namespace
  Life life_;
  uint64_t start_wall_ns_ = 0;
  std::vector<uint32_t> users_;
  std::shared_ptr<const Fd> tmp_;  // its /tmp, if different from ours
  mutable std::mutex mutex_;
  std::vector<Dump> dumps_;
  std::shared_ptr<const JitFiles> parent_;
};

}  // namespace wick
