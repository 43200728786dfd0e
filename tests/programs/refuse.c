// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// refuse perf|ptrace|readv,… CMD ARGS…: runs CMD with a seccomp filter that denies these system calls with EPERM, like the
// default filter of containers, and like Debian's and Ubuntu's kernels for perf_event_open at paranoid 3 and 4.

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char** argv) {
  static const struct { const char* name; unsigned number; } kCalls[] = {
      {"perf", SYS_perf_event_open}, {"ptrace", SYS_ptrace}, {"readv", SYS_process_vm_readv}};
  struct sock_filter code[16];
  unsigned short n = 0;
  if (argc < 3) { fprintf(stderr, "usage: refuse perf,ptrace,readv CMD ARGS…\n"); return 125; }
  code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (unsigned i = 0; i < sizeof kCalls / sizeof kCalls[0]; ++i) {
    if (strstr(argv[1], kCalls[i].name)) {
      code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kCalls[i].number, 0, 1);
      code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    }
  }
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog filter = {n, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
    perror("refuse");
    return 125;
  }
  execvp(argv[2], argv + 2);
  perror(argv[2]);
  return 127;
}
