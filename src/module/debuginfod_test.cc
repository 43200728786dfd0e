// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "module/debuginfod.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "base/clock.h"
#include "base/fd.h"
#include "base/text.h"

namespace wick {
namespace {

namespace fs = std::filesystem;

class Debuginfod : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / strf("wick_debuginfod_%d", ::getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "small") << "0123456789";
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string program(const std::string& body) {
    fs::path path = folder_ / "debuginfod-find";
    std::ofstream(path) << "#!/bin/sh\necho \"$* $DEBUGINFOD_MAXSIZE\" >> " << folder_.string() << "/log\n" << body << "\n";
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  std::string log() const { return read_file(folder_ / "log").value_or(""); }

  fs::path folder_;
  FetchReport report_;
  FetchOptions options_ = {.enabled = true, .limit_bytes = 1000, .on_end = [this](const FetchReport& r) { report_ = r; }};
};

TEST_F(Debuginfod, FetchesSequentially) {
  std::vector<std::string> progress;
  options_.on_file = [&](const std::string& name, size_t i, size_t n) {
    progress.push_back(strf("%s %zu/%zu", name.c_str(), i, n));
  };
  std::string path = program("[ $2 = 00112233 ] && echo " + (folder_ / "small").string());
  {
    DebugFetcher fetcher(path, {{"hot", "00112233"}, {"cold", "44556677"}}, options_);
    EXPECT_EQ(fetcher.wait("44556677"), "");
    EXPECT_EQ(fetcher.wait("00112233"), (folder_ / "small").string());
    EXPECT_EQ(fetcher.wait("never asked for"), "");
  }
  EXPECT_EQ(progress, (std::vector<std::string>{"hot 1/2", "cold 2/2"}));
  EXPECT_EQ(report_.asked, 2u);
  EXPECT_EQ(report_.fetched, 1u);
  EXPECT_EQ(report_.bytes, 10u);
  EXPECT_EQ(log(), "debuginfo 00112233 1000\ndebuginfo 44556677 990\n");
}

TEST_F(Debuginfod, LimitAppliesToTotalSize) {
  options_.limit_bytes = 10;
  DebugFetcher fetcher(program("echo " + (folder_ / "small").string()), {{"a", "00112233"}, {"b", "44556677"}}, options_);
  EXPECT_NE(fetcher.wait("00112233"), "");
  EXPECT_EQ(fetcher.wait("44556677"), "");
  EXPECT_TRUE(report_.over_limit);
  EXPECT_EQ(report_.asked, 1u);
}

TEST_F(Debuginfod, PassesOnlyValidBuildIds) {
  DebugFetcher fetcher(program("echo /"), {{"a", "--help"}, {"b", "../../x"}, {"c", ""}}, options_);
  for (const char* id : {"--help", "../../x", ""}) { EXPECT_EQ(fetcher.wait(id), ""); }
  EXPECT_EQ(log(), "");
}

TEST_F(Debuginfod, RejectsInvalidOutput) {
  for (const char* body :
       {"echo relative", "exit 0", "echo /a; echo /b", "echo /gone; exit 1", "kill -9 $$", "yes | head -c 1000000"}) {
    DebugFetcher fetcher(program(body), {{"a", "00112233"}}, options_);
    EXPECT_EQ(fetcher.wait("00112233"), "") << body;
  }
  DebugFetcher none("/no/such/program", {{"a", "00112233"}}, options_);
  EXPECT_EQ(none.wait("00112233"), "");
}

TEST_F(Debuginfod, AbandonsHangingFetch) {
  uint64_t begin = now_ns();
  options_.timeout_ns = 300'000'000;
  {
    DebugFetcher fetcher(program("exec sleep 100"), {{"a", "00112233"}, {"b", "44556677"}}, options_);
    EXPECT_EQ(fetcher.wait("44556677"), "");
  }
  EXPECT_TRUE(report_.stopped);
  options_.timeout_ns = 100'000'000'000;
  std::atomic<bool> stop{false};
  options_.is_stopped = [&] { return stop.load(); };
  DebugFetcher fetcher(program("exec > /dev/null; sleep 100"), {{"a", "00112233"}}, options_);
  stop = true;
  EXPECT_EQ(fetcher.wait("00112233"), "");
  { DebugFetcher forgotten(program("sleep 100"), {{"a", "00112233"}}, {.enabled = true}); }
  EXPECT_LT(now_ns() - begin, 80'000'000'000u);
}

TEST_F(Debuginfod, RequestsSourceByPlainNamesOnly) {
  EXPECT_EQ(requested_source("/usr/src/app-1.0~rc1+b2/x_y.cc"), "/usr/src/app-1.0~rc1+b2/x_y.cc");
  EXPECT_EQ(requested_source("/build//glibc/nptl/../sysdeps/./x.c"), "/build/glibc/sysdeps/x.c");
  for (const char* name : {"", "/", "/..", "x.c", "./x.c", "../x.c", "--help", "/../x.c", "/a/../../x.c", "/a/%2e%2e/x.c",
                           "/a%2f..%2fx.c", "/a?b.c", "/a#b.c", "/a\nb.c", "/a b.c", "/a\\b.c", "/a;b.c", "/a\x01.c",
                           "/gr\xc3\xb6\xc3\x9f"
                           "e.c"}) {
    EXPECT_EQ(requested_source(name), "") << name;
  }
  EXPECT_EQ(requested_source("/" + std::string(5000, 'a')), "");
  EXPECT_EQ(requested_source(std::string_view("/a\0.c", 5)), "");
}

TEST_F(Debuginfod, FetchesSource) {
  SourceFetcher fetcher(program("[ $3 = /src/x.c ] && echo " + (folder_ / "small").string()), options_, 500);
  EXPECT_EQ(fetcher.fetch("00112233", "/src/y/../x.c"), (folder_ / "small").string());
  EXPECT_EQ(fetcher.fetch("00112233", "/src/y.c"), "");
  for (const char* name : {"/../x.c", "x.c", "/src/x.c?y"}) { EXPECT_EQ(fetcher.fetch("00112233", name), "") << name; }
  EXPECT_EQ(fetcher.fetch("../x", "/src/x.c"), "");
  EXPECT_EQ(log(), "source 00112233 /src/x.c 500\nsource 00112233 /src/y.c 500\n");
  EXPECT_EQ(fetcher.report().asked, 2u);
  EXPECT_EQ(fetcher.report().fetched, 1u);
  EXPECT_EQ(fetcher.report().bytes, 10u);
}

TEST_F(Debuginfod, SourceIsLimited) {
  options_.limit_bytes = 15;
  SourceFetcher small(program("echo " + (folder_ / "small").string()), options_, 500);
  for (const char* name : {"/a.c", "/b.c", "/c.c"}) { static_cast<void>(small.fetch("00112233", name)); }
  EXPECT_EQ(log(), "source 00112233 /a.c 15\nsource 00112233 /b.c 5\n");
  EXPECT_TRUE(small.report().over_limit);

  options_.limit_bytes = 1'000'000;
  SourceFetcher many(program("exit 1"), options_, 500);
  for (size_t i = 0; i < SourceFetcher::kMostFiles + 5; ++i) { EXPECT_EQ(many.fetch("00112233", strf("/%zu.c", i)), ""); }
  EXPECT_EQ(many.report().asked, SourceFetcher::kMostFiles);
  EXPECT_TRUE(many.report().over_limit);
}

TEST_F(Debuginfod, SlowSourceIsAbandoned) {
  options_.timeout_ns = 300'000'000;
  SourceFetcher fetcher(program("exec sleep 100"), options_, 500);
  uint64_t begin = now_ns();
  EXPECT_EQ(fetcher.fetch("00112233", "/a.c"), "");
  EXPECT_EQ(fetcher.fetch("00112233", "/b.c"), "");
  EXPECT_LT(now_ns() - begin, 50'000'000'000u);
  EXPECT_TRUE(fetcher.report().stopped);
  EXPECT_EQ(fetcher.report().asked, 1u);
}

TEST_F(Debuginfod, RequiresConfiguredServer) {
  std::string path = program("");
  std::string old = std::getenv("PATH");
  ::setenv("PATH", (folder_.string() + ":" + old).c_str(), 1);
  ::unsetenv("DEBUGINFOD_URLS");
  EXPECT_EQ(find_debuginfod(), "");
  ::setenv("DEBUGINFOD_URLS", " ", 1);
  EXPECT_EQ(find_debuginfod(), "");
  ::setenv("DEBUGINFOD_URLS", "http://example.invalid", 1);
  EXPECT_EQ(find_debuginfod(), path);
  ::setenv("PATH", "/no/such", 1);
  EXPECT_EQ(find_debuginfod(), "");
  ::setenv("PATH", old.c_str(), 1);
  ::unsetenv("DEBUGINFOD_URLS");
}

}  // namespace
}  // namespace wick
