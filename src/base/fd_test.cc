// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "base/fd.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "base/output_file.h"

namespace wick {
namespace {

class FdTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/wick-fd-XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string path(const char* name) const { return folder_ + "/" + name; }
  size_t file_count() const { return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder_), {})); }

  std::string folder_;
};

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) != -1; }

TEST_F(FdTest, ClosesOwnedDescriptor) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  {
    Fd a(ends[0]);
    Fd b(std::move(a));
    EXPECT_FALSE(a.valid());
    EXPECT_TRUE(is_open(ends[0]));
    Fd c;
    c = std::move(b);
    EXPECT_EQ(c.get(), ends[0]);
    Fd& itself = c;
    c = std::move(itself);
    EXPECT_TRUE(is_open(ends[0]));
  }
  EXPECT_FALSE(is_open(ends[0]));
  Fd d(ends[1]);
  EXPECT_EQ(d.release(), ends[1]);
  d.reset();
  EXPECT_TRUE(is_open(ends[1]));
  ::close(ends[1]);
}

TEST_F(FdTest, WritesCompleteFileAndReadsItBack) {
  std::string text(300'000, 'x');
  text += std::string("\0end", 4);
  ASSERT_TRUE(write_file_atomically(path("a"), as_bytes(text)).ok());
  EXPECT_EQ(*read_file(path("a")), text);
  ASSERT_TRUE(write_file_atomically(path("a"), as_bytes("new")).ok());
  EXPECT_EQ(*read_file(path("a")), "new");
  EXPECT_EQ(file_count(), 1u);  // no temporary file is left
}

TEST_F(FdTest, FailedWriteLeavesNothing) {
  Status missing = write_file_atomically(path("no/such"), as_bytes("x"));
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().message().find(path("no/such")), std::string::npos);
  ASSERT_EQ(::mkdir(path("folder").c_str(), 0700), 0);
  EXPECT_FALSE(write_file_atomically(path("folder"), as_bytes("x")).ok());
  EXPECT_EQ(file_count(), 1u);
  Status full = write_file_atomically("/dev/full", as_bytes("x"));
  ASSERT_FALSE(full.ok());
  EXPECT_EQ(full.error().code(), Errc::kNoSpace);
}

TEST_F(FdTest, WritesDirectlyToSpecialFiles) {
  EXPECT_TRUE(write_file_atomically("/dev/null", as_bytes("x")).ok());
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] {
    Fd fd(::open(path("fifo").c_str(), O_RDONLY));
    Result<std::string> text = read_fd(fd.get(), "fifo");
    if (text.ok()) { got = *text; }
  });
  EXPECT_TRUE(write_file_atomically(path("fifo"), as_bytes("through")).ok());
  reader.join();
  EXPECT_EQ(got, "through");
}

// The writer blocks in open() until the fifo has a reader, so it shows whether open_regular() ever opened it.
TEST_F(FdTest, OpensOnlyRegularFiles) {
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  std::atomic<bool> met{false};
  std::thread writer([&] {
    Fd fd(::open(path("fifo").c_str(), O_WRONLY | O_CLOEXEC));
    met = true;
  });
  for (int i = 0; i < 50; ++i) {
    Result<Fd> refused = open_regular(path("fifo"));
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message().find("not a regular file"), std::string::npos);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_FALSE(met);
  Result<Fd> reader = open_read(path("fifo"));  // opening it has that effect
  writer.join();
  EXPECT_TRUE(reader.ok());
  EXPECT_FALSE(open_regular("/dev/null").ok());
  EXPECT_FALSE(open_regular(path("missing")).ok());
  EXPECT_FALSE(open_regular(folder_).ok());
  ASSERT_TRUE(write_file_atomically(path("a"), as_bytes("text")).ok());
  Result<Fd> regular = open_regular(path("a"));
  ASSERT_TRUE(regular.ok());
  EXPECT_EQ(*read_fd(regular->get(), "a"), "text");
}

TEST_F(FdTest, ReadsFilesWithoutSize) {
  Result<std::string> status = read_file("/proc/self/status");
  ASSERT_TRUE(status.ok());
  EXPECT_NE(status->find("VmPeak"), std::string::npos);
  Result<std::string> empty = read_file("/dev/null");
  ASSERT_TRUE(empty.ok());
  EXPECT_EQ(*empty, "");
}

TEST_F(FdTest, RejectsMoreThanLimit) {
  ASSERT_TRUE(write_file_atomically(path("a"), as_bytes(std::string(1000, 'x'))).ok());
  EXPECT_TRUE(read_file(path("a"), 1000).ok());
  Result<std::string> large = read_file(path("a"), 999);
  ASSERT_FALSE(large.ok());
  EXPECT_EQ(large.error().code(), Errc::kBadInput);
  EXPECT_FALSE(read_file("/dev/zero", 100'000).ok());  // does not read forever
}

TEST_F(FdTest, OpenErrorNamesFile) {
  Result<Fd> missing = open_read(path("missing"));
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code(), Errc::kNotFound);
  EXPECT_EQ(missing.error().message(), "cannot open " + path("missing") + ": no such file or directory");
}

TEST_F(FdTest, WriteAllFailsOnBrokenPipe) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  Fd out(ends[1]);
  sighandler_t before = ::signal(SIGPIPE, SIG_IGN);
  Status status = write_all(out.get(), as_bytes("x"), "the pipe");
  ::signal(SIGPIPE, before);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().errnum(), EPIPE);
}

}  // namespace
}  // namespace wick
