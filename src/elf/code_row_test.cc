// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/code_row.h"

#include <gtest/gtest.h>

#include "base/cpu.h"
#include "base/mapped_file.h"
#include "base/text.h"
#include "elf/cfi.h"
#include "elf/image.h"

namespace wick::elf {
namespace {

std::optional<CodeRow> find_code_row(const std::vector<uint8_t>& code, size_t at, size_t end) {
  std::vector<std::optional<CodeRow>> rows = find_code_rows(code, end);
  return at < rows.size() ? rows[at] : std::nullopt;
}

std::optional<int64_t> distance(const std::vector<uint8_t>& code, size_t at, size_t end = SIZE_MAX) {
  std::optional<CodeRow> row = find_code_row(code, at, end);
  return row && !row->by_fp ? std::optional(row->distance) : std::nullopt;
}

TEST(CodeRow, FollowsPushesAndSubtractions) {
  std::vector<uint8_t> code = {0xf3, 0x0f, 0x1e, 0xfa,                     // endbr64
                               0x53,                                       // push %rbx
                               0x48, 0x83, 0xec, 0x20,                     // sub $32, %rsp
                               0xe8, 0,    0,    0,    0,                  // call
                               0x48, 0x83, 0xc4, 0x20, 0x5b, 0xc3, 0xcc};  // add $32, %rsp; pop %rbx; ret
  for (auto [at, expected] : {std::pair{0, 8}, {4, 8}, {5, 16}, {9, 48}, {14, 48}, {18, 16}, {19, 8}}) {
    EXPECT_EQ(distance(code, static_cast<size_t>(at)), expected) << at;
  }
  EXPECT_FALSE(distance(code, 1)) << "inside an instruction";
  EXPECT_FALSE(distance(code, 20)) << "after the return";
  EXPECT_FALSE(distance(code, 14, 14)) << "a call that ends the function does not return";
}

TEST(CodeRow, TracksFramePointer) {
  std::vector<uint8_t> code = {0x55,                    // push %rbp
                               0x48, 0x89, 0xe5,        // mov %rsp, %rbp
                               0x48, 0x83, 0xe4, 0xf0,  // and $-16, %rsp
                               0x90, 0xc9, 0xc3};       // nop; leave; ret
  CodeRow pushed{false, 16, CodeRow::FramePointer::kSame, 0, false}, set{false, 16, CodeRow::FramePointer::kSaved, -16, false},
      aligned{true, 16, CodeRow::FramePointer::kSaved, -16, false}, left{false, 8, CodeRow::FramePointer::kSame, 0, false};
  EXPECT_EQ(find_code_row(code, 1, 11), pushed);
  EXPECT_EQ(find_code_row(code, 4, 11), set);
  EXPECT_EQ(find_code_row(code, 8, 11), aligned);
  EXPECT_EQ(find_code_row(code, 10, 11), left);
}

TEST(CodeRow, RequiresPathsToAgree) {
  std::vector<uint8_t> code = {0x74, 0x01, 0x50, 0x90, 0xc3};  // je 1f; push %rax; 1: nop; ret
  EXPECT_FALSE(distance(code, 3));
  code[2] = 0x90;
  EXPECT_EQ(distance(code, 3), 8);
}

TEST(CodeRow, GivesUpOnComputedStackPointer) {
  EXPECT_FALSE(distance({0x48, 0x29, 0xc4, 0x90, 0xc3}, 3)) << "sub %rax, %rsp";
  EXPECT_FALSE(distance({0x48, 0x94, 0x90, 0xc3}, 2)) << "xchg %rax, %rsp";
  EXPECT_FALSE(distance({0x06, 0x90}, 1)) << "invalid instruction";
  EXPECT_FALSE(distance({0x5c, 0x90}, 1)) << "pop %rsp";
  EXPECT_FALSE(distance({0x58, 0x90}, 1)) << "pops its return address";
  EXPECT_FALSE(distance({0x90, 0x48, 0x83, 0xec}, 0)) << "code ends inside an instruction";
  EXPECT_FALSE(distance({}, 0));
}

// Like the C library's clone3(): a thread starts after the system call, and only some of the joining paths made the call.
TEST(CodeRow, MarksCodeAfterSystemCall) {
  std::vector<uint8_t> code = {0x48, 0x85, 0xff, 0x74, 0x05, 0x0f, 0x05, 0x78, 0x01, 0xc3, 0x90, 0xc3};
  EXPECT_FALSE(find_code_row(code, 5, 12)->after_system_call);
  for (size_t at : {7, 9, 10, 11}) { EXPECT_TRUE(find_code_row(code, at, 12)->after_system_call) << at; }
}

// For all functions of a file that have both: the instructions and the tables agree.
TEST(CodeRow, AgreesWithTables) {
  size_t wrong = 0, known = 0;
  for (const char* path : {"/proc/self/exe", "/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6"}) {
    Result<MappedFile> file = MappedFile::open(path);
    if (!file.ok()) { continue; }
    Result<Image> image = Image::parse(file->bytes());
    ASSERT_TRUE(image.ok());
    if (image->arch() != Arch::kX86_64) { GTEST_SKIP() << "not an x86_64 machine"; }
    Cfi cfi(*image);
    size_t step = std::max<size_t>(1, cfi.list_entries().size() / 2000), number = 0;
    for (const Cfi::Entry& entry : cfi.list_entries()) {
      uint64_t begin = 0, end = 0;
      if (number++ % step != 0 || !cfi.find_function_before(entry.begin, begin, end) || begin != entry.begin) { continue; }
      // A function's cold part starts with the function's stack layout; for some, the tables are off by a byte.
      FrameRow first;
      if (!cfi.find_row(begin, first) || first.cfa.kind != CfaRule::Kind::kRegister || first.cfa.reg() != x86::kRsp ||
          first.cfa.offset != 8) {
        continue;
      }
      Bytes code = image->bytes_at_svma(begin);
      if (code.empty() || code[0] == 0x90) { continue; }
      // libc's assembly pushes registers without saying so in its tables; entries with a single row prove nothing.
      size_t count = 0;
      cfi.visit_rows(entry, [&](const FrameRow&) { return ++count < 2; });
      if (count < 2) { continue; }
      code = code.first(std::min<size_t>(code.size(), end - begin));
      std::vector<std::optional<CodeRow>> of = find_code_rows(code, code.size());
      for (size_t at = 0; at < of.size(); ++at) {
        FrameRow row;
        if (!of[at] || !cfi.find_row(begin + at, row) || row.cfa.kind != CfaRule::Kind::kRegister) { continue; }
        bool same_base = row.cfa.reg() == (of[at]->by_fp ? x86::kRbp : x86::kRsp);
        if (!same_base) { continue; }
        ++known;
        const RegisterRule& fp = row.registers[x86::kRbp];
        bool same_fp =
            of[at]->fp != CodeRow::FramePointer::kSaved || fp.kind != RegisterRule::Kind::kAtCfa || fp.offset == of[at]->saved_at;
        if (row.cfa.offset == of[at]->distance && same_fp) { continue; }
        if (++wrong <= 10) { ADD_FAILURE() << path << strf(": %lx of %lx: %ld", begin + at, begin, of[at]->distance); }
      }
    }
  }
  EXPECT_EQ(wrong, 0u) << "of " << known;
  EXPECT_GE(known, 100'000u);
}

TEST(StackSwitch, FoundFromLoadToNextReturn) {
  const uint8_t code[] = {
      0xd9, 0x31,                                // 0: fnstenv (%rcx)
      0x48, 0x8b, 0xa2, 0xa0, 0x00, 0x00, 0x00,  // 2: mov 0xa0(%rdx),%rsp
      0x48, 0x8b, 0x6a, 0x78,                    // 9: mov 0x78(%rdx),%rbp
      0x51,                                      // 13: push %rcx
      0x31, 0xc0,                                // 14: xor %eax,%eax
      0xc3,                                      // 16: ret
      0xf7, 0xd8,                                // 17: neg %eax
      0xc3,                                      // 19: ret
  };
  auto pushed = [&](size_t at) {
    std::optional<StackSwitch> found = find_stack_switch(code, at);
    EXPECT_TRUE(!found || found->at == 2);
    return found ? found->pushed : -1;
  };
  EXPECT_EQ(pushed(0), -1);
  EXPECT_EQ(pushed(2), -1) << "not yet done";
  EXPECT_EQ(pushed(9), 0);
  EXPECT_EQ(pushed(13), 0);
  EXPECT_EQ(pushed(14), 8);
  EXPECT_EQ(pushed(16), 8);
  EXPECT_EQ(pushed(17), -1) << "reached by another path";
  EXPECT_EQ(pushed(sizeof code + 1), -1);
  const uint8_t odd[] = {0x48, 0x8b, 0xa2, 0xa0, 0, 0, 0, 0x62, 0x90};
  EXPECT_FALSE(find_stack_switch(odd, 8));
}

}  // namespace
}  // namespace wick::elf
