// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A sample may interrupt any instruction. Here every single one of some calls is looked at: a child is stepped through them by
// ptrace, and from each instruction its stack must lead to the same callers.

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>

#include "unwind/self_test_util.h"
#include "unwind/stack_unwinder.h"

#define NOINLINE __attribute__((noinline, noclone))

namespace {
volatile uint64_t sink;
}  // namespace

extern "C" {
NOINLINE void wick_step_begin() { __asm__ volatile("" ::: "memory"); }
NOINLINE void wick_step_end() { __asm__ volatile("" ::: "memory"); }
// All that is stepped through is called from here.
NOINLINE void wick_step_caller(void (*code)()) {
  wick_step_begin();
  code();
  wick_step_end();
  sink = sink + 1;
}

#if defined(__x86_64__)
__attribute__((force_align_arg_pointer))
#endif
NOINLINE uint64_t
wick_step_realigned(int a, int b, int c, int d, int e, int f, int g, size_t size) {
  alignas(64) volatile char block[128];
  volatile char* room = static_cast<volatile char*>(__builtin_alloca(size));
  room[size / 2] = static_cast<char>(a + b + c + d + e + f);
  block[64] = room[size / 2];
  return static_cast<uint64_t>(block[64]) + static_cast<uint64_t>(g);
}
NOINLINE int wick_step_compare(const void* a, const void* b) { return *static_cast<const int*>(a) - *static_cast<const int*>(b); }
NOINLINE void wick_step_throw(int n) {
  struct Cleanup {
    ~Cleanup() { sink = sink + 1; }
  } cleanup;  // so that each level is visited on the way
  if (n > 0) {
    wick_step_throw(n - 1);
  } else {
    throw std::runtime_error("stepped");
  }
  sink = sink + 1;
}
NOINLINE void wick_step_handler(int signal) { sink = sink + static_cast<uint64_t>(signal); }
}

namespace wick {
namespace {

using capture::StackQuality;

bool read_registers(pid_t pid, Registers& regs) {
  user_regs_struct raw{};
  iovec io{&raw, sizeof raw};
  if (::ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &io) != 0) { return false; }
  regs = {};
#if defined(__x86_64__)
  const unsigned long long order[17] = {raw.rax, raw.rdx, raw.rcx, raw.rbx, raw.rsi, raw.rdi, raw.rbp, raw.rsp, raw.r8,
                                        raw.r9,  raw.r10, raw.r11, raw.r12, raw.r13, raw.r14, raw.r15, raw.rip};
  for (unsigned i = 0; i < 17; ++i) { regs.set(i, order[i]); }
#else
  for (unsigned i = 0; i < 31; ++i) { regs.set(i, raw.regs[i]); }
  regs.set(arm::kSp, raw.sp);
  regs.set(arm::kPc, raw.pc);
#endif
  return true;
}

class SingleStep : public ::testing::Test {
 protected:
  void SetUp() override {
    space_ = test::load_own_space(store_);
    for (const LoadedModule* module : store_.all()) {
      if (module->unwind) { module->unwind->prepare(); }
    }
  }

