// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/symbolize_capture.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "elf/elf_builder.h"

namespace wick {
namespace {

namespace fs = std::filesystem;
using capture::FrameSymbols;
using capture::ModuleKind;
using Why = UnnamedFile::Why;

class SymbolizeCapture : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / strf("wick_symbolize_%d", ::getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    elf::ElfBuilder builder;
    builder.add_text(0x1000, 0x10000);
    builder.add_build_id({1, 2});
    builder.add_symbols({{"first", 0x1000, 16}, {"second", 0x1010, 16}});
    std::vector<uint8_t> bytes = builder.build();
    std::ofstream(program(), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    capture_.info.events = {{"cpu-clock", "ns", 997}};
    capture_.threads.push_back({});
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string program() const { return folder_ / "program"; }

  // A frame that is innermost in `samples` samples.
  uint32_t add(uint32_t module, uint64_t address, int samples) {
    auto row = static_cast<uint32_t>(capture_.frames.size());
    capture_.frames.push_back({capture::ModuleId{module}, address});
    capture_.stacks.push_back({capture::FrameId{row}, {}});
    for (int i = 0; i < samples; ++i) {
      capture_.samples.push_back({.thread = capture::ThreadId{0}, .stack = capture::StackId{row}});
    }
    return row;
  }
  void name(uint32_t frame, std::vector<capture::SymbolFrame> chain) {
    capture_.symbols.push_back({capture::FrameId{frame}, std::move(chain)});
  }
  static std::string text(const SymbolizedCapture& named) {
    std::string out;
    for (const FrameSymbols& s : named.symbols) {
      out += strf("%u:", s.frame.value);
      for (const capture::SymbolFrame& f : s.chain) { out += strf(" %s:%u", f.function.c_str(), f.line); }
      out += "\n";
    }
    return out;
  }

  fs::path folder_;
  capture::Capture capture_;
};

TEST_F(SymbolizeCapture, KeepsTheBetterSymbols) {
  capture_.modules = {{ModuleKind::kFile, program(), "0102"}};
  add(0, 0x1000, 5);                                                           // never looked up
  name(add(0, 0x1010, 1), {{"old", "", 0, 0}});                                // from another table: the file itself is better
  name(add(0, 0x1014, 1), {{"inner", "a.c", 3, 0}, {"second", "a.c", 7, 0}});  // from debug info that is not available now
  name(add(0, 0x1018, 1), {});                                                 // looked up without success
  add(0, 0x9000, 2);                                                           // no code there
  SymbolizedCapture named = symbolize_capture(capture_, {});
  EXPECT_EQ(text(named), "0: first:0\n1: second:0\n2: inner:3 second:7\n3: second:0\n4:\n");
  EXPECT_EQ(named.frames, 5u);
  EXPECT_EQ(named.frames_named, 4u);
  EXPECT_EQ(named.frames_changed, 3u);
  EXPECT_EQ(named.samples, 10u);
  EXPECT_EQ(named.samples_named, 8u);
  EXPECT_EQ(named.samples_named_before, 2u);
  ASSERT_EQ(named.lacking.size(), 1u);
  EXPECT_EQ(named.lacking[0].why, Why::kNoSymbols);
  EXPECT_EQ(named.lacking[0].samples, 2u);
}

TEST_F(SymbolizeCapture, ReportsWhySymbolsAreMissing) {
  capture_.modules = {{ModuleKind::kFile, program(), "ffff"},
                      {ModuleKind::kFile, "/no/such/file", "0102"},
                      {ModuleKind::kKernel, "[kernel]", ""},
                      {ModuleKind::kAnonymous, "//anon", ""},
                      {ModuleKind::kUnknown, "", ""},
                      {ModuleKind::kVdso, "[vdso]", "ffff"},
                      {ModuleKind::kFile, "/no/names/kept", "01"}};
  capture_.info.host = "another machine";
  for (uint32_t module = 0; module < 6; ++module) { add(module, 0x1000, 10 - static_cast<int>(module)); }
  name(add(6, 0x1000, 1), {{"kept", "", 0, 0}});
  name(add(2, 0x1000, 1), {{"kernel_function", "", 0, 0}});
  capture_.frames.push_back({{}, 0x1000});  // no module, not on a stack
  SymbolizedCapture named = symbolize_capture(capture_, {});
  EXPECT_EQ(text(named), "6: kept:0\n7: kernel_function:0\n") << "what was not found is left to be looked for again";
  std::vector<Why> why;
  for (const UnnamedFile& module : named.lacking) { why.push_back(module.why); }
  EXPECT_EQ(why, (std::vector<Why>{Why::kOtherBuild, Why::kMissing, Why::kKernelGone, Why::kGenerated, Why::kGenerated,
                                   Why::kKernelGone}));
}

TEST_F(SymbolizeCapture, Nothing) {
  SymbolizedCapture named = symbolize_capture({}, {});
  EXPECT_TRUE(named.symbols.empty());
  EXPECT_TRUE(named.lacking.empty());
}

TEST_F(SymbolizeCapture, RowsKeepTheirNumbers) {
  std::vector<capture::Module> modules = {{ModuleKind::kFile, program(), "0102"}};
  std::vector<capture::Frame> frames(4, {capture::ModuleId{0}, 0x1000});
  frames[3].address = 0x1010;
  std::vector<std::string> mismatched;
  const uint32_t rows[] = {1, 3};
  std::vector<FrameSymbols> named = name_rows(modules, frames, rows, {}, mismatched, {});
  ASSERT_EQ(named.size(), 2u);
  EXPECT_EQ(named[0].frame.value, 1u);
  EXPECT_EQ(named[0].chain.at(0).function, "first");
  EXPECT_EQ(named[1].frame.value, 3u);
  EXPECT_EQ(named[1].chain.at(0).function, "second");
}

}  // namespace
}  // namespace wick
