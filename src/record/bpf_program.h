// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The few BPF programs that wick loads are short enough to be written as instructions, without libbpf.

#include <linux/bpf.h>
#include <sys/resource.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/mapped_file.h"
#include "base/result.h"

namespace wick {

long bpf_call(int command, bpf_attr& attr);
inline uint64_t bpf_pointer(const void* p) { return reinterpret_cast<uintptr_t>(p); }

// Before Linux 5.11, creating maps counts as locked memory. It fails if the limit cannot be raised.
class RaisedLockLimit {
 public:
  RaisedLockLimit() {
    const rlimit raised{RLIM_INFINITY, RLIM_INFINITY};
    is_raised_ = ::getrlimit(RLIMIT_MEMLOCK, &before_) == 0 && ::setrlimit(RLIMIT_MEMLOCK, &raised) == 0;
  }
  RaisedLockLimit(const RaisedLockLimit&) = delete;
  RaisedLockLimit& operator=(const RaisedLockLimit&) = delete;
  ~RaisedLockLimit() {
    if (is_raised_) { ::setrlimit(RLIMIT_MEMLOCK, &before_); }
  }

 private:
  rlimit before_{};
  bool is_raised_ = false;
};

Result<Fd> create_bpf_table(bpf_map_type type, uint32_t key_size, uint32_t value_size, uint32_t entries);
// Runs the program at a raw tracepoint while the result is open.
Result<Fd> attach_bpf(int program, const char* tracepoint);

// Fails in a PID namespace other than the machine's: BPF programs see other IDs there.
Status check_bpf_task_ids();

// The kernel's type information.
class KernelTypes {
 public:
  static Result<KernelTypes> load();
  std::optional<uint32_t> find_member(const char* type, const char* member) const;

 private:
  std::optional<MappedFile> mapped_;
  std::string text_;
};

// Assembles a program instruction by instruction. Names follow the kernel's documentation.
class BpfProgram {
 public:
  void mov(uint8_t to, uint8_t from) { add(BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0); }
  void mov_value(uint8_t to, int32_t value) { add(BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, value); }
  void mov_low(uint8_t to, int32_t value) { add(BPF_ALU | BPF_MOV | BPF_K, to, 0, 0, value); }  // clears the upper half
  void add_value(uint8_t to, int32_t value) { add(BPF_ALU64 | BPF_ADD | BPF_K, to, 0, 0, value); }
  void subtract(uint8_t to, uint8_t from) { add(BPF_ALU64 | BPF_SUB | BPF_X, to, from, 0, 0); }
  void load(uint8_t size, uint8_t to, uint8_t base, int16_t offset) { add(BPF_LDX | BPF_MEM | size, to, base, offset, 0); }
  void store(uint8_t size, uint8_t base, int16_t offset, uint8_t from) { add(BPF_STX | BPF_MEM | size, base, from, offset, 0); }
  void stack_address(uint8_t to, int16_t offset) {
    mov(to, BPF_REG_10);
    add_value(to, offset);
  }
  void table(uint8_t to, int fd) {
    add(BPF_LD | BPF_DW | BPF_IMM, to, BPF_PSEUDO_MAP_FD, 0, fd);
    add(0, 0, 0, 0, 0);
  }
  // Adds the register to the number in memory, atomically.
  void add_to_memory(uint8_t base, int16_t offset, uint8_t from) { add(BPF_STX | BPF_ATOMIC | BPF_DW, base, from, offset, BPF_ADD); }
  void call(int32_t function) { add(BPF_JMP | BPF_CALL, 0, 0, 0, function); }
  void return_value(int32_t value) {
    mov_value(BPF_REG_0, value);
    add(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
  }
  // Returns 0 from the program if the register is (not) equal to the value.
  void leave_if_equal(uint8_t reg, int32_t value) { leave(BPF_JNE, reg, value); }
  void leave_unless_equal(uint8_t reg, int32_t value) { leave(BPF_JEQ, reg, value); }
  // Reads a member of the task in R7 to the stack.
  void read_member(uint32_t offset, int32_t size, int16_t to) {
    stack_address(BPF_REG_1, to);
    mov_value(BPF_REG_2, size);
    mov(BPF_REG_3, BPF_REG_7);
    add_value(BPF_REG_3, static_cast<int32_t>(offset));
    call(BPF_FUNC_probe_read_kernel);
  }
  void call_table(int fd, int16_t key, int32_t function) {
    stack_address(BPF_REG_2, key);
    table(BPF_REG_1, fd);
    call(function);
  }
  Result<Fd> load_as(bpf_prog_type type) const;

 private:
  void add(int code, uint8_t to, uint8_t from, int16_t offset, int32_t value) {
    bpf_insn instruction{};
    instruction.code = static_cast<uint8_t>(code);
    instruction.dst_reg = to & 15;
    instruction.src_reg = from & 15;
    instruction.off = offset;
    instruction.imm = value;
    code_.push_back(instruction);
  }
  void leave(int jump_over, uint8_t reg, int32_t value) {
    add(BPF_JMP | jump_over | BPF_K, reg, 0, 2, value);
    return_value(0);
  }
  std::vector<bpf_insn> code_;
};

// sched_process_fork(parent, child): the child gets the value of its parent in the table of tasks. `sums` (a table of one array
// of numbers, or -1): adds 1 to the first number for each such child.
Result<Fd> load_fork_program(int tasks, uint32_t pid_offset, int sums = -1);

}  // namespace wick
