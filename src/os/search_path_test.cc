// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "os/search_path.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace wick {
namespace {

namespace fs = std::filesystem;

class SearchPath : public ::testing::Test {
 protected:
  SearchPath() : before_(std::getenv("PATH") ? std::getenv("PATH") : "") {
    fs::create_directories(folder_ / "first/tool");  // a directory is not a program
    fs::create_directories(folder_ / "second");
    fs::create_directories(folder_ / "third");
    make("second/tool", 0644);
    make("third/tool", 0755);
  }
  ~SearchPath() override {
    ::setenv("PATH", before_.c_str(), 1);
    fs::remove_all(folder_);
  }
  void make(const char* name, mode_t mode) {
    std::ofstream(folder_ / name) << "#!/bin/sh\n";
    ::chmod((folder_ / name).c_str(), mode);
  }
  void set_path(std::initializer_list<const char*> names) {
    std::string text;
    for (const char* name : names) { text += (text.empty() ? "" : ":") + (*name ? (folder_ / name).string() : std::string()); }
    ::setenv("PATH", text.c_str(), 1);
  }

  std::string before_;
  fs::path folder_ = fs::path(::testing::TempDir()) / ("wick_search_path_" + std::to_string(::getpid()));
};

TEST_F(SearchPath, FindsFirstExecutable) {
  set_path({"nowhere", "first", "second", "third"});
  EXPECT_EQ(find_program("tool"), folder_ / "third/tool");
  EXPECT_EQ(find_program("other"), "");
  EXPECT_EQ(find_program(""), "");
}

TEST_F(SearchPath, NameWithSlashIsPath) {
  set_path({"third"});
  EXPECT_EQ(find_program((folder_ / "third/tool").string()), folder_ / "third/tool");
  EXPECT_EQ(find_program((folder_ / "second/tool").string()), "");
  EXPECT_EQ(find_program("./tool"), "");
}

TEST_F(SearchPath, UsesDefaultWithoutPath) {
  ::unsetenv("PATH");
  EXPECT_EQ(find_program("sh"), "/bin/sh");
}

TEST_F(SearchPath, EmptyEntryIsCurrentDirectory) {
  fs::path here = fs::current_path();
  fs::current_path(folder_ / "third");
  ::setenv("PATH", ":/nowhere", 1);
  EXPECT_EQ(find_program("tool"), "./tool");
  fs::current_path(here);
}

}  // namespace
}  // namespace wick
