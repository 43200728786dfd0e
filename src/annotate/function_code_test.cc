// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Reads the code of functions of this very program.

#include "annotate/function_code.h"

#include <gtest/gtest.h>
#include <link.h>

#include <filesystem>
#include <fstream>

#include "model/profile_builder.h"

extern "C" {
constexpr unsigned kInlinedLine = __LINE__ + 1;
[[gnu::always_inline]] inline int annotated_inlined(int x) { return x * 7919 + 13; }

constexpr unsigned kCallLine = __LINE__ + 3;
[[gnu::noinline, gnu::used]] int annotated_outer(const int* values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) { sum ^= annotated_inlined(values[i]); }
  return sum;
}
[[gnu::noinline, gnu::used]] int annotated_other(const int* values) { return annotated_outer(values, values[0] & 7) + 1; }
}

namespace wick {
namespace {

// As linked.
uint64_t address_of(const void* code) {
  uint64_t base = 0;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* out) {
        *static_cast<uint64_t*>(out) = info->dlpi_addr;
        return 1;  // the first is the program
      },
      &base);
  return reinterpret_cast<uint64_t>(code) - base;
}

struct Program {
  ModuleStore store;
  const LoadedModule* file = store.load({0, "/proc/self/exe", 0, 0});
  std::string path = std::filesystem::read_symlink("/proc/self/exe").native();
  std::string build_id = file->build_id;
};

struct Place {
  uint64_t address;
  bool inlined;
};

Profile profile_of(const Program& program, const char* name, const std::vector<Place>& places, const char* build_id = nullptr) {
  ProfileBuilder b;
  ModuleId module = b.module(program.path, build_id != nullptr ? std::string(build_id) : program.build_id);
  FunctionId function = b.function(name, name, module);
  for (const Place& place : places) { b.frame({.function = function, .address = place.address, .inlined = place.inlined}); }
  return std::move(b).build();
}

bool has_note(const FunctionCode& code, std::string_view part) {
  for (const std::string& note : code.notes) {
    if (note.find(part) != std::string::npos) { return true; }
  }
  return false;
}

class FunctionCodeTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(program_.file->image);
    if (program_.build_id.empty()) { GTEST_SKIP() << "this program has no build ID"; }
  }
  Program program_;
  uint64_t outer_ = address_of(reinterpret_cast<const void*>(&annotated_outer));
};

TEST_F(FunctionCodeTest, WholeFunctionWithLinesAndInlinedCalls) {
  Profile profile = profile_of(program_, "annotated_outer", {{outer_ + 4, false}});
  FunctionCode code = CodeReader(profile, {}).read({0});
  ASSERT_FALSE(code.instructions.empty());
  EXPECT_EQ(code.instructions.front().machine.address, outer_);
  uint64_t end = outer_;
  bool has_return = false, has_inlined = false, jumps_back = false, has_line = false;
  for (const CodeInstruction& i : code.instructions) {
    EXPECT_EQ(i.machine.address, end) << "no instruction is missing";
    EXPECT_EQ(i.bytes.size(), 3 * i.machine.size - 1);
    end = i.machine.address + i.machine.size;
    has_return |= i.machine.kind == elf::Instruction::Kind::kReturn;
    jumps_back |= i.machine.kind == elf::Instruction::Kind::kJump && i.machine.target && *i.machine.target < i.machine.address;
    if (!i.inlined.empty()) {
      has_inlined = true;
      EXPECT_EQ(i.inlined[0].name, "annotated_inlined");
      EXPECT_EQ(i.inlined[0].line, kCallLine);
      EXPECT_TRUE(i.line == kInlinedLine || i.line == 0) << i.line << "; sanitizers add code without a line";
      has_line |= i.line == kInlinedLine;
    }
  }
  EXPECT_TRUE(has_return);
  EXPECT_TRUE(has_inlined && has_line);
  EXPECT_TRUE(jumps_back) << "the loop";

  bool shows_call = false, shows_inlined = false;
  for (const SourcePart& part : code.sources) {
    for (size_t i = 0; i < part.lines.size(); ++i) {
      shows_call |= part.first + i == kCallLine && part.lines[i].find("sum ^= annotated_inlined") != std::string::npos;
      shows_inlined |= part.first + i == kInlinedLine && part.lines[i].find("7919") != std::string::npos;
    }
  }
  EXPECT_TRUE(shows_call && shows_inlined);
}

TEST_F(FunctionCodeTest, CalledFunctionsHaveNames) {
  uint64_t other = address_of(reinterpret_cast<const void*>(&annotated_other));
  FunctionCode code = CodeReader(profile_of(program_, "annotated_other", {{other, false}}), {}).read({0});
  bool calls = false;
  for (const CodeInstruction& i : code.instructions) { calls |= i.called == "annotated_outer"; }
  EXPECT_TRUE(calls);
}

// A function that is only inlined has its instructions within the others, and its own lines.
TEST_F(FunctionCodeTest, InlinedFunction) {
  Profile whole = profile_of(program_, "annotated_outer", {{outer_, false}});
  FunctionCode outer = CodeReader(whole, {}).read({0});
  size_t expected = 0;
  for (const CodeInstruction& i : outer.instructions) { expected += !i.inlined.empty(); }
  ASSERT_GT(expected, 0u);
  ASSERT_LT(expected, outer.instructions.size());
  Profile inlined = profile_of(program_, "annotated_inlined", {{outer_ + 4, true}});
  FunctionCode code = CodeReader(inlined, {}).read({0});
  EXPECT_EQ(code.instructions.size(), expected);
  for (const CodeInstruction& i : code.instructions) {
    EXPECT_EQ(i.container, "annotated_outer");
    EXPECT_TRUE(i.inlined.empty());
    EXPECT_NE(i.line, kCallLine);
  }
}

