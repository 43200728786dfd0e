// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/load_code.h"

#include <gtest/gtest.h>

namespace wick {
namespace {

using capture::ModuleKind;

class LoadCodeTest : public testing::Test {
 protected:
  LoadCodeTest() {
    capture_.modules = {{ModuleKind::kAnonymous, "//anon", ""},
                        {ModuleKind::kAnonymous, "//anon", ""},
                        {ModuleKind::kFile, "/bin/app", "0123"},
                        {ModuleKind::kKernel, "[kernel]", ""}};
  }
  capture::FrameId frame(uint32_t module, uint64_t address) {
    capture_.frames.push_back({{module}, address});
    return {static_cast<uint32_t>(capture_.frames.size() - 1)};
  }
  // The code of a generated frame, as a view finds it; "" if there is none.
  std::string code_of(const LoadedCode& code, capture::FrameId frame) {
    const RecordedCode::Body* body =
        code.recorded->find(generated_path(code.versions[frame.value]), capture_.frames[frame.value].address);
    return body != nullptr ? body->bytes : "";
  }

  capture::Capture capture_;
};

TEST_F(LoadCodeTest, NothingRecorded) {
  EXPECT_EQ(load_code(capture_).recorded, nullptr);
  EXPECT_TRUE(load_code(capture_).versions.empty());
}

TEST_F(LoadCodeTest, FilesByBuildIdAndTheKernelByItsPath) {
  capture_.code = {{{2}, 0x10, "file", {}}, {{3}, 0xffffffff81000000, "kernel", {}}};
  LoadedCode code = load_code(capture_);
  ASSERT_NE(code.recorded->find("0123", 0x13), nullptr);
  EXPECT_EQ(code.recorded->find("0123", 0x13)->bytes, "file");
  EXPECT_EQ(code.recorded->find("0123", 0x14), nullptr);
  ASSERT_NE(code.recorded->find("[kernel]", 0xffffffff81000001), nullptr);
  EXPECT_TRUE(code.versions.empty());
}

// A function may be replaced by another, even by one with the same name.
TEST_F(LoadCodeTest, ReplacedCode) {
  capture::FrameId first = frame(0, 0x1004), second = frame(0, 0x1006), neither = frame(0, 0x1002), apart = frame(0, 0x2000);
  capture_.code = {{{0}, 0x1000, "first___", {first}}, {{0}, 0x1004, "second__", {second}}};
  LoadedCode code = load_code(capture_);
  EXPECT_EQ(code_of(code, first), "first___");
  EXPECT_EQ(code_of(code, second), "second__");
  EXPECT_EQ(code_of(code, neither), "") << "of a function whose code is not here";
  EXPECT_EQ(code.versions[apart.value], 0u);
}

// Processes may have different code at the same address, also without any that was logged.
TEST_F(LoadCodeTest, OtherProcesses) {
  capture::FrameId mine = frame(0, 0x1004), theirs = frame(1, 0x1004), unlogged = frame(1, 0x1005);
  capture_.code = {{{0}, 0x1000, "mine____", {mine}}, {{1}, 0x1000, "theirs__", {theirs}}};
  LoadedCode code = load_code(capture_);
  EXPECT_EQ(code_of(code, mine), "mine____");
  EXPECT_EQ(code_of(code, theirs), "theirs__");
  EXPECT_EQ(code_of(code, unlogged), "");

  capture_.code[1].bytes = "mine____";
  code = load_code(capture_);
  EXPECT_EQ(code.versions[mine.value], code.versions[theirs.value]) << "the same code, such as after a fork";
  EXPECT_EQ(code_of(code, theirs), "mine____");
}

TEST_F(LoadCodeTest, HostileFiles) {
  capture::FrameId outside = frame(0, 0x5000), of_other = frame(1, 0x1000), in_file = frame(2, 0x1000);
  capture_.code = {{{0}, 0x1000, "code", {outside, of_other, in_file}}, {{0}, 0x1000, "", {outside}}};
  LoadedCode code = load_code(capture_);
  EXPECT_EQ(code_of(code, outside), "");
  EXPECT_EQ(code_of(code, of_other), "");
  EXPECT_EQ(code.versions[in_file.value], 0u);
  capture_.code.clear();
  for (unsigned i = 0; i < 300; ++i) { capture_.code.push_back({{1}, 0xfff, "x" + std::to_string(i), {of_other}}); }
  capture_.code.push_back({{0}, 0x4fff, "code", {outside}});
  code = load_code(capture_);
  EXPECT_EQ(code_of(code, outside), "code");
}

}  // namespace
}  // namespace wick