  // Runs `code` in a child and looks at each of its instructions.
  void step_through(void (*code)()) {
    pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) { ::_exit(77); }
      ::raise(SIGSTOP);
      wick_step_caller(code);
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status)) { GTEST_SKIP() << "ptrace is not allowed here"; }
    const uint64_t begin = reinterpret_cast<uint64_t>(&wick_step_begin), end = reinterpret_cast<uint64_t>(&wick_step_end);
    bool inside = false;
    for (int signal = 0;;) {
      if (::ptrace(PTRACE_SINGLESTEP, child, nullptr, signal) != 0 || ::waitpid(child, &status, 0) != child ||
          !WIFSTOPPED(status)) {
        break;
      }
      signal = WSTOPSIG(status) == SIGTRAP || WSTOPSIG(status) == SIGSTOP ? 0 : WSTOPSIG(status);
      Registers regs;
      ASSERT_TRUE(read_registers(child, regs));
      uint64_t pc = regs.value[register_numbers(host_arch()).pc];
      if (pc == begin) { inside = true; }
      if (pc == end) { break; }
      if (inside && signal == 0) { look(child, regs); }
    }
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(inside);
    ASSERT_FALSE(callers_.empty());
    EXPECT_NE(test::Names(*space_).of(callers_).back(), "?");
  }

  void look(pid_t child, const Registers& regs) {
    uint64_t sp = regs.value[register_numbers(host_arch()).sp];
    ++steps_;
    unsigned& looks = looks_[{regs.value[register_numbers(host_arch()).pc], sp, regs.value[register_numbers(host_arch()).fp]}];
    if (looks == 8) { return; }  // a loop, most likely; it would take most of the time
    bool live = ++looks % 2 == 0;
    ++looked_at_;
    iovec local{copy_.data(), copy_.size()}, remote{reinterpret_cast<void*>(sp), copy_.size()};
    ssize_t n = ::process_vm_readv(child, &local, 1, &remote, 1, 0);
    RawSample sample;
    sample.pid = sample.tid = static_cast<uint32_t>(child);
    sample.user = regs;
    sample.stack = {copy_.data(), n > 0 ? static_cast<size_t>(n) : 0};
    // Every other time as a cut copy with the live process behind it, else as a copy that must suffice: nothing below the stack
    // pointer is in that.
    if (live) { sample.stack = sample.stack.first(std::min<size_t>(sample.stack.size(), 512)); }
    StackQuality quality = unwinder_.unwind(sample, *space_, live, frames_);
    if (callers_.empty()) {  // the first instruction of wick_step_begin: its caller's callers are the same ever after
      ASSERT_TRUE(capture::is_whole(quality));
      callers_.assign(frames_.begin() + 2, frames_.end());
    }
    bool whole = quality == StackQuality::kWhole || quality == StackQuality::kLive;  // the child stands still: nothing to join
    bool same = whole && frames_.size() > callers_.size() && std::equal(callers_.rbegin(), callers_.rend(), frames_.rbegin());
    if (!same) { wrong_places_[regs.value[register_numbers(host_arch()).pc]] = quality; }
  }

  std::string wrong_text() {
    std::string out = strf("%zu steps\n", steps_);
    test::Names names(*space_);
    for (auto& [pc, quality] : wrong_places_) {
      Place place = space_->place(pc);
      out += strf("%s+%lx %s quality %d\n", place.module ? place.module->path.c_str() : "?",
                  static_cast<unsigned long>(place.svma), names.at(pc).c_str(), static_cast<int>(quality));
      if (out.size() > 4000) { break; }
    }
    return out;
  }

  ModuleStore store_;
  std::shared_ptr<const AddressSpace> space_;
  StackUnwinder unwinder_{WalkOptions{}};
  std::vector<WalkedFrame> frames_, callers_;
  std::vector<uint8_t> copy_ = std::vector<uint8_t>(65536);
  size_t steps_ = 0, looked_at_ = 0;
  std::map<std::array<uint64_t, 3>, unsigned> looks_;  // by instruction, stack and frame pointer
  std::map<uint64_t, StackQuality> wrong_places_;
};

TEST_F(SingleStep, RealignedFunction) {
  step_through([] { sink = sink + wick_step_realigned(1, 2, 3, 4, 5, 6, 7, 64); });
  if (IsSkipped()) { return; }
  EXPECT_GT(steps_, 30u);
  EXPECT_TRUE(wrong_places_.empty()) << wrong_text();
}

// The first call goes through the linkage table into the loader, which looks the function up.
TEST_F(SingleStep, LazyBindingAndCallback) {
  step_through([] {
    int numbers[5] = {4, 2, 5, 1, 3};
    std::qsort(numbers, 5, sizeof numbers[0], wick_step_compare);
    char text[64];
    std::snprintf(text, sizeof text, "%d %s %.3f", numbers[0], "text", 1.5);
    sink = sink + std::strtoul(text, nullptr, 10) + std::strlen(text);
  });
  if (IsSkipped()) { return; }
  EXPECT_GT(steps_, 1000u);
  EXPECT_TRUE(wrong_places_.empty()) << wrong_text();
}

TEST_F(SingleStep, AllocationAndStrings) {
  step_through([] {
    std::string text;
    std::map<int, std::string> map;
    for (int i = 0; i < 10; ++i) { map[i * 7 % 5] += "some text that does not fit in place"; }
    for (auto& [key, value] : map) { text += value; }
    sink = sink + text.size();
  });
  if (IsSkipped()) { return; }
  EXPECT_GT(steps_, 1000u);
  EXPECT_TRUE(wrong_places_.empty()) << wrong_text();
}

// From before the signal, through the handler, to after the return from it.
TEST_F(SingleStep, SignalHandler) {
  step_through([] {
    std::signal(SIGUSR1, wick_step_handler);
    std::raise(SIGUSR1);
    sink = sink + 1;
  });
  if (IsSkipped()) { return; }
  EXPECT_GT(steps_, 50u);
  EXPECT_TRUE(wrong_places_.empty()) << wrong_text();
}

// While an exception unwinds the stack itself, it rewrites it; a few instructions stand between two stacks.
TEST_F(SingleStep, ThrowingAnException) {
  step_through([] {
    try {
      wick_step_throw(3);
    } catch (const std::exception& e) { sink = sink + static_cast<uint64_t>(e.what()[0]); }
  });
  if (IsSkipped()) { return; }
  EXPECT_GT(steps_, 10000u);
  EXPECT_GT(looked_at_, 5000u);
  EXPECT_LT(wrong_places_.size(), 10u) << wrong_text();
}

}  // namespace
}  // namespace wick
