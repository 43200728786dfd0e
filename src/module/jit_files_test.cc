// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "module/jit_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/clock.h"
#include "base/text.h"

namespace wick {
namespace {

namespace fs = std::filesystem;

class JitFilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove(map_);
    fs::remove(dump_);
  }
  void TearDown() override { SetUp(); }

  static void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
  // The file's contents; "-" if there is none.
  static std::string content(const Fd& fd) {
    if (!fd) { return "-"; }
    Result<std::string> text = read_fd(fd.get(), "map");
    return text.ok() ? *text : text.error().message();
  }

  const uint32_t pid_ = static_cast<uint32_t>(::getpid());
  const std::string map_ = strf("/tmp/perf-%u.map", pid_), dump_ = strf("/tmp/jit-%u.dump", pid_);
};

TEST_F(JitFilesTest, OpensMapOfProcess) {
  JitFiles files(pid_, now_ns());
  EXPECT_EQ(content(files.open_map()), "-");
  write(map_, "1000 10 f\n");
  EXPECT_EQ(content(files.open_map()), "1000 10 f\n");
}

TEST_F(JitFilesTest, RejectsMapOlderThanProcess) {
  write(map_, "1000 10 f\n");
  timespec old[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, map_.c_str(), old, 0), 0);
  EXPECT_EQ(content(JitFiles(pid_, now_ns()).open_map()), "-");
}

TEST_F(JitFilesTest, RejectsMapOfOtherUser) {
  if (::geteuid() != 0) { GTEST_SKIP() << "only root can change a file's owner"; }
  write(map_, "1000 10 f\n");
  ASSERT_EQ(::chown(map_.c_str(), 12345, 12345), 0);
  EXPECT_EQ(content(JitFiles(pid_, now_ns()).open_map()), "-");
}

TEST_F(JitFilesTest, RejectsLinkAndPipe) {
  write(dump_, "1000 10 f\n");
  fs::create_symlink(dump_, map_);
  JitFiles files(pid_, now_ns());
  EXPECT_EQ(content(files.open_map()), "-");
  fs::remove(map_);
  ASSERT_EQ(::mkfifo(map_.c_str(), 0600), 0);
  EXPECT_EQ(content(files.open_map()), "-");
}

TEST_F(JitFilesTest, RecognizesDumpNames) {
  for (const char* path : {"/tmp/jit-1.dump", "/a b/.debug/jit/x/jit-4711.dump", "jit-0.dump"}) {
    EXPECT_TRUE(JitFiles::is_dump(path)) << path;
  }
  for (const char* path : {"", "/tmp/jit-.dump", "/tmp/jit-1x.dump", "/tmp/jit-1.dump2", "/tmp/ajit-1.dump", "/jit-1.dump/x"}) {
    EXPECT_FALSE(JitFiles::is_dump(path)) << path;
  }
}

TEST_F(JitFilesTest, DumpStaysOpenAfterUnlink) {
  write(dump_, "one");
  struct stat info{};
  ASSERT_EQ(::stat(dump_.c_str(), &info), 0);
  JitFiles files(pid_, now_ns());
  ModuleRequest request{pid_, dump_, info.st_dev, info.st_ino};
  files.add_dump(request);
  files.add_dump(request);
  fs::remove(dump_);
  write(dump_, "another");
  for (int i = 0; i < 2; ++i) {
    std::vector<Fd> dumps = files.open_dumps();
    ASSERT_EQ(dumps.size(), 1u) << "no duplicates";
    std::string text(3, ' ');
    EXPECT_EQ(::pread(dumps[0].get(), text.data(), 3, 0), 3);
    EXPECT_EQ(text, "one");
  }
}

TEST_F(JitFilesTest, HandlesExitedProcess) {
  constexpr uint32_t kGone = 2'000'000'000;
  const std::string map = strf("/tmp/perf-%u.map", kGone);
  write(map, "1000 10 f\n");
  EXPECT_EQ(content(JitFiles(kGone, now_ns()).open_map()), "1000 10 f\n");
  fs::remove(map);
}

}  // namespace
}  // namespace wick
