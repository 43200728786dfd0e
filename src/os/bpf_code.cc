// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "os/bpf_code.h"

#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "base/fd.h"

namespace wick {
namespace {

constexpr size_t kMaxPrograms = 100'000;
constexpr uint32_t kMaxFunctions = 4096;  // of one program

long bpf(int command, bpf_attr& attr) { return ::syscall(SYS_bpf, command, &attr, sizeof attr); }

bool load_info(int program_fd, bpf_prog_info& info) {
  bpf_attr attr{};
  attr.info.bpf_fd = static_cast<uint32_t>(program_fd);
  attr.info.info_len = sizeof info;
  attr.info.info = reinterpret_cast<uint64_t>(&info);
  return bpf(BPF_OBJ_GET_INFO_BY_FD, attr) == 0;
}

}  // namespace

std::vector<CodeRange> find_bpf_code(int program_fd) {
  bpf_prog_info info{};
  if (!load_info(program_fd, info)) { return {}; }
  uint32_t count = std::min(std::min(info.nr_jited_ksyms, info.nr_jited_func_lens), kMaxFunctions);
  std::vector<uint64_t> begins(count);
  std::vector<uint32_t> lengths(count);
  info = {};
  info.nr_jited_ksyms = info.nr_jited_func_lens = count;
  info.jited_ksyms = reinterpret_cast<uint64_t>(begins.data());
  info.jited_func_lens = reinterpret_cast<uint64_t>(lengths.data());
  std::vector<CodeRange> out;
  if (count == 0 || !load_info(program_fd, info)) { return out; }
  for (uint32_t i = 0; i < count; ++i) {
    if (begins[i] != 0) { out.push_back({begins[i], begins[i] + lengths[i]}); }
  }
  return out;
}

std::vector<CodeRange> find_all_bpf_code() {
  std::vector<CodeRange> out;
  uint32_t id = 0;
  for (size_t i = 0; i < kMaxPrograms; ++i) {
    bpf_attr next{};
    next.start_id = id;
    if (bpf(BPF_PROG_GET_NEXT_ID, next) != 0) { break; }
    id = next.next_id;
    bpf_attr open{};
    open.prog_id = id;
    Fd program(static_cast<int>(bpf(BPF_PROG_GET_FD_BY_ID, open)));
    if (!program.valid()) { continue; }
    std::vector<CodeRange> functions = find_bpf_code(program.get());
    out.insert(out.end(), functions.begin(), functions.end());
  }
  return out;
}

}  // namespace wick
