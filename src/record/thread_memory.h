// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>
#include <utility>

#include "base/fd.h"
#include "capture/raw.h"

namespace wick {

// The memory of a stopped thread. If a seccomp filter allows ptrace but denies process_vm_readv, /proc/TID/mem is used.
class StoppedMemory final : public ThreadMemory {
 public:
  // Checks code mappings; empty if side events report all.
  using CheckCode = std::function<bool(std::span<const uint64_t> addresses, bool is_complete, std::vector<SideEvent>& news)>;

  // `go_on` is called once, by let_go() or finish(), whichever comes first.
  void begin(pid_t tid, std::function<void()> go_on = {}, CheckCode check_code = {});
  size_t read(uint64_t address, std::span<uint8_t> out) override;
  bool matches_reported_code(std::span<const uint64_t> addresses, bool is_complete, std::vector<SideEvent>& news) override {
    return !check_code_ || check_code_(addresses, is_complete, news);
  }

  void let_go() override { finish(); }
  void finish() {
    check_code_ = {};
    if (auto go_on = std::exchange(go_on_, {})) { go_on(); }
  }

 private:
  pid_t tid_ = 0;
  Fd file_;
  bool by_file_ = false;
  std::function<void()> go_on_;
  CheckCode check_code_;
};

}  // namespace wick
