// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "os/proc_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "os/cpu_load.h"
#include "os/memory.h"
#include "os/proc_tasks.h"

namespace wick {
namespace {

auto own_pid() { return static_cast<uint32_t>(::getpid()); }

TEST(ProcFiles, FindsTheFilesOfAProcess) {
  std::string program = load_executable_path(own_pid());
  EXPECT_TRUE(program.ends_with("_test")) << program;
  struct stat by_name{}, by_link{}, in_root{};
  ASSERT_EQ(::stat(program.c_str(), &by_name), 0);
  ASSERT_EQ(::stat(executable_link(own_pid()).c_str(), &by_link), 0);
  ASSERT_EQ(::stat(path_in_root_of(own_pid(), program).c_str(), &in_root), 0);
  EXPECT_EQ(by_name.st_ino, by_link.st_ino);
  EXPECT_EQ(by_name.st_ino, in_root.st_ino);
  std::string mapped = find_map_file(own_pid(), 0, by_name.st_ino);
  EXPECT_NE(mapped.find("/map_files/"), std::string::npos) << mapped;
  EXPECT_EQ(find_map_file(own_pid(), 0, UINT64_MAX), "");
  EXPECT_EQ(load_root_key(own_pid()), "") << "our own root";
  struct stat tmp{}, opened{};
  Fd fd = open_tmp_of(own_pid());
  ASSERT_TRUE(fd);
  ASSERT_EQ(::stat("/tmp", &tmp), 0);
  ASSERT_EQ(::fstat(fd.get(), &opened), 0);
  EXPECT_EQ(tmp.st_ino, opened.st_ino);
}

TEST(ProcFiles, FindsNothingOfAnEndedProcess) {
  constexpr uint32_t kNone = 0x7ffffff0;
  EXPECT_EQ(load_executable_path(kNone), "");
  EXPECT_EQ(find_map_file(kNone, 0, 1), "");
  EXPECT_EQ(load_root_key(kNone), "");
  EXPECT_FALSE(open_tmp_of(kNone));
  EXPECT_FALSE(load_process_identity(static_cast<pid_t>(kNone)));
}

TEST(ProcFiles, TheVdsoIsAnElfFile) {
  Bytes vdso = load_own_vdso();
  if (vdso.empty()) { GTEST_SKIP() << "this kernel has no vDSO"; }
  ASSERT_GT(vdso.size(), 4u);
  EXPECT_EQ(std::memcmp(vdso.data(),
                        "\x7f"
                        "ELF",
                        4),
            0);
}

TEST(ProcTasks, KnowsUsersAndWrittenBytes) {
  std::optional<ProcessIdentity> own = load_process_identity(::getpid());
  ASSERT_TRUE(own);
  ASSERT_EQ(own->users.size(), 4u);
  EXPECT_EQ(own->users[1], ::geteuid());
  EXPECT_GT(own->inner_pid, 0);
  std::optional<uint64_t> before = load_written_bytes(::getpid());
  if (!before) { GTEST_SKIP() << "this kernel does not count written bytes"; }
  std::ofstream("/dev/null") << std::string(5000, 'x') << std::flush;
  EXPECT_GE(load_written_bytes(::getpid()).value_or(0), *before + 5000);
}

TEST(CpuLoad, CountsThisThread) {
  CpuLoad load;
  EXPECT_GE(load.running().value_or(0), 1u);
  uint64_t first = load.waited_ns();
  EXPECT_LE(first, load.waited_ns());
}

TEST(Memory, IsKnown) { EXPECT_GT(usable_memory_bytes(), uint64_t{16} << 20); }

}  // namespace
}  // namespace wick
