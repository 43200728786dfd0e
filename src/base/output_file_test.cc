// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "base/output_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

namespace wick {
namespace {

class OutputFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "/wick_output_XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  size_t files() const {
    return static_cast<size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator()));
  }
  std::filesystem::path folder_;
};

TEST_F(OutputFileTest, WritesCompleteFileOrNothing) {
  std::string path = folder_ / "out";
  {
    Result<OutputFile> file = OutputFile::create(path);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->write(as_bytes("one ")).ok());
    EXPECT_FALSE(std::filesystem::exists(path));
    ASSERT_TRUE(file->write(as_bytes("two")).ok());
    ASSERT_TRUE(file->commit().ok());
  }
  EXPECT_EQ(*read_file(path), "one two");
  EXPECT_EQ(files(), 1u);
  {
    Result<OutputFile> file = OutputFile::create(path);
    ASSERT_TRUE(file->write(as_bytes("half")).ok());
  }
  EXPECT_EQ(*read_file(path), "one two");
  EXPECT_EQ(files(), 1u);
}

// What a killed writer would leave.
TEST_F(OutputFileTest, LeavesNothingBeforeCommit) {
  Fd nameless(::open(folder_.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600));
  if (!nameless) { GTEST_SKIP() << "this file system does not support O_TMPFILE"; }
  std::string path = folder_ / "out";
  ASSERT_TRUE(write_file_atomically(path, as_bytes("old")).ok());
  Result<OutputFile> file = OutputFile::create(path);
  ASSERT_TRUE(file.ok() && file->write(as_bytes("half")).ok());
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(*read_file(path), "old");
  ASSERT_TRUE(file->commit().ok());
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(*read_file(path), "half");
}

// In a shared directory, another user may have planted a link: to a file, to a device, to nothing.
TEST_F(OutputFileTest, ReplacesLinkInSharedDirectory) {
  std::filesystem::path shared = folder_ / "shared";
  ASSERT_EQ(::mkdir(shared.c_str(), 0700), 0);
  std::string path = shared / "link", victim = folder_ / "victim";
  ASSERT_TRUE(write_file_atomically(victim, as_bytes("precious")).ok());
  for (mode_t mode : {01777, 0777, 0770}) {
    ASSERT_EQ(::chmod(shared.c_str(), mode), 0);
    for (const char* target : {victim.c_str(), "/dev/null", "nowhere", "/dev/stdout"}) {
      std::filesystem::remove(path);
      ASSERT_EQ(::symlink(target, path.c_str()), 0);
      ASSERT_TRUE(write_file_atomically(path, as_bytes("new")).ok());
      struct stat info{};
      ASSERT_EQ(::lstat(path.c_str(), &info), 0);
      EXPECT_TRUE(S_ISREG(info.st_mode)) << target;
      EXPECT_EQ(*read_file(path), "new");
    }
  }
  EXPECT_EQ(*read_file(victim), "precious");
  EXPECT_FALSE(std::filesystem::exists(shared / "nowhere"));
}

TEST_F(OutputFileTest, FollowsOwnLink) {
  std::filesystem::path there = folder_ / "there";
  ASSERT_EQ(::mkdir(there.c_str(), 0700), 0);
  std::string link = folder_ / "link", second = folder_ / "second", target = there / "file";
  ASSERT_EQ(::symlink("there/file", link.c_str()), 0);
  ASSERT_EQ(::symlink(link.c_str(), second.c_str()), 0);
  ASSERT_TRUE(write_file_atomically(link, as_bytes("one")).ok()) << "nothing there yet";
  EXPECT_EQ(*read_file(target), "one");
  Result<OutputFile> file = OutputFile::create(second);
  ASSERT_TRUE(file.ok() && file->write(as_bytes("two")).ok() && file->commit(OutputFile::Old::kKept).ok());
  EXPECT_EQ(*read_file(target), "two");
  EXPECT_EQ(*read_file(target + ".old"), "one");
  EXPECT_TRUE(std::filesystem::is_symlink(link) && std::filesystem::is_symlink(second));
  std::string folder_link = folder_ / "folder", loop = folder_ / "loop";
  ASSERT_EQ(::symlink("there", folder_link.c_str()), 0);
  ASSERT_EQ(::symlink("loop", loop.c_str()), 0);
  EXPECT_FALSE(OutputFile::create(folder_link).ok());
  EXPECT_FALSE(OutputFile::create(loop).ok());
}

