// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Starts the command to be recorded so that not one instruction of it is missed: the child waits before its exec until the events
// stand, and those are enabled by the exec itself.

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
  // Forks. `signal_mask` is what the command shall have blocked (ours from before we blocked some for our own use).
  static Result<Launch> prepare(const std::vector<std::string>& argv, const sigset_t& signal_mask);
  Launch(Launch&& other) noexcept;
  Launch& operator=(Launch&&) = delete;
  ~Launch();  // a child that was never released ends

  pid_t pid() const { return pid_; }
  // Lets the child exec. Fails with Errc::kNoCommand or kNotExecutable.
  // Under ptrace this returns while the child stands in its exec stop, so no stop has to be answered before.
  Status release();
  // The two halves of release(), for one who has to answer the child's stops in between.
  Status begin_release();
  Status finish_release();

 private:
  Launch() = default;
  std::string name_;
  pid_t pid_ = -1;
  Fd go_;      // closing it without a byte tells the child to give up
  Fd failed_;  // errno of a failed exec; end of file when it went well
  bool released_ = false;
};

}  // namespace wick
