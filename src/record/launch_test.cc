// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/launch.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "base/text.h"

namespace wick {
namespace {

sigset_t current_mask() {
  sigset_t mask;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  return mask;
}

int run_to_end(const std::vector<std::string>& argv) {
  Result<Launch> launch = Launch::prepare(argv, current_mask());
  EXPECT_TRUE(launch.ok());
  EXPECT_TRUE(launch->release().ok());
  int status = 0;
  EXPECT_EQ(::waitpid(launch->pid(), &status, 0), launch->pid());
  return status;
}

Errc failure_of(const std::vector<std::string>& argv, std::string* hint = nullptr) {
  Result<Launch> launch = Launch::prepare(argv, current_mask());
  EXPECT_TRUE(launch.ok());
  Status released = launch->release();
  EXPECT_FALSE(released.ok());
  if (hint != nullptr && !released.ok()) { *hint = released.error().hint(); }
  return released.ok() ? Errc::kOther : released.error().code();
}

TEST(Launch, PassesArgumentsAndExitCode) { EXPECT_EQ(WEXITSTATUS(run_to_end({"sh", "-c", "exit $1", "sh", "7"})), 7); }

TEST(Launch, DistinguishesMissingFromNotExecutable) {
  EXPECT_EQ(failure_of({"/no/such/program"}), Errc::kNoCommand);
  EXPECT_EQ(failure_of({"no-such-program-anywhere"}), Errc::kNoCommand);
  EXPECT_EQ(failure_of({"/tmp"}), Errc::kNotExecutable);
  std::string path = strf("/tmp/wick-launch-test-%d", ::getpid());
  std::ofstream(path) << "#!/no/such/interpreter\n";
  std::string hint;
  EXPECT_EQ(failure_of({path}, &hint), Errc::kNotExecutable);
  EXPECT_EQ(hint, "chmod +x " + path);
  ASSERT_EQ(::chmod(path.c_str(), 0755), 0);
  EXPECT_EQ(failure_of({path}), Errc::kNotExecutable);  // the script exists, its interpreter does not
  ::unlink(path.c_str());
}

TEST(Launch, SuggestsChmodOnlyForOwnPrograms) {
  std::string path = strf("/tmp/wick launch-test-%d", ::getpid()), hint;
  std::ofstream(path) << "#!/bin/sh\n";
  EXPECT_EQ(failure_of({path}, &hint), Errc::kNotExecutable);
  EXPECT_EQ(hint, "chmod +x '" + path + "'");
  if (::geteuid() == 0 && ::chown(path.c_str(), 65534, 65534) == 0) {
    EXPECT_EQ(failure_of({path}, &hint), Errc::kNotExecutable);
    EXPECT_EQ(hint, "") << "another user's";
  }
  ::unlink(path.c_str());
  std::ofstream(path) << "name:x:1:1\n";
  EXPECT_EQ(failure_of({path}, &hint), Errc::kNotExecutable);
  EXPECT_EQ(hint, "") << "data";
  ::unlink(path.c_str());
}

TEST(Launch, UnreleasedChildEnds) {
  pid_t pid = -1;
  {
    Result<Launch> launch = Launch::prepare({"sleep", "100"}, current_mask());
    ASSERT_TRUE(launch.ok());
    pid = launch->pid();
    EXPECT_EQ(::kill(pid, 0), 0);
  }
  EXPECT_NE(::kill(pid, 0), 0);
}

}  // namespace
}  // namespace wick