// Addresses of another build are other code, even in a file with the same name.
TEST_F(FunctionCodeTest, OnlyOneBuildIsShown) {
  uint64_t other = address_of(reinterpret_cast<const void*>(&annotated_other));
  std::string name = program_.path.substr(program_.path.rfind('/'));
  ProfileBuilder b;
  FunctionId elsewhere = b.function("f", "f", b.module("/elsewhere" + name, "0123456789abcdef0123"));
  FunctionId here = b.function("f", "f", b.module(program_.path, program_.build_id));
  FunctionId copy = b.function("f", "f", b.module("/copy" + name, program_.build_id));
  b.frame({.function = elsewhere, .address = other});
  b.frame({.function = here, .address = outer_});
  Profile profile = std::move(b).build();
  CodeReader reader(profile, {});
  FunctionCode code = reader.read(here);
  ASSERT_FALSE(code.instructions.empty());
  for (const CodeInstruction& i : code.instructions) { EXPECT_FALSE(i.machine.address == other); }
  EXPECT_TRUE(reader.read(elsewhere).instructions.empty());
  EXPECT_TRUE(has_note(reader.read(copy), "/copy" + name + " was not found"));
}

// Other tools' addresses may be relative to something else, or behind calls.
TEST_F(FunctionCodeTest, AddressesOfOtherToolsAreNotTrusted) {
  Profile profile = profile_of(program_, "annotated_outer", {{outer_, false}});
  FunctionCode code = CodeReader(profile, {.has_linked_addresses = false}).read({0});
  EXPECT_TRUE(code.instructions.empty());
  EXPECT_TRUE(has_note(code, "only for its recordings and perf.data"));
  Profile no_build_id = profile_of(program_, "annotated_outer", {{outer_, false}}, "");
  EXPECT_TRUE(has_note(CodeReader(no_build_id, {}).read({0}), "no build ID"));
}

class FunctionSourceTest : public testing::Test {
 protected:
  FunctionSourceTest() {
    folder_ = std::filesystem::temp_directory_path() / ("wick_function_code_test." + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~FunctionSourceTest() override { std::filesystem::remove_all(folder_); }
  FunctionCode read(const std::string& text, uint32_t line, int64_t recorded_s) {
    std::string path = (folder_ / "a.c").native();
    std::ofstream(path) << text;
    ProfileBuilder b;
    b.set_start(0, static_cast<uint64_t>(recorded_s) * 1'000'000'000);
    b.frame({.function = b.function("f", "f", b.module("/gone/app", "01")), .address = 1, .file = b.string(path), .line = line});
    Profile profile = std::move(b).build();
    return CodeReader(profile, {}).read({0});
  }
  std::filesystem::path folder_;
  int64_t now_s_ = ::time(nullptr);
};

// After editing and building again, the program of the recording is gone, and its lines may be elsewhere.
TEST_F(FunctionSourceTest, SourceThatWasEditedAfterTheRecording) {
  EXPECT_TRUE(has_note(read("one\ntwo\n", 2, now_s_ - 100), "source file has changed since the recording: "));
  EXPECT_FALSE(has_note(read("one\ntwo\n", 2, now_s_ + 100), "changed"));
  EXPECT_FALSE(has_note(read("one\ntwo\n", 2, 0), "changed")) << "the time of the recording is unknown";
}

TEST_F(FunctionSourceTest, SourceThatIsTooShort) {
  EXPECT_TRUE(has_note(read("one\ntwo\n", 3, 0), "has fewer lines"));
  EXPECT_FALSE(has_note(read("one\ntwo\n", 2, 0), "fewer"));
}

TEST_F(FunctionCodeTest, WhatIsMissingIsSaid) {
  EXPECT_TRUE(
      has_note(CodeReader(profile_of(program_, "f", {{outer_, false}}, "0123456789abcdef0123"), {}).read({0}), "has changed"));
  EXPECT_TRUE(has_note(CodeReader(profile_of(program_, "f", {}), {}).read({0}), "no addresses"));
  FunctionCode nowhere = CodeReader(profile_of(program_, "f", {{UINT64_MAX, false}, {1, false}}), {}).read({0});
  EXPECT_TRUE(nowhere.instructions.empty());
  EXPECT_TRUE(has_note(nowhere, "begins and ends"));
  ProfileBuilder b;
  b.function("gone", "", b.module("/nowhere/app", "ab"));
  b.function("schedule", "", b.module("[kernel]", "", true));
  b.function("unknown", "", {});
  Profile others = std::move(b).build();
  CodeReader reader(others, {});
  EXPECT_TRUE(has_note(reader.read({0}), "/nowhere/app was not found"));
  EXPECT_TRUE(has_note(reader.read({1}), "kernel"));
  EXPECT_TRUE(has_note(reader.read({2}), "does not say which file"));
}

}  // namespace
}  // namespace wick
