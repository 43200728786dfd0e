// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Starts the command without missing any of its instructions: the child waits before exec until the events are open, and the exec
// enables them.

#include <signal.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace wick {

class Launch {
 public:
  // Forks. `signal_mask` is the command's signal mask (ours before wick blocked signals for itself). The command starts in
  // `directory`, or in the current one.
  static Result<Launch> prepare(const std::vector<std::string>& argv, const sigset_t& signal_mask,
                                const std::string& directory = {});
  Launch(Launch&& other) noexcept;
  Launch& operator=(Launch&&) = delete;
  ~Launch();  // ends a child that was never released

  pid_t pid() const { return pid_; }
  // Lets the child exec. Fails with Errc::kNoCommand or kNotExecutable. Under ptrace, returns while the child is in its exec
  // stop; there are no stops before it.
  Status release();
  // The two halves of release(), for callers that must handle the child's stops in between.
  Status begin_release();
  Status finish_release();

 private:
  Launch() = default;
  std::string name_;
  pid_t pid_ = -1;
  Fd go_;      // closing it without writing a byte tells the child to give up
  Fd failed_;  // errno of a failed exec; end of file on success
  bool released_ = false;
};

}  // namespace wick
