// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/wait_cause.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace wick {
namespace {

using capture::WaitCause;
using capture::WaitKind;

// How to find the kind of a wait in a system call.
enum class Rule : uint8_t {
  kAsIs,        // the kind in the table
  kDescriptor,  // by the file behind the first argument
  kFutex,       // by the operation, and the address is the object
};

struct CallKind {
  long number;
  const char* name;
  WaitKind kind;
  Rule rule = Rule::kAsIs;
};

// aarch64 has only the newer of two calls with the same purpose.
constexpr CallKind kCalls[] = {
    {SYS_futex, "futex", WaitKind::kLock, Rule::kFutex},
#ifdef SYS_futex_waitv
    {SYS_futex_waitv, "futex_waitv", WaitKind::kLock},
#endif
#ifdef SYS_futex_wait
    {SYS_futex_wait, "futex_wait", WaitKind::kLock, Rule::kFutex},
#endif
    {SYS_nanosleep, "nanosleep", WaitKind::kSleep},
    {SYS_clock_nanosleep, "clock_nanosleep", WaitKind::kSleep},
#ifdef SYS_poll
    {SYS_poll, "poll", WaitKind::kPoll},
    {SYS_select, "select", WaitKind::kPoll},
    {SYS_epoll_wait, "epoll_wait", WaitKind::kPoll},
    {SYS_pause, "pause", WaitKind::kSignal},
#endif
    {SYS_ppoll, "ppoll", WaitKind::kPoll},
    {SYS_pselect6, "pselect6", WaitKind::kPoll},
    {SYS_epoll_pwait, "epoll_pwait", WaitKind::kPoll},
#ifdef SYS_epoll_pwait2
    {SYS_epoll_pwait2, "epoll_pwait2", WaitKind::kPoll},
#endif
    {SYS_io_uring_enter, "io_uring_enter", WaitKind::kPoll},
    {SYS_io_getevents, "io_getevents", WaitKind::kPoll},
    {SYS_read, "read", WaitKind::kFile, Rule::kDescriptor},
    {SYS_write, "write", WaitKind::kFile, Rule::kDescriptor},
    {SYS_readv, "readv", WaitKind::kFile, Rule::kDescriptor},
    {SYS_writev, "writev", WaitKind::kFile, Rule::kDescriptor},
    {SYS_pread64, "pread64", WaitKind::kFile, Rule::kDescriptor},
    {SYS_pwrite64, "pwrite64", WaitKind::kFile, Rule::kDescriptor},
    {SYS_preadv, "preadv", WaitKind::kFile, Rule::kDescriptor},
    {SYS_pwritev, "pwritev", WaitKind::kFile, Rule::kDescriptor},
    {SYS_preadv2, "preadv2", WaitKind::kFile, Rule::kDescriptor},
    {SYS_pwritev2, "pwritev2", WaitKind::kFile, Rule::kDescriptor},
    {SYS_splice, "splice", WaitKind::kFile, Rule::kDescriptor},
    {SYS_tee, "tee", WaitKind::kFile, Rule::kDescriptor},
    {SYS_vmsplice, "vmsplice", WaitKind::kFile, Rule::kDescriptor},
    {SYS_sendfile, "sendfile", WaitKind::kFile, Rule::kDescriptor},
    {SYS_ioctl, "ioctl", WaitKind::kFile, Rule::kDescriptor},
    {SYS_fcntl, "fcntl", WaitKind::kFile, Rule::kDescriptor},
    {SYS_flock, "flock", WaitKind::kFile, Rule::kDescriptor},
    {SYS_close, "close", WaitKind::kFile, Rule::kDescriptor},
    {SYS_fsync, "fsync", WaitKind::kFile, Rule::kDescriptor},
    {SYS_fdatasync, "fdatasync", WaitKind::kFile, Rule::kDescriptor},
    {SYS_sync_file_range, "sync_file_range", WaitKind::kFile, Rule::kDescriptor},
    {SYS_syncfs, "syncfs", WaitKind::kFile, Rule::kDescriptor},
    {SYS_fallocate, "fallocate", WaitKind::kFile, Rule::kDescriptor},
    {SYS_ftruncate, "ftruncate", WaitKind::kFile, Rule::kDescriptor},
    {SYS_getdents64, "getdents64", WaitKind::kFile, Rule::kDescriptor},
    {SYS_accept, "accept", WaitKind::kSocket, Rule::kDescriptor},
    {SYS_accept4, "accept4", WaitKind::kSocket, Rule::kDescriptor},
    {SYS_connect, "connect", WaitKind::kSocket, Rule::kDescriptor},
    {SYS_recvfrom, "recvfrom", WaitKind::kSocket, Rule::kDescriptor},
    {SYS_recvmsg, "recvmsg", WaitKind::kSocket, Rule::kDescriptor},
    {SYS_recvmmsg, "recvmmsg", WaitKind::kSocket, Rule::kDescriptor},
    {SYS_sendto, "sendto", WaitKind::kSocket, Rule::kDescriptor},
    {SYS_sendmsg, "sendmsg", WaitKind::kSocket, Rule::kDescriptor},
    {SYS_sendmmsg, "sendmmsg", WaitKind::kSocket, Rule::kDescriptor},
    {SYS_wait4, "wait4", WaitKind::kChild},
    {SYS_waitid, "waitid", WaitKind::kChild},
    {SYS_clone, "clone", WaitKind::kChild},  // vfork: until the child runs its program
    {SYS_clone3, "clone3", WaitKind::kChild},
#ifdef SYS_vfork
    {SYS_vfork, "vfork", WaitKind::kChild},
#endif
    {SYS_rt_sigtimedwait, "rt_sigtimedwait", WaitKind::kSignal},
    {SYS_rt_sigsuspend, "rt_sigsuspend", WaitKind::kSignal},
    {SYS_msgrcv, "msgrcv", WaitKind::kMessage},
    {SYS_msgsnd, "msgsnd", WaitKind::kMessage},
    {SYS_semtimedop, "semtimedop", WaitKind::kMessage},
    {SYS_semop, "semop", WaitKind::kMessage},
    {SYS_mq_timedreceive, "mq_timedreceive", WaitKind::kMessage},
    {SYS_mq_timedsend, "mq_timedsend", WaitKind::kMessage},
};

const CallKind* find_call(int64_t number) {
  const CallKind* found = std::ranges::find(kCalls, number, &CallKind::number);
  return found == std::end(kCalls) ? nullptr : found;
}

WaitKind kind_of_file(std::string_view file, WaitKind otherwise) {
  if (file.starts_with("socket:")) { return WaitKind::kSocket; }
  if (file.starts_with("pipe:")) { return WaitKind::kPipe; }
  return otherwise;
}

}  // namespace

