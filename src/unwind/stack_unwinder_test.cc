// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Walks the test program's own stack, seen from signal handlers at chosen places. The other CPU's stacks are in replay_test.cc.

#include "unwind/stack_unwinder.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "unwind/self_test_util.h"

// Plain names, seen by the linker, so that the stacks can be read off.
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

  // Runs `code`, which raises SIGUSR1, and unwinds what was interrupted, seen through a copy of `limit` bytes.
  StackQuality unwind_in(const std::function<void()>& code, size_t limit, bool live = true) {
    StackQuality quality{};
    std::function<void(const ucontext_t&)> look = [&](const ucontext_t& context) {
      test::Snapshot shot = test::take_snapshot(context, limit);
      if (to_page_end_) { shot.stack.resize(shot.stack.size() - (shot.sp + shot.stack.size()) % 4096); }
      if (spoilt_name_ != nullptr) { spoil(shot); }
      RawSample sample;
      sample.pid = static_cast<uint32_t>(::getpid());
      sample.tid = static_cast<uint32_t>(::gettid());
      sample.user = shot.regs;
      sample.stack = shot.stack;
      quality = unwinder_.unwind(sample, *space_, live, frames_);
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
  // Puts a senseless frame pointer over the one that a function has saved.
  void spoil(test::Snapshot& shot) {
    CopiedStack memory(shot.sp, shot.stack);
    std::vector<WalkedFrame> walked;
    Walker(WalkOptions{}).walk(shot.regs, *space_, memory, walked);
    std::vector<std::string> names = test::Names(*space_).of(walked);
    size_t at = static_cast<size_t>(std::find(names.begin(), names.end(), spoilt_name_) - names.begin());
    ASSERT_LT(at + 1, walked.size());
    uint64_t wrong = 0x5555;
    std::memcpy(shot.stack.data() + (walked[at + 1].sp - 16 - shot.sp), &wrong, sizeof wrong);
  }
  void prepare_all() {
    for (const LoadedModule* module : store_.all()) {
      if (module->unwind) { module->unwind->prepare(); }
    }
  }

  bool to_page_end_ = false;           // the copy looks as if the stack ended there
  const char* spoilt_name_ = nullptr;  // a function
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

TEST_F(StackUnwinderTest, CrossesACallback) {
  EXPECT_EQ(unwind_in(wick_test_sort, 65536), StackQuality::kWhole);
  EXPECT_LT(index("wick_test_leaf"), index("wick_test_compare"));
  EXPECT_LT(index("wick_test_compare"), index("wick_test_sort"));
  EXPECT_LT(index("wick_test_sort"), index("main"));
}

TEST_F(StackUnwinderTest, FinishesACutStackFromTheLiveProcess) {
  prepare_all();
  EXPECT_EQ(unwind_in([] { wick_test_recurse(10000); }, 2048), StackQuality::kLive);
  EXPECT_EQ(count("wick_test_recurse"), 10001u);
  EXPECT_EQ(names_.back(), "_start");
  EXPECT_EQ(unwind_in(wick_test_big_frame, 2048), StackQuality::kLive);
  EXPECT_EQ(index("wick_test_big_frame"), index("wick_test_leaf") + 1);
  EXPECT_EQ(names_.back(), "_start");
}

TEST_F(StackUnwinderTest, ACopyThatEndsWithAPageIsFinishedToo) {
  prepare_all();
  to_page_end_ = true;
  for (int i = 0; i < 2; ++i) {  // once more with sizes of frames that are known
    EXPECT_EQ(unwind_in([] { wick_test_recurse(10000); }, 8192), StackQuality::kLive);
    EXPECT_EQ(count("wick_test_recurse"), 10001u);
    EXPECT_EQ(unwind_in(wick_test_big_frame, 8192), StackQuality::kLive);
    EXPECT_EQ(names_.back(), "_start");
  }
}

TEST_F(StackUnwinderTest, JoinsOrCutsWithoutTheLiveProcess) {
  EXPECT_EQ(unwind_in([] { wick_test_recurse(1000); }, 2048, false), StackQuality::kCut);
  EXPECT_GT(count("wick_test_recurse"), 5u);
  EXPECT_LT(count("wick_test_recurse"), 100u);
  std::function<void()> deep = [] { wick_test_recurse(1000); };
  std::vector<std::string> whole;
  for (size_t limit : {1u << 20, 2048u}) {
    StackQuality quality = unwind_in(deep, limit, false);
    EXPECT_EQ(quality, whole.empty() ? StackQuality::kWhole : StackQuality::kJoined);
    EXPECT_EQ(count("wick_test_recurse"), 1001u);
    if (whole.empty()) {
      whole = names_;
    } else {
      EXPECT_EQ(names_, whole);
    }
  }
  // The same function at another depth is another stack pointer: nothing to join to.
  EXPECT_EQ(unwind_in(
                [] {
                  volatile char shift[40];
                  shift[0] = 1;
                  wick_test_recurse(1000);
                  sink = sink + shift[0];
                },
                2048, false),
            StackQuality::kCut);
}

TEST_F(StackUnwinderTest, MendsARegisterThatWasOverwritten) {
  if (WalkOptions{}.arch != Arch::kX86_64) { GTEST_SKIP() << "only done on x86_64"; }
  for (size_t limit : {1u << 20, 4096u}) {  // what follows is in the copy, or has to be joined
    unwinder_ = StackUnwinder(WalkOptions{});
    spoilt_name_ = nullptr;
    EXPECT_EQ(unwind_in([] { wick_test_recurse(300); }, 1 << 20, false), StackQuality::kWhole);
    spoilt_name_ = "wick_test_leaf";
    EXPECT_EQ(unwind_in([] { wick_test_recurse(301); }, limit, false), StackQuality::kMended) << limit;
    EXPECT_EQ(count("wick_test_recurse"), 302u);
    EXPECT_EQ(names_.back(), "_start");
    // One that was never whole before has no known size to go by.
    unwinder_ = StackUnwinder(WalkOptions{});
    EXPECT_FALSE(capture::is_whole(unwind_in([] { wick_test_recurse(300); }, limit, false)));
  }
}

}  // namespace
}  // namespace wick
