// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "os/stop_signals.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace wick {
namespace {

sigset_t own_mask() {
  sigset_t mask;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  return mask;
}

// A child that has reported "ready" when this returns. It and its descendants keep `ready` open.
struct Child {
  pid_t pid = -1;
  Fd end;  // readable once the child and its descendants are gone
};
Child start(const std::function<void()>& run) {
  int fds[2];
  EXPECT_EQ(::pipe(fds), 0);
  Child child;
  child.pid = ::fork();
  if (child.pid == 0) {
    ::close(fds[0]);
    sigset_t none;
    ::sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
    ::setpgid(0, 0);
    EXPECT_EQ(::dup2(fds[1], 100), 100);
    ::close(fds[1]);
    run();
    ::_exit(0);
  }
  ::close(fds[1]);
  child.end = Fd(fds[0]);
  char ready = 0;
  EXPECT_EQ(::read(child.end.get(), &ready, 1), 1);
  return child;
}
void say_ready() { EXPECT_EQ(::write(100, "r", 1), 1); }
[[noreturn]] void sleep_for_ever() {
  for (;;) { ::pause(); }
}
bool is_gone(const Child& child) {
  pollfd one{child.end.get(), POLLIN, 0};
  char byte = 0;
  return ::poll(&one, 1, 5000) == 1 && ::read(child.end.get(), &byte, 1) == 0;
}

TEST(StopSignals, ReportsSignalOnceAndSurvives) {
  Result<StopSignals> signals = StopSignals::open();
  ASSERT_TRUE(signals.ok());
  EXPECT_FALSE(signals->next());
  ::kill(::getpid(), SIGTERM);
  std::optional<StopSignal> seen = signals->next();
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->number, SIGTERM);
  EXPECT_FALSE(seen->from_terminal);
  EXPECT_FALSE(signals->next());
}

TEST(StopSignals, DiscardsPendingSignalsAtEnd) {
  sigset_t before = own_mask();
  {
    Result<StopSignals> signals = StopSignals::open();
    ASSERT_TRUE(signals.ok());
    ::kill(::getpid(), SIGINT);
  }
  sigset_t pending, after = own_mask();
  ::sigpending(&pending);
  EXPECT_FALSE(::sigismember(&pending, SIGINT));
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGCHLD}) {
    EXPECT_EQ(::sigismember(&after, number), ::sigismember(&before, number)) << number;
  }
}

TEST(StopSignals, UnblocksEarly) {
  sigset_t before = own_mask();
  Result<StopSignals> signals = StopSignals::open();
  ASSERT_TRUE(signals.ok());
  ::kill(::getpid(), SIGTERM);
  ::raise(SIGPIPE);  // as a write to a closed pipe would
  signals->unblock();
  sigset_t pending, after = own_mask();
  ::sigpending(&pending);
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGCHLD}) {
    EXPECT_FALSE(::sigismember(&pending, number)) << number;
    EXPECT_EQ(::sigismember(&after, number), ::sigismember(&before, number)) << number;
  }
}

TEST(StopSignals, ForwardsSignals) {
  Child child = start([] {
    ::signal(SIGHUP, [](int) { ::_exit(9); });
    say_ready();
    sleep_for_ever();
  });
  pass_on({SIGHUP, true}, child.pid);  // the terminal's signal went to our group, not to the child's
  int status = 0;
  ASSERT_EQ(::waitpid(child.pid, &status, 0), child.pid);
  EXPECT_EQ(WEXITSTATUS(status), 9);
}

TEST(EndProcess, AsksBeforeItKills) {
  Child child = start([] {
    ::signal(SIGINT, [](int) { ::_exit(3); });
    say_ready();
    sleep_for_ever();
  });
  int status = end_process(child.pid, false);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
}

TEST(EndProcess, KillsUnresponsiveProcess) {
  Child child = start([] {
    ::signal(SIGINT, SIG_IGN);
    ::signal(SIGTERM, SIG_IGN);
    say_ready();
    sleep_for_ever();
  });
  int status = end_process(child.pid, false);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

TEST(EndProcess, EndsChildrenOfItsGroup) {
  Child child = start([] {
    pid_t grandchild = ::fork();
    if (grandchild == 0) { sleep_for_ever(); }
    say_ready();
    sleep_for_ever();
  });
  EXPECT_TRUE(WIFSIGNALED(end_process(child.pid, false)));
  EXPECT_TRUE(is_gone(child)) << "its child is still running";
}

TEST(WaitForProcess, ForwardsSignalsAndReturnsStatus) {
  Result<StopSignals> signals = StopSignals::open();
  ASSERT_TRUE(signals.ok());
  Child child = start([] {
    ::signal(SIGTERM, [](int) { ::_exit(7); });
    say_ready();
    sleep_for_ever();
  });
  ::kill(::getpid(), SIGTERM);
  std::optional<int> status = wait_for_process(child.pid, *signals);
  ASSERT_TRUE(status);
  EXPECT_TRUE(WIFEXITED(*status));
  EXPECT_EQ(WEXITSTATUS(*status), 7);
}

}  // namespace
}  // namespace wick