bool depends_on_state(const TaskCall& call) {
  const CallKind* known = find_call(call.number);
  return known == nullptr || (known->rule == Rule::kDescriptor && known->kind == WaitKind::kFile);
}

WaitCause find_wait_cause(const TaskCall& call, char state, const FindFile& find_file) {
  if (state == 'T' || state == 't') { return {WaitKind::kStopped, {}}; }
  if (call.number < 0) { return {state == 'D' ? WaitKind::kPageFault : WaitKind::kUserFault, {}}; }
  const CallKind* known = find_call(call.number);
  WaitCause wait{known != nullptr ? known->kind : WaitKind::kOther, {}};
  if (known == nullptr) {
    wait.object = strf("system call %lld", static_cast<long long>(call.number));
  } else if (known->rule == Rule::kFutex) {
    wait.object = strf("0x%llx", static_cast<unsigned long long>(call.arguments[0]));
  } else if (known->rule == Rule::kDescriptor) {
    wait.object = find_file(call.arguments[0]);
    wait.kind = kind_of_file(wait.object, known->kind);
    if (wait.object.empty()) { wait.object = known->name; }
  } else {
    wait.object = known->name;
  }
  // A system call on a file, or any other call, that waits for a device rather than for another thread.
  bool may_use_disk = wait.kind == WaitKind::kFile || wait.kind == WaitKind::kOther;
  if (state == 'D' && may_use_disk) { wait.kind = WaitKind::kDisk; }
  return wait;
}

}  // namespace wick
