// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A sample may interrupt any instruction. These tests single-step a child through some calls with ptrace and check at each
// instruction that its stack leads to the same callers.

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <ucontext.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <set>
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
// Calls all code under test.
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
  } cleanup;  // its destructor makes the unwinder visit each level
  if (n > 0) {
    wick_step_throw(n - 1);
  } else {
    throw std::runtime_error("stepped");
  }
  sink = sink + 1;
}
// Contexts with their own stack.
ucontext_t wick_step_home, wick_step_away;
alignas(16) char wick_step_stack[65536];
NOINLINE void wick_step_context() {
  for (;;) {
    sink = sink + 1;
    ::swapcontext(&wick_step_away, &wick_step_home);
  }
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

class ChildMemory final : public ThreadMemory {
 public:
  explicit ChildMemory(pid_t child) : child_(child) {}
  size_t read(uint64_t address, std::span<uint8_t> out) override {
    iovec local{out.data(), out.size()}, remote{reinterpret_cast<void*>(address), out.size()};
    ssize_t n = ::process_vm_readv(child_, &local, 1, &remote, 1, 0);
    return n > 0 ? static_cast<size_t>(n) : 0;
  }
  void let_go() override {}

 private:
  pid_t child_;
};

class SingleStep : public ::testing::Test {
 protected:
  void SetUp() override {
    space_ = test::load_own_space(store_);
    names_.emplace(*space_);
    for (const LoadedModule* module : store_.all()) {
      if (module->unwind) { module->unwind->prepare(); }
    }
  }

  // Runs `code` in a child and checks the stack at each instruction.
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
    EXPECT_NE(names_->of(callers_).back(), "?");
  }

  void look(pid_t child, const Registers& regs) {
    uint64_t sp = regs.value[register_numbers(host_arch()).sp];
    ++steps_;
    unsigned& looks = looks_[{regs.value[register_numbers(host_arch()).pc], sp, regs.value[register_numbers(host_arch()).fp]}];
    if (looks == 8) { return; }  // probably a loop, which would take most of the time
    bool stopped = ++looks % 2 == 0;
    ++looked_at_;
    iovec local{copy_.data(), copy_.size()}, remote{reinterpret_cast<void*>(sp), copy_.size()};
    ssize_t n = ::process_vm_readv(child, &local, 1, &remote, 1, 0);
    RawSample sample;
    sample.pid = sample.tid = static_cast<uint32_t>(child);
    sample.user = regs;
    sample.stack = {copy_.data(), n > 0 ? static_cast<size_t>(n) : 0};
    // Alternates between a short copy backed by the stopped child's memory, and a copy alone, which has nothing below the stack
    // pointer.
    ChildMemory memory(child);
    if (stopped) {
      sample.stack = sample.stack.first(std::min<size_t>(sample.stack.size(), 512));
      sample.memory = &memory;
    }
    StackQuality quality = unwinder_.unwind(sample, *space_, frames_);
    if (callers_.empty()) {  // at the first instruction of wick_step_begin: its caller's callers stay the same from here on
      ASSERT_TRUE(capture::is_whole(quality));
      callers_.assign(frames_.begin() + 2, frames_.end());
    }
    bool same = frames_.size() > callers_.size() && std::equal(callers_.rbegin(), callers_.rend(), frames_.rbegin());
    if (sp - reinterpret_cast<uint64_t>(wick_step_stack) <= sizeof wick_step_stack) {
      ++away_;
      std::vector<std::string> names = names_->of(frames_);
      same = std::find(names.begin(), names.end(), "wick_step_context") != names.end();
    }
    bool is_complete = quality == StackQuality::kWhole || quality == StackQuality::kStopped;
    uint64_t pc = regs.value[register_numbers(host_arch()).pc];
    if (!is_complete) { truncated_places_.insert(pc); }
    if (is_complete && !same) { wrong_places_[pc] = quality; }
  }

  std::string wrong_text() {
    std::string out = strf("%zu steps\n", steps_);
    for (auto& [pc, quality] : wrong_places_) {
      Place place = space_->place(pc);
      out += strf("%s+%lx %s quality %d\n", place.module ? place.module->path.c_str() : "?",
                  static_cast<unsigned long>(place.svma), names_->at(pc).c_str(), static_cast<int>(quality));
      if (out.size() > 4000) { break; }
    }
    return out;
  }

  ModuleStore store_;
  std::shared_ptr<const AddressSpace> space_;
  StackUnwinder unwinder_{WalkOptions{}};
  std::vector<WalkedFrame> frames_, callers_;
  std::vector<uint8_t> copy_ = std::vector<uint8_t>(65536);
  std::optional<test::Names> names_;
  size_t steps_ = 0, looked_at_ = 0, away_ = 0;
  std::map<std::array<uint64_t, 3>, unsigned> looks_;  // by instruction, stack and frame pointer
  std::map<uint64_t, StackQuality> wrong_places_;      // complete, but with wrong callers
  std::set<uint64_t> truncated_places_;
};

TEST_F(SingleStep, RealignedFunction) {
  step_through([] { sink = sink + wick_step_realigned(1, 2, 3, 4, 5, 6, 7, 64); });
  if (IsSkipped()) { return; }
  EXPECT_GT(steps_, 30u);
  EXPECT_TRUE(wrong_places_.empty()) << wrong_text();
  EXPECT_TRUE(truncated_places_.empty());
}

// The first call goes through the PLT into the dynamic loader, which resolves the symbol.
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
  EXPECT_TRUE(truncated_places_.empty());
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
  EXPECT_TRUE(truncated_places_.empty());
}

// Steps from before the signal, through the handler, to after its return.
TEST_F(SingleStep, SignalHandler) {
  step_through([] {
    std::signal(SIGUSR1, wick_step_handler);
    std::raise(SIGUSR1);
    sink = sink + 1;
  });
  if (IsSkipped()) { return; }
  EXPECT_GT(steps_, 50u);
  EXPECT_TRUE(wrong_places_.empty()) << wrong_text();
  EXPECT_TRUE(truncated_places_.empty());
}

// An exception rewrites the stack while it unwinds it; at a few instructions the stack is between two states.
TEST_F(SingleStep, ThrownException) {
  step_through([] {
    try {
      wick_step_throw(3);
    } catch (const std::exception& e) { sink = sink + static_cast<uint64_t>(e.what()[0]); }
  });
  if (IsSkipped()) { return; }
  EXPECT_GT(steps_, 10000u);
  EXPECT_GT(looked_at_, 5000u);
  EXPECT_TRUE(wrong_places_.empty()) << wrong_text();
  EXPECT_LT(truncated_places_.size(), looked_at_ / 50);
}

// Switches to a new context, back, to it again, and back. Between the two stacks, no information identifies the caller for a
// moment.
TEST_F(SingleStep, ContextSwitch) {
  step_through([] {
    ::getcontext(&wick_step_away);
    wick_step_away.uc_stack.ss_sp = wick_step_stack;
    wick_step_away.uc_stack.ss_size = sizeof wick_step_stack;
    wick_step_away.uc_link = nullptr;
    ::makecontext(&wick_step_away, wick_step_context, 0);
    for (int i = 0; i < 2; ++i) { ::swapcontext(&wick_step_home, &wick_step_away); }
  });
  if (IsSkipped()) { return; }
  EXPECT_GT(away_, 20u);
  EXPECT_TRUE(wrong_places_.empty()) << wrong_text();
  EXPECT_LE(truncated_places_.size(), 20u);
}

}  // namespace
}  // namespace wick
