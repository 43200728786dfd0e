// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace wick {

// The memory of the running kernel, by its addresses: /proc/kcore, an ELF core file that only root can read. It has the
// instructions that run, while those of vmlinux are changed at boot (alternatives, static calls, tracing).
class KernelMemory {
 public:
  static Result<KernelMemory> open(const std::string& path = "/proc/kcore");

  // Empty if not all of it can be read, or if it is all zeros, as memory that is not in use is.
  std::string read(uint64_t address, size_t size) const;

 private:
  struct Part {
    uint64_t address = 0, size = 0, offset = 0;
  };
  KernelMemory(Fd file, std::vector<Part> parts) : file_(std::move(file)), parts_(std::move(parts)) {}

  Fd file_;
  std::vector<Part> parts_;
};

}  // namespace wick
