// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "module/module.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/text.h"
#include "module/address_space.h"
#include "module/cache_dir.h"

namespace wick {
namespace {

namespace fs = std::filesystem;

class Modules : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / strf("wick_module_%d", ::getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static ModuleRequest request_for(const std::string& path, uint32_t pid = 0) {
    struct stat info{};
    EXPECT_EQ(::stat(path.c_str(), &info), 0);
    return {pid, path, info.st_dev, info.st_ino};
  }

  fs::path folder_;
  ModuleStore store_;
};

TEST_F(Modules, OpensOwnProgramOnce) {
  std::string self = fs::read_symlink("/proc/self/exe");
  const LoadedModule* m = store_.load(request_for(self, static_cast<uint32_t>(::getpid())));
  ASSERT_NE(m, nullptr);
  ASSERT_TRUE(m->image.has_value()) << m->trouble;
  EXPECT_EQ(m->kind, LoadedModule::Kind::kFile);
  EXPECT_EQ(m->path, self);
  EXPECT_EQ(m->image->arch(), host_arch());
  EXPECT_EQ(m->build_id.size(), 40u);
  EXPECT_NE(m->unwind, nullptr);
  EXPECT_EQ(store_.load(request_for(self, 1)), m) << "another process, the same file";
  EXPECT_NE(store_.load({0, self, 0, 0}), nullptr);
  for (size_t i = 0; i < store_.all().size(); ++i) { EXPECT_EQ(store_.all()[i]->index, i); }
}

TEST_F(Modules, TranslatesMappedToLinkedAddress) {
  // Finds the mapping of this function in /proc/self/maps.
  uint64_t here = reinterpret_cast<uint64_t>(&parse_u64);
  std::ifstream maps("/proc/self/maps");
  std::string line;
  while (std::getline(maps, line)) {
    unsigned long start = 0, end = 0, offset = 0;
    char path[1000] = "";
    if (std::sscanf(line.c_str(), "%lx-%lx %*s %lx %*s %*s %999s", &start, &end, &offset, path) != 4 || here < start ||
        here >= end) {
      continue;
    }
    auto space = AddressSpace().with({start, end, offset, store_.load(request_for(path))});
    Place place = space->place(here);
    ASSERT_NE(place.module, nullptr);
    Bytes linked = place.module->image->bytes_at_svma(place.svma);
    ASSERT_GE(linked.size(), 16u);
    EXPECT_EQ(std::memcmp(linked.data(), reinterpret_cast<const void*>(here), 16), 0)
        << "the code in the file differs from memory";
    return;
  }
  FAIL() << "not in /proc/self/maps";
}

TEST_F(Modules, MissingFileReportsTrouble) {
  const LoadedModule* m = store_.load({0, folder_ / "nothing", 0, 0});
  ASSERT_NE(m, nullptr);
  EXPECT_FALSE(m->image.has_value());
  EXPECT_EQ(m->kind, LoadedModule::Kind::kFile);
  EXPECT_EQ(m->trouble, "no such file or directory");
  const LoadedModule* other = store_.load({0, folder_ / "nothing", 1, 2});
  for (uint32_t i = 0; i < 20; ++i) { EXPECT_EQ(store_.load({i, folder_ / "nothing", 1, 2}), other); }
  EXPECT_EQ(store_.all().size(), 2u);
}

TEST_F(Modules, RetriesForOtherProcesses) {
  std::string path = folder_ / "late";
  const LoadedModule* before = store_.load({0, path, 0, 0});
  EXPECT_FALSE(before->image.has_value());
  fs::copy_file("/proc/self/exe", path);
  const LoadedModule* after = store_.load({0, path, 0, 0});
  EXPECT_TRUE(after->image.has_value());
  EXPECT_NE(before, after);
}

TEST_F(Modules, RejectsTextAndEmptyFiles) {
  std::ofstream(folder_ / "text") << "hello\n";
  std::ofstream(folder_ / "empty");
  EXPECT_EQ(store_.load({0, folder_ / "text", 0, 0})->trouble, "not an ELF file");
  EXPECT_EQ(store_.load({0, folder_ / "empty", 0, 0})->trouble, "not an ELF file");
  EXPECT_FALSE(store_.load({0, folder_, 0, 0})->image.has_value());
}

TEST_F(Modules, RejectsReplacedFile) {
  std::string path = folder_ / "app", other = folder_ / "other";
  fs::copy_file("/proc/self/exe", path);
  ModuleRequest request = request_for(path);
  fs::copy_file("/bin/true", other);
  fs::rename(other, path);
  const LoadedModule* m = store_.load(request);
  EXPECT_FALSE(m->image.has_value());
  EXPECT_EQ(m->trouble, "replaced since it was mapped");
}

TEST_F(Modules, OpensDeletedProgram) {
  std::string path = folder_ / "sleeper";
  fs::copy_file("/bin/sleep", path);
  ModuleRequest request = request_for(path);
  pid_t child = ::fork();
  if (child == 0) {
    ::execl(path.c_str(), "sleeper", "60", nullptr);
    ::_exit(1);
  }
  std::string exe = strf("/proc/%d/exe", child);
  for (int i = 0; i < 500 && fs::read_symlink(exe) != path; ++i) { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }
  fs::remove(path);
  request.pid = static_cast<uint32_t>(child);
  request.path = path + " (deleted)";
  const LoadedModule* m = store_.load(request);
  EXPECT_TRUE(m->image.has_value()) << m->trouble;
  EXPECT_EQ(m->path, path);
  // Without an inode, the name must suffice.
  EXPECT_TRUE(store_.load({request.pid, request.path, 0, 0})->image.has_value());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST_F(Modules, OpensDeletedLibraryThroughMapping) {
  std::string path = folder_ / "library";
  fs::copy_file("/bin/true", path);
  ModuleRequest request = request_for(path, static_cast<uint32_t>(::getpid()));
  Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  void* mapped = ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd.get(), 0);
  ASSERT_NE(mapped, MAP_FAILED);
  fs::remove(path);
  uint64_t at = reinterpret_cast<uint64_t>(mapped);
  bool allowed = ::access(strf("/proc/self/map_files/%lx-%lx", at, at + 4096).c_str(), F_OK) == 0 && ::geteuid() == 0;
  const LoadedModule* m = store_.load(request);
  ::munmap(mapped, 4096);
  if (!allowed) { GTEST_SKIP() << "map_files needs root"; }
  EXPECT_TRUE(m->image.has_value()) << m->trouble;
}

TEST_F(Modules, NamesWithoutFileAreAnonymous) {
  for (const char* name :
       {"//anon", "", "[heap]", "[stack]", "[anon:jit]", "/dev/zero", "/dev/zero (deleted)", "/SYSV00000000 (deleted)",
        "anon_inode:[perf_event]", "/memfd:jit (deleted)", "/anon_hugepage (deleted)", "[vsyscall]", "/dev/null"}) {
    const LoadedModule* m = store_.load({static_cast<uint32_t>(::getpid()), name, 0, 0});
    EXPECT_EQ(m->kind, LoadedModule::Kind::kAnonymous) << name;
    EXPECT_FALSE(m->image.has_value());
    EXPECT_EQ(m->trouble, "");
    EXPECT_EQ(store_.load({0, name, 0, 0}), m) << name;
  }
  EXPECT_EQ(store_.anonymous("//anon"), store_.load({0, "", 0, 0}));
}

TEST_F(Modules, LoadsVdso) {
  if (::getauxval(AT_SYSINFO_EHDR) == 0) { GTEST_SKIP() << "this kernel provides no vDSO"; }
  const LoadedModule* m = store_.load({12345, "[vdso]", 0, 0});
  EXPECT_EQ(m, store_.vdso());
  EXPECT_EQ(m->kind, LoadedModule::Kind::kVdso);
  ASSERT_TRUE(m->image.has_value()) << m->trouble;
  EXPECT_EQ(m->image->arch(), host_arch());
  EXPECT_FALSE(m->build_id.empty());
  EXPECT_NE(m->image->find_section(".dynsym"), nullptr);
}

TEST_F(Modules, ThreadsShareModule) {
  std::vector<std::thread> threads;
  std::vector<const LoadedModule*> got(8);
  for (size_t i = 0; i < got.size(); ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 50; ++k) {
        got[i] = store_.load({0, "/proc/self/exe", 0, 0});
        store_.vdso();
        store_.anonymous(strf("%d", k));
      }
    });
  }
  for (std::thread& t : threads) { t.join(); }
  for (const LoadedModule* m : got) { EXPECT_EQ(m, got[0]); }
}

