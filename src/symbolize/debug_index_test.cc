// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/debug_index.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "base/text.h"
#include "elf/dwarf_builder.h"
#include "symbolize/debug_source.h"

namespace wick {
namespace {

namespace fs = std::filesystem;
using elf::DwarfBuilder;
using namespace elf::dw;

constexpr uint64_t kCode = 0x1000;

std::string name_at(const FileSymbols& symbols, uint64_t svma) {
  std::vector<SymbolizedFrame> chain = symbols.find(svma);
  return chain.empty() ? "" : std::string(chain[0].function);
}

class DebugIndexTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / strf("wick_index_%d", ::getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "cache");
    sources_.cache_dir = folder_ / "cache";
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string put(const std::string& name, const std::vector<uint8_t>& bytes) {
    fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path;
  }
  std::string name_in(const std::string& path, uint64_t svma = kCode) {
    ModuleStore store;
    return name_at(*load_file_symbols(*store.load({0, path, 0, 0}), sources_), svma);
  }
  std::vector<fs::path> entries() {
    std::vector<fs::path> out;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder_ / "cache/symbols", none)) { out.push_back(entry.path()); }
    return out;
  }
  static ino_t inode(const fs::path& path) {
    struct stat info{};
    return ::stat(path.c_str(), &info) == 0 ? info.st_ino : 0;
  }

  // Pads to a size worth caching: a null entry takes one byte.
  static void pad(ByteWriter& entries) { entries.bytes(std::vector<uint8_t>(300 << 10)); }

  // A program with one function, in the unit itself.
  static std::vector<uint8_t> plain(const std::string& function, size_t more = 0) {
    DwarfBuilder b;
    b.usual_root();
    b.abbreviation(2, kTagSubprogram, false, {{kAtName, kFormString}, {kAtLowPc, kFormAddr}, {kAtHighPc, kFormData4}});
    b.abbrev.u8(0);
    ByteWriter e;
    DwarfBuilder::root_entry(e, kCode, 0x100);
    add_function(e, function);
    pad(e);
    e.bytes(std::vector<uint8_t>(more));
    b.unit(e.data());
    return b.build({}, {1, 2, 3});
  }
  static void add_function(ByteWriter& e, const std::string& name) {
    e.u8(2);
    e.bytes(as_bytes(name));
    e.u8(0);
    e.u64(kCode);
    e.u32(0x100);
  }
  // The skeleton (GNU, version 4) of a unit in `x.dwo` in the same directory.
  static std::vector<uint8_t> skeleton(uint64_t id) {
    DwarfBuilder b;
    b.abbreviation(1, kTagCompileUnit, true,
                   {{kAtLowPc, kFormAddr}, {kAtHighPc, kFormData4}, {kAtGnuDwoName, kFormString}, {kAtGnuDwoId, kFormData8}});
    b.abbrev.u8(0);
    ByteWriter e;
    e.u8(1);
    e.u64(kCode);
    e.u32(0x100);
    e.bytes(as_bytes(std::string_view("x.dwo\0", 6)));
    e.u64(id);
    pad(e);
    b.unit(e.data());
    return b.build({}, {4, 5, 6});
  }
  static std::vector<uint8_t> dwo(uint64_t id, const std::string& function) {
    DwarfBuilder b;
    b.abbreviation(1, kTagCompileUnit, true, {{kAtGnuDwoId, kFormData8}});
    b.abbreviation(2, kTagSubprogram, false, {{kAtName, kFormString}, {kAtLowPc, kFormAddr}, {kAtHighPc, kFormData4}});
    b.abbrev.u8(0);
    ByteWriter e;
    e.u8(1);
    e.u64(id);
    add_function(e, function);
    e.u8(0);
    b.unit(e.data());
    auto part = [](const char* name, const ByteWriter& bytes) {
      return elf::ElfBuilder::Part{name, SHT_PROGBITS, 0, 0, {bytes.data().begin(), bytes.data().end()}, 0, 0, 0, 0};
    };
    elf::ElfBuilder out;
    out.add(part(".debug_info.dwo", b.info));
    out.add(part(".debug_abbrev.dwo", b.abbrev));
    return out.build();
  }
  // A program whose function has its name in a dwz supplement.
  static std::vector<uint8_t> with_supplement(const std::string& path) {
    DwarfBuilder b;
    b.usual_root();
    b.abbreviation(2, kTagSubprogram, false, {{kAtLinkageName, kFormGnuStrpAlt}, {kAtLowPc, kFormAddr}, {kAtHighPc, kFormData4}});
    b.abbrev.u8(0);
    ByteWriter e, link;
    DwarfBuilder::root_entry(e, kCode, 0x100);
    e.u8(2);
    e.u32(1);
    e.u64(kCode);
    e.u32(0x100);
    pad(e);
    b.unit(e.data());
    link.bytes(as_bytes(path));
    link.u8(0);
    link.bytes(std::vector<uint8_t>{7, 8, 9});
    return b.build({{".gnu_debugaltlink", SHT_PROGBITS, 0, 0, link.take(), 0, 0, 0, 0}}, {1, 1, 1});
  }
  static std::vector<uint8_t> supplement(const std::string& name) {
    DwarfBuilder b;
    b.usual_root();
    b.abbrev.u8(0);
    b.str.u8(0);
    b.str.bytes(as_bytes(name));
    b.str.u8(0);
    ByteWriter e;
    DwarfBuilder::root_entry(e, 0, 0);
    b.unit(e.data());
    return b.build({}, {7, 8, 9});
  }

  fs::path folder_;
  SymbolSources sources_;
};