TEST_F(OutputFileTest, ReplacesLinkOfAnotherUser) {
  if (::geteuid() != 0) { GTEST_SKIP() << "needs root"; }
  constexpr unsigned kNobody = 65534;
  std::string link = folder_ / "link", victim = folder_ / "victim";
  ASSERT_TRUE(write_file_atomically(victim, as_bytes("precious")).ok());
  ASSERT_EQ(::symlink(victim.c_str(), link.c_str()), 0);
  ASSERT_EQ(::lchown(link.c_str(), kNobody, kNobody), 0);
  ASSERT_TRUE(write_file_atomically(link, as_bytes("new")).ok());
  EXPECT_FALSE(std::filesystem::is_symlink(link));
  EXPECT_EQ(*read_file(victim), "precious");
}

TEST_F(OutputFileTest, ReplacesOnlyGivenFile) {
  std::string path = folder_ / "file", other = folder_ / "other", link = folder_ / "link";
  ASSERT_TRUE(write_file_atomically(path, as_bytes("one")).ok() && write_file_atomically(other, as_bytes("other")).ok());
  ASSERT_EQ(::symlink(path.c_str(), link.c_str()), 0);
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  struct stat info{};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  FileId id{info.st_dev, info.st_ino};
  EXPECT_FALSE(OutputFile::create(other, {.replaces = id}).ok());
  EXPECT_FALSE(OutputFile::create(folder_ / "missing", {.replaces = id}).ok());
  EXPECT_FALSE(OutputFile::create("/dev/fd/1", {.replaces = id}).ok());
  {
    Result<OutputFile> late = OutputFile::create(path, {.replaces = id});
    ASSERT_TRUE(late.ok() && late->write(as_bytes("two")).ok());
    std::filesystem::rename(path, folder_ / "moved");
    std::filesystem::rename(other, path);
    EXPECT_FALSE(late->commit().ok()) << "another file has the name";
    EXPECT_EQ(*read_file(path), "other");
    std::filesystem::rename(folder_ / "moved", path);
  }
  ASSERT_EQ(::chmod(folder_.c_str(), 01777), 0);
  EXPECT_FALSE(OutputFile::create(link, {.replaces = id}).ok()) << "a link that may be another user's";
  ASSERT_EQ(::chmod(folder_.c_str(), 0700), 0);
  Bytes text = as_bytes("two");
  ASSERT_TRUE(write_parts_atomically(link, {&text, 1}, {.replaces = id}).ok());
  EXPECT_EQ(*read_file(path), "two");
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST_F(OutputFileTest, WritesToDescriptorPath) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  Fd from(ends[0]), to(ends[1]);
  std::string link = folder_ / "link";
  ASSERT_EQ(::symlink(("/proc/self/fd/" + std::to_string(to.get())).c_str(), link.c_str()), 0);
  ASSERT_TRUE(write_file_atomically("/dev/fd/" + std::to_string(to.get()), as_bytes("a")).ok());
  ASSERT_TRUE(write_file_atomically("/proc/self/fd/" + std::to_string(to.get()), as_bytes("b")).ok());
  ASSERT_TRUE(write_file_atomically(link, as_bytes("c")).ok()) << "this user's link";
  to.reset();
  EXPECT_EQ(*read_fd(from.get(), "pipe"), "abc");
  EXPECT_FALSE(write_file_atomically("/dev/fd/99999", as_bytes("x")).ok());
}

