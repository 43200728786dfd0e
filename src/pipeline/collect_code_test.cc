// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/collect_code.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "elf/cfi.h"
#include "elf/elf_builder.h"
#include "symbolize/kernel_symbols.h"

namespace wick {
namespace {

// This program itself: a function's bounds come from its unwind tables.
[[gnu::noinline]] int some_function(int n) {
  volatile int sum = n;
  for (int i = 0; i < n; ++i) { sum = sum + i; }
  return sum;
}

class CollectCodeTest : public testing::Test {
 protected:
  CollectCodeTest() {
    std::string path = std::filesystem::read_symlink("/proc/self/exe").native();
    file_ = store_.load({.path = path});
    modules_ = {{capture::ModuleKind::kFile, path, "01"}, {capture::ModuleKind::kAnonymous, "//anon", ""}};
    opened_ = {file_, nullptr};
    // The largest function that a recording may contain, and a small one.
    for (const elf::Cfi::Entry& entry : file_->unwind->cfi().list_entries()) {
      uint64_t begin = 0, end = 0;
      if (!file_->unwind->cfi().find_function_before(entry.begin, begin, end) || begin != entry.begin) { continue; }
      if (end - begin == 0 || end - begin > 100'000) { continue; }
      if (large_.end - large_.begin < end - begin) { large_ = {begin, end}; }
      if (small_.end == 0 && end - begin < 300 && end - begin > 40) { small_ = {begin, end}; }
    }
  }
  struct Range {
    uint64_t begin = 0, end = 0;
    uint64_t size() const { return end - begin; }
  };

  std::vector<capture::CodeBody> collect(std::vector<capture::Frame> frames, std::vector<uint64_t> weights, uint64_t most) {
    return collect_code(modules_, frames, opened_, weights, most);
  }

  ModuleStore store_;
  const LoadedModule* file_;
  std::vector<capture::Module> modules_;
  std::vector<const LoadedModule*> opened_;
  Range large_, small_;
};

TEST_F(CollectCodeTest, HottestFunctionsFirst) {
  EXPECT_EQ(some_function(3), 6);
  ASSERT_GT(large_.size(), small_.size());
  std::vector<capture::Frame> frames = {
      {{0}, small_.begin + 3}, {{0}, large_.begin + 5}, {{0}, large_.end - 1}, {{1}, 0x1000}, {{}, 7}};
  std::vector<capture::CodeBody> code = collect(frames, {60, 50, 40, 30, 20}, 1 << 20);
  ASSERT_EQ(code.size(), 2u);
  EXPECT_EQ(code[0].address, large_.begin) << "its samples count together";
  EXPECT_EQ(code[0].bytes.size(), large_.size());
  EXPECT_EQ(code[1].address, small_.begin);
  Bytes bytes = file_->image->bytes_at_svma(small_.begin).first(small_.size());
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), code[1].bytes.begin(), code[1].bytes.end(),
                         [](uint8_t a, char b) { return a == static_cast<uint8_t>(b); }));
}

TEST_F(CollectCodeTest, Limits) {
  std::vector<capture::Frame> frames = {{{0}, small_.begin}, {{0}, large_.begin}};
  EXPECT_TRUE(collect(frames, {50, 50}, 0).empty());
  EXPECT_TRUE(collect(frames, {0, 0}, 1 << 20).empty()) << "without samples";
  std::vector<capture::CodeBody> code = collect(frames, {50, 60}, large_.size() - 1);
  ASSERT_EQ(code.size(), 1u) << "what fits";
  EXPECT_EQ(code[0].address, small_.begin);
  code = collect(frames, {9, 991}, 1 << 20);
  ASSERT_EQ(code.size(), 1u) << "less than 1% of the cost";
  EXPECT_EQ(code[0].address, large_.begin);
  modules_[0].build_id.clear();
  EXPECT_TRUE(collect(frames, {50, 50}, 1 << 20).empty()) << "the build is unknown";
}

TEST_F(CollectCodeTest, CodeFromElsewhereTakesItsPlace) {
  std::vector<capture::Frame> frames = {{{0}, small_.begin}, {{1}, 0x1000}};
  std::vector<HotCode> others = {{{{1}, 0x1000, "cool", {{1}}}, 40}, {{{1}, 0x2000, "hot", {{1}}}, 60}};
  std::vector<capture::CodeBody> code = collect_code(modules_, frames, opened_, std::vector<uint64_t>{50, 100}, 1 << 20, others);
  ASSERT_EQ(code.size(), 3u);
  EXPECT_EQ(code[0].bytes, "hot");
  EXPECT_EQ(code[1].address, small_.begin);
  EXPECT_EQ(code[2].bytes, "cool");
  ASSERT_EQ(code[2].frames.size(), 1u);
  code = collect_code(modules_, frames, opened_, std::vector<uint64_t>{50, 100}, 3, others);
  ASSERT_EQ(code.size(), 1u) << "what fits";
  EXPECT_EQ(code[0].bytes, "hot");
}

TEST(CollectKernelCode, HotFunctions) {
  constexpr uint64_t kText = 0xffffffff81000000;
  auto symbols = KernelSymbols::parse(
      "ffffffff81000000 T _stext\nffffffff81000010 t hot\nffffffff81000020 t cold\nffffffff81000030 t zeros\n"
      "ffffffff81000040 t ours\nffffffff81000050 t huge\nffffffff81040000 T _etext\n");
  ASSERT_TRUE(symbols.ok());
  elf::ElfBuilder core;
  core.type = ET_CORE;
  core.machine = host_arch() == Arch::kX86_64 ? EM_X86_64 : EM_AARCH64;
  std::vector<uint8_t> memory(0x40000, 7);
  std::fill(memory.begin() + 0x30, memory.begin() + 0x40, uint8_t{0});
  core.add_load(core.add({".text", SHT_PROGBITS, SHF_ALLOC, kText, memory, 0, 0, 0, 0}));
  std::string path = std::filesystem::temp_directory_path() / ("wick_kcore_" + std::to_string(::getpid()));
  std::vector<uint8_t> bytes = core.build();
  std::ofstream(path, std::ios::binary) << std::string(bytes.begin(), bytes.end());
  Result<KernelMemory> opened = KernelMemory::open(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(opened.ok());
  std::vector<capture::Module> modules = {{capture::ModuleKind::kKernel, "[kernel]", ""},
                                          {capture::ModuleKind::kFile, "/bin/app", "01"}};
  std::vector<capture::Frame> frames = {{{0}, kText + 0x11}, {{0}, kText + 0x1f}, {{0}, kText + 0x21}, {{0}, kText + 0x31},
                                        {{0}, kText + 0x41}, {{0}, kText + 0x51}, {{1}, kText + 0x11}, {{0}, kText + 0x50000}};
  std::vector<uint64_t> weights = {100, 200, 9, 100, 100, 100, 300, 100};
  KernelCode own{kText + 0x40, kText + 0x50, "ours"};
  std::vector<HotCode> code = collect_kernel_code(modules, frames, weights, **symbols, *opened, {&own, 1});
  ASSERT_EQ(code.size(), 1u) << "neither cold, nor unreadable, nor the recorder's, nor too large, nor outside of the kernel";
  EXPECT_EQ(code[0].body.address, kText + 0x10);
  EXPECT_EQ(code[0].body.bytes, std::string(16, 7));
  EXPECT_EQ(code[0].weight, 300u);
  EXPECT_EQ(code[0].body.module.value, 0u);
}

}  // namespace
}  // namespace wick