TEST_F(DebugIndexTest, BuildsOnceAndCaches) {
  std::string path = put("p", plain("first"));
  EXPECT_EQ(name_in(path), "first");
  ASSERT_EQ(entries().size(), 1u);
  ino_t before = inode(entries()[0]);
  EXPECT_EQ(name_in(path), "first");
  EXPECT_EQ(name_in(put("copy", plain("first"))), "first");  // the same build at another path
  ASSERT_EQ(entries().size(), 1u);
  EXPECT_EQ(inode(entries()[0]), before);
}

TEST_F(DebugIndexTest, DistinguishesDebugFilesOfSameBuild) {
  EXPECT_EQ(name_in(put("p", plain("few"))), "few");
  EXPECT_EQ(name_in(put("p", plain("more", 8))), "more");
  EXPECT_EQ(name_in(put("p", plain("few"))), "few");
}

TEST_F(DebugIndexTest, RebuildsDamagedEntry) {
  std::string path = put("p", plain("first"));
  EXPECT_EQ(name_in(path), "first");
  ASSERT_EQ(entries().size(), 1u);
  fs::path entry = entries()[0];
  Result<std::string> whole = read_file(entry);
  ASSERT_TRUE(whole.ok());
  auto rewrite = [&](const std::string& bytes) { std::ofstream(entry, std::ios::binary) << bytes; };
  for (size_t i = 0; i <= whole->size(); ++i) {
    std::string damaged = i == whole->size() ? "" : *whole;
    if (!damaged.empty() && i % 2 == 0) { damaged[i] = static_cast<char>(damaged[i] ^ 0x10); }
    if (i % 2 == 1) { damaged.resize(i); }
    rewrite(damaged);
    ASSERT_EQ(name_in(path), "first") << i;
    ASSERT_EQ(*read_file(entry) == *whole, true) << i << ": not rebuilt";
  }
}

