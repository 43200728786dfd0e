// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "module/cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <thread>
#include <vector>

#include "base/text.h"

namespace wick {
namespace {

namespace fs = std::filesystem;
constexpr time_t kDay = 24 * 3600;

class CacheTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / strf("wick_cache_%d", ::getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static bool store(const Cache& cache, const std::string& kind, const std::string& name, const std::string& text) {
    Bytes bytes = as_bytes(text);
    return cache.store(kind, name, {&bytes, 1});
  }
  static std::string load(const Cache& cache, const std::string& kind, const std::string& name) {
    std::optional<MappedFile> file = cache.load(kind, name);
    return file ? std::string(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()) : "-";
  }
  void set_age(const std::string& name, time_t seconds) {
    timespec times[2] = {{0, UTIME_OMIT}, {::time(nullptr) - seconds, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, (folder_ / name).c_str(), times, 0), 0);
  }
  time_t age(const std::string& name) {
    struct stat info{};
    EXPECT_EQ(::stat((folder_ / name).c_str(), &info), 0);
    return ::time(nullptr) - info.st_mtime;
  }
  std::set<std::string> names() {
    std::set<std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      if (entry.is_regular_file()) { out.insert(fs::relative(entry.path(), folder_)); }
    }
    return out;
  }

  fs::path folder_;
};

TEST_F(CacheTest, LoadsStoredFiles) {
  Cache cache(folder_, 1000);
  EXPECT_EQ(load(cache, "a", "x"), "-");
  EXPECT_TRUE(store(cache, "a", "x", "one"));
  EXPECT_TRUE(store(cache, "b", "x", "two"));
  EXPECT_EQ(load(cache, "a", "x"), "one");
  EXPECT_EQ(load(cache, "b", "x"), "two");
  EXPECT_TRUE(store(cache, "a", "x", "three"));
  EXPECT_EQ(load(cache, "a", "x"), "three");
  struct stat info{};
  ASSERT_EQ(::stat((folder_ / "a/x").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0077, 0u) << "private to the user";
}

TEST_F(CacheTest, WorksWithoutUsableFolder) {
  for (const Cache& cache : {Cache("", 1000), Cache(folder_, 0), Cache("/proc/nowhere", 1000)}) {
    EXPECT_FALSE(store(cache, "a", "x", "one"));
    EXPECT_EQ(load(cache, "a", "x"), "-");
    cache.trim();
    cache.remove_others("a", "x");
  }
  EXPECT_FALSE(store(Cache(folder_, 10), "a", "x", "more than ten bytes"));
  EXPECT_TRUE(names().empty());
}

TEST_F(CacheTest, EvictsLeastRecentlyUsed) {
  Cache wide(folder_, 1'000'000), narrow(folder_, 1000);
  std::string hundred(100, 'x');
  for (int i = 0; i < 12; ++i) {
    std::string kind = i % 2 == 0 ? "even" : "odd", name = strf("%02d", i);
    ASSERT_TRUE(store(wide, kind, name, hundred));
    set_age(kind + "/" + name, (20 - i) * kDay);
  }
  EXPECT_EQ(load(narrow, "even", "00"), hundred);  // marks it as used
  EXPECT_LT(age("even/00"), 100);
  ASSERT_TRUE(store(narrow, "new", "n", hundred));
  // 1300 bytes exceed the limit; 800 remain.
  EXPECT_EQ(names(), (std::set<std::string>{"even/00", "even/06", "even/08", "even/10", "new/n", "odd/07", "odd/09", "odd/11"}));
}

TEST_F(CacheTest, HitUpdatesTimeAtMostOncePerDay) {
  Cache cache(folder_, 1000);
  ASSERT_TRUE(store(cache, "a", "x", "one"));
  set_age("a/x", kDay - 100);
  load(cache, "a", "x");
  EXPECT_GT(age("a/x"), kDay - 200);
  set_age("a/x", kDay + 100);
  load(cache, "a", "x");
  EXPECT_LT(age("a/x"), 100);
}

TEST_F(CacheTest, KeepsFilesUpToLimit) {
  Cache cache(folder_, 1000);
  for (int i = 0; i < 10; ++i) { ASSERT_TRUE(store(cache, "a", strf("%d", i), std::string(100, 'x'))); }
  EXPECT_EQ(names().size(), 10u);
  ASSERT_TRUE(store(cache, "a", "all", std::string(1000, 'x')));
  EXPECT_EQ(names(), std::set<std::string>{"a/all"});
}

TEST_F(CacheTest, RemovesOldTemporaryFiles) {
  Cache cache(folder_, 1000);
  ASSERT_TRUE(store(cache, "a", "x", "one"));
  for (const char* name : {"a/y.12.0.tmp", "a/y.13.0.tmp"}) { std::ofstream(folder_ / name) << std::string(5000, 'x'); }
  set_age("a/y.12.0.tmp", 3700);
  ASSERT_TRUE(store(cache, "a", "z", "two"));
  EXPECT_EQ(names(), (std::set<std::string>{"a/x", "a/y.13.0.tmp", "a/z"})) << "another process may be writing it";
}

TEST_F(CacheTest, TouchesOnlyFilesInItsFolders) {
  fs::path outside = folder_ / "outside";
  fs::create_directories(folder_ / "cache/a");
  std::ofstream(outside) << std::string(5000, 'x');
  fs::create_symlink(outside, folder_ / "cache/a/link");
  std::ofstream(folder_ / "cache/README") << std::string(5000, 'x');
  Cache cache(folder_ / "cache", 1000);
  for (int i = 0; i < 30; ++i) { ASSERT_TRUE(store(cache, "a", strf("%d", i), std::string(100, 'x'))); }
  EXPECT_TRUE(fs::exists(outside));
  EXPECT_TRUE(fs::is_symlink(folder_ / "cache/a/link"));
  EXPECT_TRUE(fs::exists(folder_ / "cache/README"));
}

TEST_F(CacheTest, MappedFileSurvivesRemoval) {
  Cache cache(folder_, 1000);
  ASSERT_TRUE(store(cache, "a", "x", std::string(900, 'x')));
  std::optional<MappedFile> mapped = cache.load("a", "x");
  ASSERT_TRUE(mapped);
  ASSERT_TRUE(store(cache, "a", "y", std::string(900, 'y')));
  EXPECT_EQ(names(), std::set<std::string>{"a/y"});
  EXPECT_EQ(mapped->bytes()[899], 'x');
}

TEST_F(CacheTest, RemovesOthersOfKind) {
  Cache cache(folder_, 1000);
  for (const char* name : {"one", "two", "three"}) { ASSERT_TRUE(store(cache, "a", name, name)); }
  ASSERT_TRUE(store(cache, "b", "one", "one"));
  cache.remove_others("a", "two");
  EXPECT_EQ(names(), (std::set<std::string>{"a/two", "b/one"}));
}

// Each text repeats one letter, which reveals mixed or partial contents.
bool is_whole(const std::string& text) { return text == "-" || (!text.empty() && text == std::string(text.size(), text[0])); }

void use_heavily(const Cache& cache, unsigned seed, const std::function<void(bool)>& expect) {
  for (unsigned i = 0; i < 300; ++i) {
    unsigned n = (seed * 7919 + i * 104729) % 13;
    std::string name = strf("%u", n);
    if ((i + seed) % 3 == 0) {
      std::string text(2000 + 500 * n, static_cast<char>('a' + (i + seed) % 26));
      Bytes bytes = as_bytes(text);
      cache.store("k", name, {&bytes, 1});
    }
    std::optional<MappedFile> file = cache.load("k", name);
    if (file) { expect(is_whole(std::string(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()))); }
  }
}

TEST_F(CacheTest, IsSafeForConcurrentThreadsAndProcesses) {
  Cache cache(folder_, 20'000);  // small enough for frequent eviction
  std::vector<pid_t> children;
  for (unsigned p = 0; p < 3; ++p) {
    pid_t pid = ::fork();
    if (pid == 0) {
      bool good = true;
      use_heavily(cache, p, [&](bool whole) { good &= whole; });
      ::_exit(good ? 0 : 1);
    }
    children.push_back(pid);
  }
  std::vector<std::thread> threads;
  std::atomic<bool> good{true};
  for (unsigned t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      use_heavily(cache, 10 + t, [&](bool whole) {
        if (!whole) { good = false; }
      });
    });
  }
  for (std::thread& thread : threads) { thread.join(); }
  for (pid_t pid : children) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(good);
  uint64_t total = 0;
  for (const std::string& name : names()) {
    EXPECT_FALSE(name.ends_with(".tmp")) << name;
    total += fs::file_size(folder_ / name);
  }
  EXPECT_LE(total, 20'000u + 9'000);  // the last writers may not have seen each other's file
}

TEST_F(CacheTest, ReadsLimitFromEnvironment) {
  const char* before = std::getenv("WICK_CACHE_SIZE");
  std::string kept = before == nullptr ? "" : before;
  auto with = [](const char* text) {
    ::setenv("WICK_CACHE_SIZE", text, 1);
    return cache_limit_of_user();
  };
  EXPECT_EQ(with("500"), 500u);
  EXPECT_EQ(with("20k"), 20'000u);
  EXPECT_EQ(with("1.5M"), 1'500'000u);
  EXPECT_EQ(with("3G"), 3'000'000'000u);
  EXPECT_EQ(with("0"), 0u);
  EXPECT_EQ(with(""), kDefaultCacheLimit);
  EXPECT_EQ(with("much"), std::nullopt);
  EXPECT_EQ(with("-1"), std::nullopt);
  EXPECT_TRUE(with("0") == 0u && !Cache(folder_).keeps());
  EXPECT_TRUE(with("much") == std::nullopt && Cache(folder_).keeps());
  ::unsetenv("WICK_CACHE_SIZE");
  EXPECT_EQ(cache_limit_of_user(), kDefaultCacheLimit);
  if (before != nullptr) { ::setenv("WICK_CACHE_SIZE", kept.c_str(), 1); }
}

}  // namespace
}  // namespace wick
