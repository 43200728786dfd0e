// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "base/fd.h"

namespace wick {

// How many threads compete for the CPUs, cheap enough to ask every millisecond: the files stay open.
class CpuLoad {
 public:
  CpuLoad();
  // Threads of the machine that run or wait for a CPU, including this one; nullopt if unknown.
  std::optional<uint64_t> running() const;
  // How long the calling thread has waited for a CPU since it started; always the same thread. 0 if unknown.
  uint64_t waited_ns();

 private:
  Fd load_, times_;
};

}  // namespace wick
