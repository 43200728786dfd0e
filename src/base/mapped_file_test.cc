// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "base/mapped_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <thread>
#include <vector>

#include "base/output_file.h"

namespace wick {
namespace {

class MappedFileTest : public ::testing::Test {
 protected:
  MappedFileTest() {
    std::string pattern = ::testing::TempDir() + "/mapped.XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~MappedFileTest() override { EXPECT_EQ(std::system(("rm -rf " + folder_).c_str()), 0); }

  std::string path(const char* name) const { return folder_ + "/" + name; }
  MappedFile map_of(const char* name, size_t size) const {
    EXPECT_TRUE(write_file_atomically(path(name), as_bytes(std::string(size, 'x'))).ok());
    Result<MappedFile> file = MappedFile::open(path(name));
    EXPECT_TRUE(file.ok());
    return *std::move(file);
  }

  std::string folder_;
  size_t page_ = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
};

TEST_F(MappedFileTest, MapsFiles) {
  MappedFile file = map_of("a", 5);
  MappedFile moved = std::move(file);
  EXPECT_EQ(moved.bytes().size(), 5u);
  EXPECT_EQ(moved.bytes()[4], 'x');
  EXPECT_FALSE(moved.is_damaged());
  EXPECT_TRUE(moved.check("a").ok());
  MappedFile empty = map_of("empty", 0);
  EXPECT_TRUE(empty.bytes().empty());
  EXPECT_FALSE(empty.is_damaged());
}

TEST_F(MappedFileTest, RejectsOtherFiles) {
  EXPECT_NE(MappedFile::open(folder_).error().message().find("is a directory"), std::string::npos);
  EXPECT_NE(MappedFile::open("/dev/zero").error().message().find("not a regular file"), std::string::npos);
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  EXPECT_FALSE(MappedFile::open(path("fifo")).ok());  // does not wait for a writer
}

TEST_F(MappedFileTest, TruncatedPartReadsAsZerosAndIsReported) {
  MappedFile file = map_of("a", 3 * page_), other = map_of("b", page_);
  ASSERT_EQ(::truncate(path("a").c_str(), static_cast<off_t>(page_)), 0);
  EXPECT_EQ(file.bytes()[page_ - 1], 'x');
  EXPECT_FALSE(file.is_damaged()) << "no missing byte was read yet";
  EXPECT_EQ(file.bytes()[page_], 0);
  EXPECT_EQ(file.bytes()[3 * page_ - 1], 0);
  EXPECT_TRUE(file.is_damaged());
  EXPECT_NE(file.check("a").error().message().find("was truncated"), std::string::npos);
  EXPECT_FALSE(other.is_damaged());
  MappedFile moved = std::move(file);
  EXPECT_TRUE(moved.is_damaged());
  // A mapping that reuses its registry entry starts undamaged.
  moved = MappedFile();
  MappedFile next = map_of("c", page_);
  EXPECT_FALSE(next.is_damaged());
}

TEST_F(MappedFileTest, HandlesFaultsOfSeveralThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this, t] {
      for (int i = 0; i < 50; ++i) {
        std::string name = "t" + std::to_string(t);
        MappedFile file = map_of(name.c_str(), 4 * page_);
        ASSERT_EQ(::truncate(path(name.c_str()).c_str(), 0), 0);
        size_t sum = 0;
        for (size_t at = 0; at < file.bytes().size(); at += 512) { sum += file.bytes()[at]; }
        EXPECT_EQ(sum, 0u);
        EXPECT_TRUE(file.is_damaged());
      }
    });
  }
  for (std::thread& thread : threads) { thread.join(); }
}

// An unrelated fault still ends the program.
TEST_F(MappedFileTest, OtherFaultsEndProgram) {
  MappedFile file = map_of("a", page_);
  ASSERT_TRUE(write_file_atomically(path("b"), as_bytes(std::string(page_, 'y'))).ok());
  Result<Fd> fd = open_read(path("b"));
  ASSERT_TRUE(fd.ok());
  auto* foreign = static_cast<volatile char*>(::mmap(nullptr, page_, PROT_READ, MAP_PRIVATE, fd->get(), 0));
  ASSERT_NE(const_cast<char*>(foreign), MAP_FAILED);
  ASSERT_EQ(::truncate(path("b").c_str(), 0), 0);
  EXPECT_EXIT(
      static_cast<void>(foreign[0]),
      [](int status) { return WIFSIGNALED(status) ? WTERMSIG(status) == SIGBUS : WEXITSTATUS(status) != 0; }, "");
  ::munmap(const_cast<char*>(foreign), page_);
}

}  // namespace
}  // namespace wick
