// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "annotate/source_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace wick {
namespace {

TEST(SourceFiles, OnlyNamesThatLookLikeSource) {
  for (const char* name : {"/x/a.cc", "a.rs", "/usr/include/c++/12/vector", "/x/start.S", "../b.h"}) {
    EXPECT_TRUE(is_source_name(name)) << name;
  }
  for (const char* name : {"/etc/shadow", "/root/.ssh/id_ed25519", "/proc/self/environ", "", "/x/.c", "/etc/x.conf",
                           "/x/a.cc/key", "/usr/include/../../etc/shadow"}) {
    EXPECT_FALSE(is_source_name(name)) << name;
  }
}

TEST(SourceFiles, CandidatesAreTriedInOrder) {
  SourcePlaces places;
  places.directories = {"/home/me/src"};
  places.replaced = {{"/build", "/new"}, {"/build/app", "/never"}};
  places.root = "/sysroot";
  EXPECT_EQ(source_candidates("/build/app/a.cc", places),
            (std::vector<std::string>{"/new/app/a.cc", "/home/me/src/build/app/a.cc", "/home/me/src/app/a.cc",
                                      "/home/me/src/a.cc", "/sysroot//build/app/a.cc", "/build/app/a.cc"}));
}

TEST(SourceFiles, NamesDoNotLeadOutOfDirectories) {
  SourcePlaces places;
  places.directories = {"/src"};
  places.root = "/sysroot";
  for (const std::string& path : source_candidates("/a/../../../secret.c", places)) {
    EXPECT_TRUE(path == "/a/../../../secret.c" || path.find("..") == std::string::npos) << path;
  }
}

class SourceFolder : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("wick_source_test." + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string put(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).native();
  }
  std::filesystem::path folder_;
};

TEST_F(SourceFolder, LinesAreReadOnce) {
  std::string path = put("a.cc", "one\r\ntwo\n\nfour");
  SourceFiles files({});
  const SourceFile& file = files.find(path);
  EXPECT_EQ(file.path, path);
  EXPECT_EQ(file.lines, (std::vector<std::string>{"one", "two", "", "four"}));
  put("a.cc", "other");
  EXPECT_EQ(&files.find(path), &file);
  EXPECT_EQ(file.lines.size(), 4u);
}

TEST_F(SourceFolder, AmalgamationsAreRead) {
  std::string text(10 << 20, 'x');
  for (size_t i = 99; i < text.size(); i += 100) { text[i] = '\n'; }
  std::string path = put("sqlite3.c", text);
  SourceFiles files({});
  EXPECT_EQ(files.find(path).lines.size(), text.size() / 100 + 1);
}

TEST_F(SourceFolder, LargeFilesAreNotReadButFound) {
  std::string path = put("large.c", "int x;\n");
  std::filesystem::resize_file(path, kMostSourceBytes + 1);
  SourceFiles files({});
  EXPECT_TRUE(files.find(path).path.empty());
  EXPECT_EQ(files.find(path).too_large, kMostSourceBytes + 1);
  EXPECT_EQ(files.find(folder_ / "missing.c").too_large, 0u);
}

TEST_F(SourceFolder, OtherKindsOfFilesAreNotRead) {
  std::string data = put("data.c", std::string("a\0b", 3)), secret = put("secret", "key");
  std::string fifo = (folder_ / "fifo.c").native();
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  SourceFiles files({});
  for (const std::string& path : {data, secret, fifo, folder_.native() + "/none.c"}) {
    EXPECT_TRUE(files.find(path).path.empty()) << path;
  }
}

// A stranger can link his source file to a secret of the reader's.
TEST_F(SourceFolder, LinksLeadToSourceOnly) {
  std::string secret = put("secret", "key"), source = put("real.cc", "int x;");
  std::filesystem::create_directories(folder_ / "include");
  for (const char* name : {"link.c", "include/link"}) {
    std::filesystem::create_symlink(secret, folder_ / name);
    EXPECT_TRUE(SourceFiles({}).find((folder_ / name).native()).path.empty()) << name;
  }
  std::filesystem::create_symlink(source, folder_ / "good.c");
  SourceFiles files({});
  EXPECT_EQ(files.find((folder_ / "good.c").native()).lines, std::vector<std::string>{"int x;"});
}

}  // namespace
}  // namespace wick