TEST_F(Modules, FindsCacheFolder) {
  std::string old_xdg = std::getenv("XDG_CACHE_HOME") ? std::getenv("XDG_CACHE_HOME") : "";
  std::string old_home = std::getenv("HOME") ? std::getenv("HOME") : "";
  ::setenv("XDG_CACHE_HOME", (folder_ / "xdg").c_str(), 1);
  EXPECT_EQ(expected_cache_dir(), folder_ / "xdg/wick");
  EXPECT_FALSE(fs::exists(folder_ / "xdg"));
  EXPECT_EQ(find_cache_dir(), folder_ / "xdg/wick");
  EXPECT_EQ(expected_cache_dir(), folder_ / "xdg/wick");
  EXPECT_TRUE(fs::is_directory(folder_ / "xdg/wick"));
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  ::setenv("HOME", folder_.c_str(), 1);
  EXPECT_EQ(expected_cache_dir(), folder_ / ".cache/wick");
  EXPECT_FALSE(fs::exists(folder_ / ".cache"));
  EXPECT_EQ(find_cache_dir(), folder_ / ".cache/wick");
  ::unsetenv("XDG_CACHE_HOME");
  ::setenv("HOME", (folder_ / "missing").c_str(), 1);
  EXPECT_EQ(expected_cache_dir(), "");
  EXPECT_EQ(find_cache_dir(), "");
  std::ofstream(folder_ / "file");
  ::setenv("XDG_CACHE_HOME", (folder_ / "file").c_str(), 1);
  EXPECT_EQ(expected_cache_dir(), "");
  EXPECT_EQ(find_cache_dir(), "");
  ::unsetenv("HOME");
  ::unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(find_cache_dir(), "");
  if (!old_xdg.empty()) { ::setenv("XDG_CACHE_HOME", old_xdg.c_str(), 1); }
  if (!old_home.empty()) { ::setenv("HOME", old_home.c_str(), 1); }
}

}  // namespace
}  // namespace wick