TEST_F(DebugIndexTest, RebuildsWhenSplitFilesChange) {
  std::string path = put("p", skeleton(77));
  EXPECT_EQ(name_in(path), "");
  EXPECT_EQ(entries().size(), 1u);
  put("x.dwo", dwo(78, "other"));  // of another unit
  EXPECT_EQ(name_in(path), "");
  put("x.dwo", dwo(77, "half"));
  EXPECT_EQ(name_in(path), "half");
  ASSERT_EQ(entries().size(), 1u);
  ino_t before = inode(entries()[0]);
  EXPECT_EQ(name_in(path), "half");
  EXPECT_EQ(inode(entries()[0]), before) << "rebuilt without a change";
  put("x.dwo", dwo(77, "another half"));
  EXPECT_EQ(name_in(path), "another half");
  fs::remove(folder_ / "x.dwo");
  EXPECT_EQ(name_in(path), "");
  // At another path, another file lies next to it.
  put("x.dwo", dwo(77, "half"));
  EXPECT_EQ(name_in(path), "half");
  std::string moved = put("elsewhere/p", skeleton(77));
  put("elsewhere/x.dwo", dwo(77, "that half"));
  EXPECT_EQ(name_in(moved), "that half");
  EXPECT_EQ(name_in(path), "half");
}

TEST_F(DebugIndexTest, RebuildsWhenSupplementAppears) {
  std::string path = put("p", with_supplement("common.debug"));
  EXPECT_EQ(name_in(path), "");
  put("dirs/.dwz/common.debug", supplement("found in a folder"));
  EXPECT_EQ(name_in(path), "");
  sources_.debug.debug_dirs = {folder_ / "dirs"};
  EXPECT_EQ(name_in(path), "found in a folder");
  put("common.debug", supplement("found beside"));
  EXPECT_EQ(name_in(path), "found beside");
  sources_.debug.debug_dirs.clear();
  EXPECT_EQ(name_in(path), "found beside");
}

TEST_F(DebugIndexTest, RejectsMaliciousInputs) {
  IndexInputs inputs;
  inputs.note("/nowhere/at/all");
  inputs.note_debug_path("/a/b");
  std::string bytes = inputs.encode() + "rest";
  std::optional<Bytes> rest = IndexInputs::skip_if_current(as_bytes(bytes), "/a/b");
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->size(), 4u);
  EXPECT_FALSE(IndexInputs::skip_if_current(as_bytes(bytes), "/a/c"));
  for (size_t i = 0; i + 4 < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x40);
    EXPECT_FALSE(IndexInputs::skip_if_current(as_bytes(damaged), "/a/b")) << i;
    EXPECT_FALSE(IndexInputs::skip_if_current(as_bytes(bytes).first(i), "/a/b")) << i;
  }
}

TEST_F(DebugIndexTest, IsSafeForConcurrentProcesses) {
  std::string path = put("p", plain("first"));
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i) {
    pid_t pid = ::fork();
    if (pid == 0) {
      bool good = true;
      for (int round = 0; round < 20; ++round) { good &= name_in(path) == "first"; }
      ::_exit(good ? 0 : 1);
    }
    children.push_back(pid);
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        EXPECT_EQ(name_in(path), "first");
        if (round % 5 == 0) {  // like a process that trims the cache
          std::error_code none;
          for (const fs::path& entry : entries()) {
            if (entry.extension() != ".tmp") { fs::remove(entry, none); }
          }
        }
      }
    });
  }
  for (std::thread& thread : threads) { thread.join(); }
  for (pid_t pid : children) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(name_in(path), "first");
  for (const fs::path& entry : entries()) { EXPECT_NE(entry.extension(), ".tmp"); }
}

bool same(const SymbolizedFrame& a, const SymbolizedFrame& b) {
  return a.function == b.function && a.file == b.file && a.line == b.line && a.column == b.column;
}

// This program, read completely and read lazily like a huge file.
TEST_F(DebugIndexTest, LazyIndexMatchesCompleteIndex) {
  ModuleStore store;
  const LoadedModule& self = *store.load({0, fs::read_symlink("/proc/self/exe"), 0, 0});
  if (self.image->find_section(".debug_info") == nullptr) { GTEST_SKIP() << "built without debug information"; }
  SymbolLoad little;
  little.most_info_bytes = 1;
  std::unique_ptr<FileSymbols> whole = load_file_symbols(self, sources_);
  fs::remove_all(folder_ / "cache/symbols");
  std::unique_ptr<FileSymbols> parts = load_file_symbols(self, sources_, little);
  EXPECT_TRUE(entries().empty()) << "a lazy index is not cached";
  const elf::Section* text = self.image->find_section(".text");
  std::vector<SymbolizedFrame> a, b;
  size_t inlined = 0;
  for (uint64_t at = text->vaddr; at < text->vaddr + text->size; at += 61) {
    whole->find(at, a);
    parts->find(at, b);
    ASSERT_EQ(a.size(), b.size()) << at;
    for (size_t i = 0; i < a.size(); ++i) { ASSERT_TRUE(same(a[i], b[i])) << at; }
    inlined += a.size() > 1;
    ASSERT_EQ(parts->place(at), FileSymbols::Place());
  }
  EXPECT_GT(inlined, 100u);
}

