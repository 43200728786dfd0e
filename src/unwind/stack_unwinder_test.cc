// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Walks the test program's own stack from signal handlers at chosen places. replay_test.cc covers the other CPU.

#include "unwind/stack_unwinder.h"

#include <gtest/gtest.h>
#include <sys/uio.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "unwind/self_test_util.h"

// extern "C" names keep the expected stacks readable.
#define NOINLINE __attribute__((noinline, noclone))

namespace {
volatile uint64_t sink;
std::function<void(const ucontext_t&)>* on_signal = nullptr;
}  // namespace

extern "C" {
NOINLINE void wick_test_handler(int, siginfo_t*, void* context) {
  (*on_signal)(*static_cast<const ucontext_t*>(context));
  sink = sink + 1;
}
NOINLINE void wick_test_leaf() {
  ::raise(SIGUSR1);
  sink = sink + 1;
}
NOINLINE void wick_test_recurse(int n) {
  volatile char pad[64];
  pad[0] = static_cast<char>(n);
  if (n > 0) {
    wick_test_recurse(n - 1);
  } else {
    wick_test_leaf();
  }
  sink = sink + static_cast<uint64_t>(pad[0]);
}
NOINLINE void wick_test_big_frame() {
  volatile char room[120000];
  room[5] = 1;
  wick_test_leaf();
  sink = sink + static_cast<uint64_t>(room[5]);
}
NOINLINE int wick_test_compare(const void* a, const void* b) {
  static bool done;
  if (!done) {
    done = true;
    wick_test_leaf();
    done = false;
  }
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}
NOINLINE void wick_test_sort() {
  int numbers[4] = {3, 1, 2, 4};
  std::qsort(numbers, 4, sizeof(int), wick_test_compare);
  sink = sink + static_cast<uint64_t>(numbers[0]);
}
}

namespace wick {
namespace {

using capture::StackQuality;

class StackUnwinderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    space_ = test::load_own_space(store_);
    struct sigaction action{};
    action.sa_sigaction = wick_test_handler;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR1, &action, &old_);
  }
  void TearDown() override { sigaction(SIGUSR1, &old_, nullptr); }

  // Runs `code`, which raises SIGUSR1, and unwinds the interrupted stack from a copy of `limit` bytes. If `stopped`, the thread's
  // own memory, which does not change during the handler, is readable too.
  StackQuality unwind_in(const std::function<void()>& code, size_t limit, bool stopped = false) {
    StackQuality quality{};
    std::function<void(const ucontext_t&)> look = [&](const ucontext_t& context) {
      test::Snapshot shot = test::take_snapshot(context, limit);
      RawSample sample;
      sample.pid = static_cast<uint32_t>(::getpid());
      sample.tid = static_cast<uint32_t>(::gettid());
      sample.user = shot.regs;
      sample.stack = shot.stack;
      if (stopped) { sample.memory = &own_memory_; }
      quality = unwinder_.unwind(sample, *space_, frames_);
      needs_more_ = sample.needs_more;
      reach_ = sample.reach;
    };
    on_signal = &look;
    code();
    on_signal = nullptr;
    names_ = test::Names(*space_).of(frames_);
    return quality;
  }
  size_t count(const std::string& name) const { return static_cast<size_t>(std::count(names_.begin(), names_.end(), name)); }
  size_t index(const std::string& name) const {
    return static_cast<size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
  }
  void prepare_all() {
    for (const LoadedModule* module : store_.all()) {
      if (module->unwind) { module->unwind->prepare(); }
    }
  }

  class OwnMemory final : public ThreadMemory {
   public:
    size_t read(uint64_t address, std::span<uint8_t> out) override {
      iovec local{out.data(), out.size()}, remote{reinterpret_cast<void*>(address), out.size()};
      ssize_t n = ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0);
      return n > 0 ? static_cast<size_t>(n) : 0;
    }
    void let_go() override {}
  };

  OwnMemory own_memory_;
  bool needs_more_ = false;
  uint64_t reach_ = 0;
  ModuleStore store_;
  std::shared_ptr<const AddressSpace> space_;
  StackUnwinder unwinder_{WalkOptions{}};
  std::vector<WalkedFrame> frames_;
  std::vector<std::string> names_;
  struct sigaction old_{};
};

TEST_F(StackUnwinderTest, WalksToTheRoot) {
  for (bool prepared : {false, true}) {
    if (prepared) { prepare_all(); }
    EXPECT_EQ(unwind_in([] { wick_test_recurse(5); }, 65536), StackQuality::kWhole);
    EXPECT_EQ(count("wick_test_leaf"), 1u);
    EXPECT_EQ(count("wick_test_recurse"), 6u);
    EXPECT_EQ(names_.back(), "_start") << ::testing::PrintToString(names_);
    EXPECT_EQ(index("wick_test_recurse"), index("wick_test_leaf") + 1);
    EXPECT_LT(index("wick_test_recurse"), index("main"));
    unwinder_ = StackUnwinder(WalkOptions{});
  }
}

TEST_F(StackUnwinderTest, WalksThroughCallback) {
  EXPECT_EQ(unwind_in(wick_test_sort, 65536), StackQuality::kWhole);
  EXPECT_LT(index("wick_test_leaf"), index("wick_test_compare"));
  EXPECT_LT(index("wick_test_compare"), index("wick_test_sort"));
  EXPECT_LT(index("wick_test_sort"), index("main"));
}

TEST_F(StackUnwinderTest, ReadsRestFromStoppedThread) {
  prepare_all();
  EXPECT_EQ(unwind_in([] { wick_test_recurse(10000); }, 2048, true), StackQuality::kStopped);
  EXPECT_EQ(count("wick_test_recurse"), 10001u);
  EXPECT_EQ(names_.back(), "_start");
  EXPECT_FALSE(needs_more_);
  EXPECT_GT(reach_, 500'000u);
  EXPECT_EQ(unwind_in(wick_test_big_frame, 2048, true), StackQuality::kStopped);
  EXPECT_EQ(index("wick_test_big_frame"), index("wick_test_leaf") + 1);
  EXPECT_EQ(names_.back(), "_start");
  // The copy suffices, so nothing else is read.
  EXPECT_EQ(unwind_in([] { wick_test_recurse(5); }, 65536, true), StackQuality::kWhole);
}

TEST_F(StackUnwinderTest, TruncatesAtEndOfCopy) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(unwind_in([] { wick_test_recurse(1000); }, 2048), StackQuality::kCut);
    EXPECT_TRUE(needs_more_);
    EXPECT_GT(count("wick_test_recurse"), 5u);
    EXPECT_LT(count("wick_test_recurse"), 100u) << "no frames of the previous stack are added";
    EXPECT_EQ(unwind_in([] { wick_test_recurse(1000); }, 1 << 20), StackQuality::kWhole);
    EXPECT_EQ(count("wick_test_recurse"), 1001u);
  }
}

TEST_F(StackUnwinderTest, DistinguishesMissingMemoryFromShortCopies) {
  EXPECT_EQ(unwind_in([] { wick_test_recurse(5); }, 0), StackQuality::kUnreadable);
  EXPECT_FALSE(needs_more_) << "stopping the thread would not help";
  EXPECT_EQ(unwind_in([] { wick_test_recurse(5); }, 8), StackQuality::kCut);
  EXPECT_TRUE(needs_more_);
  EXPECT_EQ(unwind_in([] { wick_test_recurse(5); }, 0, true), StackQuality::kStopped) << "read from the stopped thread";
}

}  // namespace
}  // namespace wick
