// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "module/unwind_info.h"

#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace wick {
namespace {

namespace fs = std::filesystem;

#if defined(__x86_64__)
constexpr const char* kLibc = "/usr/lib/x86_64-linux-gnu/libc.so.6";
#else
constexpr const char* kLibc = "/usr/lib/aarch64-linux-gnu/libc.so.6";
#endif

class UnwindInfoTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Result<MappedFile> file = MappedFile::open(kLibc);
    if (!file.ok()) { GTEST_SKIP() << kLibc << " is not on this machine"; }
    file_ = *std::move(file);
    image_.emplace(*elf::Image::parse(file_.bytes()));
    std::string pattern = (fs::temp_directory_path() / "wick_unwind_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    std::error_code ignored;
    if (!folder_.empty()) { fs::remove_all(folder_, ignored); }
  }
  std::string cached_path() const {
    return folder_ + "/unwind/" + image_->build_id() + "." + std::to_string(elf::UnwindTable::kVersion);
  }
  size_t files() const {
    size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) { count += entry.is_regular_file(); }
    return count;
  }
  // Checks that the table of `info` agrees with the entries.
  void expect_right(const UnwindInfo& info) {
    ASSERT_NE(info.table(), nullptr);
    size_t checked = 0;
    for (const elf::Cfi::Entry& entry : info.cfi().list_entries()) {
      elf::FrameRow row;
      if (++checked % 16 != 0 || !info.cfi().find_row(entry.begin, row)) { continue; }
      EXPECT_EQ(info.table()->find(entry.begin), elf::compact_rule(image_->arch(), row)) << std::hex << entry.begin;
    }
    EXPECT_GT(checked, 1000u);
  }

  MappedFile file_;
  std::optional<elf::Image> image_;
  std::string folder_;
};

TEST_F(UnwindInfoTest, AnswersBeforePrepare) {
  UnwindInfo info(*image_, image_->build_id(), folder_);
  EXPECT_EQ(info.table(), nullptr);
  elf::FrameRow row;
  EXPECT_TRUE(info.cfi().find_row(info.cfi().list_entries().front().begin, row));
}

TEST_F(UnwindInfoTest, WritesAndReadsCache) {
  UnwindInfo first(*image_, image_->build_id(), folder_);
  first.prepare();
  expect_right(first);
  ASSERT_EQ(files(), 1u);
  ASSERT_TRUE(fs::exists(cached_path()));
  struct stat before{}, after{};
  ASSERT_EQ(::stat(cached_path().c_str(), &before), 0);
  UnwindInfo second(*image_, image_->build_id(), folder_);
  second.prepare();
  second.prepare();
  expect_right(second);
  ASSERT_EQ(::stat(cached_path().c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino) << "the file was written again";
}

TEST_F(UnwindInfoTest, ReplacesDamagedFile) {
  UnwindInfo(*image_, image_->build_id(), folder_).prepare();
  for (bool cut : {true, false}) {
    if (cut) {
      fs::resize_file(cached_path(), fs::file_size(cached_path()) / 2);
    } else {
      std::fstream out(cached_path(), std::ios::in | std::ios::out | std::ios::binary);
      out.seekp(1000);
      out.put('x');
    }
    UnwindInfo info(*image_, image_->build_id(), folder_);
    info.prepare();
    expect_right(info);
    Result<MappedFile> now = MappedFile::open(cached_path());
    ASSERT_TRUE(now.ok());
    EXPECT_TRUE(elf::UnwindTable::open(now->bytes()).ok());
  }
}

TEST_F(UnwindInfoTest, WorksWithoutCache) {
  UnwindInfo no_folder(*image_, image_->build_id(), "");
  no_folder.prepare();
  expect_right(no_folder);
  UnwindInfo no_build_id(*image_, "", folder_);
  no_build_id.prepare();
  expect_right(no_build_id);
  UnwindInfo no_right(*image_, image_->build_id(), "/proc/nowhere");
  no_right.prepare();
  expect_right(no_right);
  EXPECT_EQ(files(), 0u);
}

TEST_F(UnwindInfoTest, ConcurrentThreadsPrepareOnce) {
  UnwindInfo info(*image_, image_->build_id(), folder_);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      elf::FrameRow row;
      info.cfi().find_row(0x30000, row);
      info.prepare();
      EXPECT_NE(info.table(), nullptr);
    });
  }
  for (std::thread& thread : threads) { thread.join(); }
  expect_right(info);
}

}  // namespace
}  // namespace wick
