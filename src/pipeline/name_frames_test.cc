// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/name_frames.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "elf/elf_builder.h"

namespace wick {
namespace {

namespace fs = std::filesystem;
using capture::ModuleKind;

class NameFrames : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / strf("wick_names_%d", ::getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string put(const std::string& name, const elf::ElfBuilder& builder) {
    std::vector<uint8_t> bytes = builder.build();
    fs::path path = folder_ / name;
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path;
  }
  static elf::ElfBuilder program(const std::string& prefix, uint8_t id, unsigned functions = 10) {
    elf::ElfBuilder builder;
    builder.add_text(0x1000, 0x10000);
    builder.add_build_id({id, id});
    std::vector<elf::ElfBuilder::Symbol> symbols;
    for (unsigned i = 0; i < functions; ++i) { symbols.push_back({strf("%s%u", prefix.c_str(), i), 0x1000 + i * 16, 16}); }
    builder.add_symbols(symbols);
    return builder;
  }
  static std::string name(const std::vector<capture::FrameSymbols>& all, size_t row) {
    EXPECT_EQ(all.at(row).frame.value, row);
    return all[row].chain.empty() ? "" : all[row].chain[0].function;
  }

  fs::path folder_;
  std::vector<std::string> mismatched_;
};

TEST_F(NameFrames, ByPath) {
  std::string a = put("a", program("a", 1)), b = put("b", program("b", 2));
  std::vector<capture::Module> modules = {
      {ModuleKind::kFile, a, "0101"}, {ModuleKind::kFile, b, "0202"}, {ModuleKind::kAnonymous, "//anon", ""}};
  std::vector<capture::Frame> frames = {{{1}, 0x1035}, {{0}, 0x1005}, {{2}, 0x1005}, {{0}, 0x1011},
                                        {{0}, 0x9000}, {{7}, 0x1000}, {{}, 0x1000}};
  auto all = name_frames(modules, frames, {}, mismatched_);
  ASSERT_EQ(all.size(), frames.size());
  EXPECT_EQ(name(all, 0), "b3");
  EXPECT_EQ(name(all, 1), "a0");
  EXPECT_EQ(name(all, 2), "");
  EXPECT_EQ(name(all, 3), "a1");
  EXPECT_EQ(name(all, 4), "");
  EXPECT_EQ(name(all, 5), "");
  EXPECT_EQ(name(all, 6), "");
  EXPECT_TRUE(mismatched_.empty());
}

TEST_F(NameFrames, IgnoresAnotherBuild) {
  std::string a = put("a", program("a", 1));
  std::vector<capture::Module> modules = {{ModuleKind::kFile, a, "9999"}, {ModuleKind::kFile, folder_ / "gone", "0101"}};
  std::vector<capture::Frame> frames = {{{0}, 0x1000}, {{1}, 0x1000}};
  auto all = name_frames(modules, frames, {}, mismatched_);
  EXPECT_EQ(name(all, 0), "");
  EXPECT_EQ(name(all, 1), "");
  EXPECT_EQ(mismatched_, std::vector<std::string>{a});
}

TEST_F(NameFrames, SymfsComesFirst) {
  std::string a = put("a", program("a", 1));
  fs::create_directories(folder_ / "root" / folder_.relative_path());
  put("root/" + (folder_ / "a").relative_path().string(), program("other", 2));
  SymbolSources sources;
  sources.debug.symfs = folder_ / "root";
  std::vector<capture::Module> modules = {
      {ModuleKind::kFile, a, "0202"}, {ModuleKind::kFile, a, "0101"}, {ModuleKind::kFile, a, "0303"}};
  auto all = name_frames(modules, {{{0}, 0x1000}, {{1}, 0x1000}, {{2}, 0x1000}}, {}, mismatched_, sources);
  EXPECT_EQ(name(all, 0), "other0");
  EXPECT_EQ(name(all, 1), "a0") << "what is below the root is of another build";
  EXPECT_EQ(name(all, 2), "");
  EXPECT_EQ(mismatched_, std::vector<std::string>{a});
}

TEST_F(NameFrames, UsesTheDebugFileIfTheProgramIsGone) {
  SymbolSources sources;
  sources.debug.by_build_id["0101"] = put("debug", program("a", 1));
  sources.debug.by_build_id["0202"] = put("wrong", program("b", 3));
  std::string changed = put("changed", program("c", 9));
  std::vector<capture::Module> modules = {{ModuleKind::kFile, folder_ / "gone", "0101"},
                                          {ModuleKind::kFile, changed, "0101"},
                                          {ModuleKind::kFile, folder_ / "gone", "0202"}};
  auto all = name_frames(modules, {{{0}, 0x1000}, {{1}, 0x1010}, {{2}, 0x1000}}, {}, mismatched_, sources);
  EXPECT_EQ(name(all, 0), "a0");
  EXPECT_EQ(name(all, 1), "a1");
  EXPECT_EQ(name(all, 2), "") << "its build-id is another";
  EXPECT_TRUE(mismatched_.empty());
}

TEST_F(NameFrames, UsesOpenedModules) {
  std::string a = put("a", program("a", 1));
  ModuleStore store;
  const LoadedModule* opened = store.load({0, a, 0, 0});
  std::vector<capture::Module> modules = {{ModuleKind::kFile, "/path/as/the/process/saw/it", "0101"}};
  auto all = name_frames(modules, {{{0}, 0x1000}}, {opened}, mismatched_);
  EXPECT_EQ(name(all, 0), "a0");
}

TEST_F(NameFrames, ManyModulesAtOnce) {
  std::vector<capture::Module> modules;
  std::vector<capture::Frame> frames;
  for (uint32_t m = 0; m < 40; ++m) {
    uint8_t id = static_cast<uint8_t>(m + 1);
    modules.push_back({ModuleKind::kFile, put(strf("m%u", m), program(strf("m%u_", m), id, 4000)), strf("%02x%02x", id, id)});
  }
  for (uint32_t i = 0; i < 100'000; ++i) { frames.push_back({{i % 40}, 0x1000 + (i * 7919u) % 64000}); }
  auto all = name_frames(modules, frames, {}, mismatched_);
  ASSERT_EQ(all.size(), frames.size());
  for (uint32_t i = 0; i < frames.size(); ++i) { ASSERT_EQ(name(all, i), strf("m%u_%u", i % 40, (i * 7919u) % 64000 / 16)); }
}

TEST_F(NameFrames, KernelFunctions) {
  std::ifstream in("/proc/kallsyms");
  std::string line;
  uint64_t address = 0;
  while (std::getline(in, line)) {
    std::vector<std::string_view> words = split(line, ' ');
    if (words.size() == 3 && words[2] == "schedule") { address = parse_u64(words[0], 16).value_or(0); }
  }
  if (address == 0) { GTEST_SKIP() << "the kernel hides its addresses"; }
  auto all = name_frames({{ModuleKind::kKernel, "[kernel]", ""}}, {{{0}, address + 3}, {{0}, 5}}, {}, mismatched_);
  EXPECT_EQ(name(all, 0), "schedule");
  EXPECT_EQ(name(all, 1), "");
}

TEST_F(NameFrames, Nothing) { EXPECT_TRUE(name_frames({}, {}, {}, mismatched_).empty()); }

}  // namespace
}  // namespace wick
