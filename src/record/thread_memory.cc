// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/thread_memory.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

#include "base/text.h"

namespace wick {

void StoppedMemory::begin(pid_t tid, std::function<void()> go_on, CheckCode check_code) {
  tid_ = tid;
  go_on_ = std::move(go_on);
  check_code_ = std::move(check_code);
  file_.reset();
}

size_t StoppedMemory::read(uint64_t address, std::span<uint8_t> out) {
  ssize_t n = -1;
  if (!by_file_) {
    iovec local{out.data(), out.size()}, remote{reinterpret_cast<void*>(address), out.size()};
    n = ::process_vm_readv(tid_, &local, 1, &remote, 1, 0);
    by_file_ = n < 0 && (errno == EPERM || errno == ENOSYS);
  }
  if (by_file_) {
    if (!file_) { file_.reset(::open(strf("/proc/%d/mem", tid_).c_str(), O_RDONLY | O_CLOEXEC)); }
    n = file_ ? ::pread(file_.get(), out.data(), out.size(), static_cast<off_t>(address)) : -1;
  }
  return n > 0 ? static_cast<size_t>(n) : 0;
}

}  // namespace wick