TEST_F(OutputFileTest, WritesToFifoOnceItIsRead) {
  std::string path = folder_ / "fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  Result<std::string> got = Error("not read");
  std::thread reader([&] {
    ::usleep(50'000);  // the writer comes first
    Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    got = read_fd(fd.get(), "fifo");
  });
  std::string text(size_t{1} << 18, 'x');  // more than a pipe holds: writing must block
  Result<OutputFile> file = OutputFile::create(path);
  EXPECT_TRUE(file.ok() && file->is_special() && file->write(as_bytes(text)).ok() && file->commit().ok());
  if (file.ok()) { file->close(); }
  reader.join();
  ASSERT_TRUE(got.ok());
  EXPECT_TRUE(*got == text);
}

TEST_F(OutputFileTest, DoesNotWaitForeverForReader) {
  std::string path = folder_ / "fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  Result<OutputFile> file = OutputFile::create(path);
  ASSERT_FALSE(file.ok());
  EXPECT_TRUE(file.error().message().ends_with("nothing reads this FIFO")) << file.error().message();
}

TEST_F(OutputFileTest, RefusesFifoOfAnotherUserInSharedDirectory) {
  if (::geteuid() != 0) { GTEST_SKIP() << "needs root"; }
  constexpr unsigned kNobody = 65534;
  std::string path = folder_ / "fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0666), 0);
  ASSERT_EQ(::chown(path.c_str(), kNobody, kNobody), 0);
  Fd reader(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  for (mode_t mode : {01777, 01775, 0777}) {
    ASSERT_EQ(::chmod(folder_.c_str(), mode), 0);
    EXPECT_FALSE(OutputFile::create(path).ok()) << mode;
  }
  ASSERT_EQ(::chmod(folder_.c_str(), 0755), 0);
  EXPECT_TRUE(OutputFile::create(path).ok());
}

TEST_F(OutputFileTest, CanKeepExistingFile) {
  std::string path = folder_ / "out";
  for (const char* text : {"one", "two"}) {
    Result<OutputFile> file = OutputFile::create(path);
    ASSERT_TRUE(file.ok() && file->commit(OutputFile::Old::kKept).ok());
    ASSERT_TRUE(file->write(as_bytes(text)).ok()) << "write after commit";
  }
  EXPECT_EQ(*read_file(path), "two");
  EXPECT_EQ(*read_file(path + ".old"), "one");
  EXPECT_EQ(files(), 2u);
}

TEST_F(OutputFileTest, SetsOwnerBeforeCommit) {
  constexpr unsigned kNobody = 65534;
  std::string path = folder_ / "out";
  struct stat info{};
  Bytes text = as_bytes("x");
  OutputFile::Owner self{::geteuid(), ::getegid()};
  ASSERT_TRUE(write_parts_atomically(path, {&text, 1}, {0666, self}).ok());
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0666u) << "regardless of the umask";
  Result<OutputFile> file = OutputFile::create(path, {0640, OutputFile::Owner{kNobody, kNobody}});
  ASSERT_TRUE(file.ok());
  ASSERT_EQ(::fstat(file->fd(), &info), 0);
  if (::geteuid() == 0) {
    EXPECT_EQ(info.st_uid, kNobody);
    EXPECT_EQ(info.st_mode & 0777, 0640u);
  } else {
    EXPECT_EQ(info.st_mode & 0777, 0600u) << "no permissions for this user's group";
  }
}

TEST_F(OutputFileTest, ReportsMissingDirectory) {
  Result<OutputFile> file = OutputFile::create(folder_ / "missing" / "out");
  ASSERT_FALSE(file.ok());
  EXPECT_TRUE(file.error().message().starts_with("cannot write "));
  for (std::string path : {std::string(), folder_.string(), folder_.string() + "/", folder_.string() + "/.."}) {
    EXPECT_FALSE(OutputFile::create(path).ok()) << path;
  }
  EXPECT_EQ(OutputFile::create("").error().message(), "cannot write: the file name is empty");
}

}  // namespace
}  // namespace wick