// The complete index replaces a lazy one while several threads look up addresses.
TEST_F(DebugIndexTest, LazyIndexBecomesComplete) {
  ModuleStore store;
  const LoadedModule& self = *store.load({0, fs::read_symlink("/proc/self/exe"), 0, 0});
  if (self.image->find_section(".debug_info") == nullptr) { GTEST_SKIP() << "built without debug information"; }
  std::unique_ptr<FileSymbols> whole = load_file_symbols(self, {});
  SymbolLoad how;
  how.least_lazy_bytes = 1;
  std::unique_ptr<FileSymbols> parts = load_file_symbols(self, sources_, how);
  const elf::Section* text = self.image->find_section(".text");
  EXPECT_TRUE(entries().empty());
  std::vector<std::thread> threads;
  for (uint64_t part = 0; part < 4; ++part) {
    threads.emplace_back([&, part] {
      std::vector<SymbolizedFrame> a, b;
      for (uint64_t at = text->vaddr + part * 61; at < text->vaddr + text->size; at += 4 * 61) {
        whole->find(at, a);
        parts->find(at, b);
        ASSERT_EQ(a.size(), b.size()) << at;
        for (size_t i = 0; i < a.size(); ++i) { ASSERT_TRUE(same(a[i], b[i])) << at; }
      }
    });
  }
  for (std::thread& thread : threads) { thread.join(); }
  EXPECT_NE(parts->place(text->vaddr + text->size / 2), FileSymbols::Place());
  parts.reset();
  EXPECT_EQ(entries().size(), self.build_id.empty() ? 0u : 1u) << "a complete index is cached";
}

// Some threads announce addresses while others look them up, including some that were never announced.
TEST_F(DebugIndexTest, LazyIndexMatchesCompleteIndexForPreparedAddresses) {
  ModuleStore store;
  const LoadedModule& self = *store.load({0, fs::read_symlink("/proc/self/exe"), 0, 0});
  if (self.image->find_section(".debug_info") == nullptr) { GTEST_SKIP() << "built without debug information"; }
  std::unique_ptr<FileSymbols> whole = load_file_symbols(self, {});
  SymbolLoad little;
  little.most_info_bytes = 1;
  std::unique_ptr<FileSymbols> parts = load_file_symbols(self, sources_, little);
  EXPECT_FALSE(whole->is_lazy());
  ASSERT_TRUE(parts->is_lazy());
  const elf::Section* text = self.image->find_section(".text");
  std::vector<std::thread> threads;
  for (uint64_t part = 0; part < 3; ++part) {
    threads.emplace_back([&, part] {
      std::vector<uint64_t> svmas{0, UINT64_MAX};
      for (uint64_t at = text->vaddr + part * 997; at < text->vaddr + text->size; at += 3 * 997) { svmas.push_back(at); }
      std::reverse(svmas.begin(), svmas.end());
      parts->prepare(svmas);
      std::vector<SymbolizedFrame> a, b;
      for (uint64_t svma : svmas) {
        for (uint64_t at : {svma, svma % 8 == 0 ? svma + 5 : svma}) {
          whole->find(at, a);
          parts->find(at, b);
          ASSERT_EQ(a.size(), b.size()) << at;
          for (size_t i = 0; i < a.size(); ++i) { ASSERT_TRUE(same(a[i], b[i])) << at; }
        }
      }
    });
  }
  for (std::thread& thread : threads) { thread.join(); }
  EXPECT_TRUE(parts->is_lazy());
}

