// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/file_appender.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

#include "pipeline/no_threads_testing.h"

namespace wick {
namespace {

struct FileAppenderTest : testing::Test {
  char folder[32] = "/tmp/wick-append-XXXXXX";
  std::string path;
  void SetUp() override {
    ASSERT_NE(::mkdtemp(folder), nullptr);
    path = std::string(folder) + "/p.wick";
  }
  void TearDown() override { static_cast<void>(std::system(("rm -rf " + std::string(folder)).c_str())); }
  bool exists(const std::string& name) { return ::access(name.c_str(), F_OK) == 0; }
};

TEST_F(FileAppenderTest, LeavesNothingIfRecordingNeverBegan) {
  {
    FileAppender file;
    ASSERT_TRUE(file.open(path).ok());
  }
  EXPECT_FALSE(exists(path));
  EXPECT_EQ(::rmdir(folder), 0) << "the folder is not empty";
  ::mkdir(folder, 0700);
}

TEST_F(FileAppenderTest, KeepsTheOlderFile) {
  for (uint8_t byte : {1, 2}) {
    FileAppender file;
    ASSERT_TRUE(file.open(path).ok());
    ASSERT_TRUE(file.commit().ok());
    file.append({byte, byte});
    ASSERT_TRUE(file.close().ok());
    EXPECT_EQ(file.size_bytes(), 2u);
  }
  EXPECT_EQ(*read_file(path), std::string("\2\2"));
  EXPECT_EQ(*read_file(path + ".old"), std::string("\1\1"));
}

// In a shared directory, another user may create links under any name that the recorder could use.
TEST_F(FileAppenderTest, DoesNotFollowLinksInSharedDirectory) {
  ASSERT_EQ(::chmod(folder, 01777), 0);
  std::string victim = std::string(folder) + "/victim";
  std::ofstream(victim) << "precious";
  for (const std::string& name : {path, path + "." + std::to_string(::getpid()) + ".tmp", path + ".old"}) {
    ASSERT_EQ(::symlink(victim.c_str(), name.c_str()), 0);
  }
  FileAppender file;
  ASSERT_TRUE(file.open(path).ok());
  ASSERT_TRUE(file.commit().ok());
  file.append({1, 2});
  ASSERT_TRUE(file.close().ok());
  EXPECT_EQ(*read_file(victim), "precious");
  EXPECT_EQ(*read_file(path), std::string("\1\2"));
}

TEST_F(FileAppenderTest, OnlyOneWriterPerName) {
  FileAppender first, second;
  ASSERT_TRUE(first.open(path).ok());
  ASSERT_TRUE(first.commit().ok());
  std::string link = path + ".link";
  ASSERT_EQ(::symlink(path.c_str(), link.c_str()), 0);
  EXPECT_FALSE(second.open(link).ok()) << "the same file by its link";
  Status refused = second.open(path);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message().find("another wick"), std::string::npos) << refused.error().message();
  first.append({1});
  ASSERT_TRUE(first.close().ok());
  EXPECT_EQ(*read_file(path), std::string("\1"));
  EXPECT_TRUE(second.open(path).ok());  // the first writer is done
}

TEST_F(FileAppenderTest, LeavesNothingIfRenamingFails) {
  std::string in_the_way = path + ".old";
  ASSERT_EQ(::mkdir(in_the_way.c_str(), 0700), 0);
  std::ofstream(path) << "older";
  {
    FileAppender file;
    ASSERT_TRUE(file.open(path).ok());
    EXPECT_FALSE(file.commit().ok());
  }
  EXPECT_EQ(*read_file(path), "older");
  ::unlink(path.c_str());
  EXPECT_EQ(::rmdir(in_the_way.c_str()), 0);
  EXPECT_EQ(::rmdir(folder), 0) << "the folder is not empty";
  ::mkdir(folder, 0700);
}

TEST_F(FileAppenderTest, WritesWithoutAThread) {
  ASSERT_EQ(::chmod(folder, 0777), 0);
  int size = run_without_threads([&] {
    FileAppender file;
    if (!file.open(path).ok() || !file.commit().ok()) { return 1; }
    file.append({1, 2});
    file.append({3});
    return file.close().ok() ? static_cast<int>(file.size_bytes()) : 2;
  });
  EXPECT_EQ(size, 3);
  EXPECT_EQ(*read_file(path), std::string("\1\2\3"));
}

TEST_F(FileAppenderTest, ClearErrors) {
  FileAppender file;
  EXPECT_FALSE(file.open("/no/such/folder/x").ok());
  Status folder_status = file.open(folder);
  ASSERT_FALSE(folder_status.ok());
  EXPECT_NE(folder_status.error().message().find("directory"), std::string::npos);
}

TEST_F(FileAppenderTest, FullDiskLeavesCompleteBlocks) {
  // In a child process, with a file size limit instead of a full disk.
  pid_t pid = ::fork();
  if (pid == 0) {
    rlimit limit{10'000, 10'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::signal(SIGXFSZ, SIG_IGN);
    FileAppender file;
    bool good = file.open(path).ok() && file.commit().ok();
    for (int i = 0; i < 5; ++i) { file.append(std::vector<uint8_t>(4000, 7)); }
    Status closed = file.close();
    good = good && !closed.ok() && file.size_bytes() == 8000;
    ::_exit(good ? 0 : 1);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read_file(path)->size(), 8000u);
}

}  // namespace
}  // namespace wick
