// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "base/output_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>

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

TEST_F(OutputFileTest, WholeOrNotAtAll) {
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

// As a writer that is killed would leave it.
TEST_F(OutputFileTest, NothingIsThereBeforeTheEnd) {
  Fd nameless(::open(folder_.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600));
  if (!nameless) { GTEST_SKIP() << "this file system has no files without names"; }
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

TEST_F(OutputFileTest, NoPlace) {
  Result<OutputFile> file = OutputFile::create(folder_ / "missing" / "out");
  ASSERT_FALSE(file.ok());
  EXPECT_TRUE(file.error().message().starts_with("cannot write "));
}

}  // namespace
}  // namespace wick