TEST_F(DebugIndexTest, PreparingManyUnitsBuildsCompleteIndex) {
  ModuleStore store;
  const LoadedModule& self = *store.load({0, fs::read_symlink("/proc/self/exe"), 0, 0});
  if (self.image->find_section(".debug_info") == nullptr) { GTEST_SKIP() << "built without debug information"; }
  SymbolLoad how;
  how.least_lazy_bytes = 1;
  std::unique_ptr<FileSymbols> symbols = load_file_symbols(self, sources_, how);
  const elf::Section* text = self.image->find_section(".text");
  std::vector<uint64_t> svmas;
  for (uint64_t at = text->vaddr; at < text->vaddr + text->size; at += 61) { svmas.push_back(at); }
  symbols->prepare(svmas);
  EXPECT_FALSE(symbols->is_lazy());
  EXPECT_NE(symbols->place(svmas[svmas.size() / 2]), FileSymbols::Place());
}

TEST_F(DebugIndexTest, LazyIndexReadsOnlyRequestedUnits) {
  ModuleStore store;
  const LoadedModule& self = *store.load({0, fs::read_symlink("/proc/self/exe"), 0, 0});
  if (self.image->find_section(".debug_info") == nullptr) { GTEST_SKIP() << "built without debug information"; }
  IndexInputs inputs;
  LazyIndex lazy(std::make_shared<DebugSource>(*self.image, *self.image, self.path, DebugPlaces{}, inputs));
  EXPECT_EQ(lazy.units_read(), 0u);
  std::vector<elf::NamedFrame> chain;
  EXPECT_TRUE(lazy.find(self.image->find_section(".text")->vaddr + 0x1000, chain));
  EXPECT_TRUE(lazy.find(self.image->find_section(".text")->vaddr + 0x1000, chain));
  EXPECT_LE(lazy.units_read(), 1u);
  EXPECT_TRUE(lazy.find(0, chain));
  EXPECT_TRUE(chain.empty());
}

TEST_F(DebugIndexTest, LazyIndexDoesNotPrepareMostOfTheFile) {
  ModuleStore store;
  const LoadedModule& self = *store.load({0, fs::read_symlink("/proc/self/exe"), 0, 0});
  if (self.image->find_section(".debug_info") == nullptr) { GTEST_SKIP() << "built without debug information"; }
  IndexInputs inputs;
  LazyIndex lazy(std::make_shared<DebugSource>(*self.image, *self.image, self.path, DebugPlaces{}, inputs), 0);
  const elf::Section* text = self.image->find_section(".text");
  std::vector<uint64_t> svmas;
  for (uint64_t at = text->vaddr; at < text->vaddr + text->size; at += 61) { svmas.push_back(at); }
  EXPECT_FALSE(lazy.prepare(svmas));
  EXPECT_EQ(lazy.units_read(), 0u);
}

TEST_F(DebugIndexTest, LazyIndexReadsUnitsAtMostTwice) {
  ModuleStore store;
  const LoadedModule& self = *store.load({0, fs::read_symlink("/proc/self/exe"), 0, 0});
  if (self.image->find_section(".debug_info") == nullptr) { GTEST_SKIP() << "built without debug information"; }
  IndexInputs inputs;
  LazyIndex lazy(std::make_shared<DebugSource>(*self.image, *self.image, self.path, DebugPlaces{}, inputs));
  const uint64_t begin = self.image->find_section(".text")->vaddr + 0x1000;
  std::vector<elf::NamedFrame> chain;
  EXPECT_TRUE(lazy.prepare({begin, begin}));
  EXPECT_LE(lazy.units_read(), 1u);
  EXPECT_TRUE(lazy.find(begin, chain));
  EXPECT_TRUE(lazy.prepare({begin}));
  EXPECT_LE(lazy.units_read(), 1u);
  for (uint64_t at = begin; at < begin + 16; ++at) { EXPECT_TRUE(lazy.prepare({at})); }
  EXPECT_LE(lazy.units_read(), 4u) << "16 bytes belong to at most two units";
}

}  // namespace
}  // namespace wick
