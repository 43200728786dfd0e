// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/cfi.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "base/byte_writer.h"
#include "base/mapped_file.h"
#include "base/text.h"
#include "elf/cfi_test_builder.h"

namespace wick::elf {
namespace {

using Kind = RegisterRule::Kind;
using test::CfiBuilder;

FrameRow row_at(const Cfi& cfi, uint64_t svma) {
  FrameRow row;
  EXPECT_TRUE(cfi.find_row(svma, row)) << std::hex << svma;
  return row;
}
bool has_row(const Cfi& cfi, uint64_t svma) {
  FrameRow row;
  return cfi.find_row(svma, row);
}
void expect_cfa(const FrameRow& row, unsigned reg, int64_t offset) {
  EXPECT_EQ(row.cfa.kind, CfaRule::Kind::kRegister);
  EXPECT_EQ(row.cfa.reg(), reg);
  EXPECT_EQ(row.cfa.offset, offset);
}
void expect_rule(const FrameRow& row, unsigned reg, Kind kind, int64_t offset = 0) {
  EXPECT_EQ(row.registers[reg].kind, kind) << "register " << reg;
  if (kind != Kind::kAtExpression && kind != Kind::kExpression) {
    EXPECT_EQ(row.registers[reg].offset, offset) << "register " << reg;
  }
}

// CIE: cfa = r7 + 8, r16 at cfa - 8, as compilers emit for x86_64.
const std::vector<uint8_t> kX86Initial{0x0c, 7, 8, 0x90, 1};

TEST(Cfi, FollowsPrologueAndEpilogue) {
  CfiBuilder b;
  size_t cie = b.add_cie("zR", 0x1b, kX86Initial);
  // push rbp (1 byte), mov rbp, rsp (3), …, leave, ret
  b.add_fde(cie, 0x1000, 0x100, {0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x02, 0xf0, 0x0c, 7, 8});
  Cfi cfi = b.make();
  expect_cfa(row_at(cfi, 0x1000), 7, 8);
  expect_rule(row_at(cfi, 0x1000), 6, Kind::kUnspecified);
  expect_rule(row_at(cfi, 0x1000), 16, Kind::kAtCfa, -8);
  FrameRow pushed = row_at(cfi, 0x1002);
  EXPECT_EQ(pushed.begin, 0x1001u);
  EXPECT_EQ(pushed.end, 0x1004u);
  expect_cfa(pushed, 7, 16);
  expect_rule(pushed, 6, Kind::kAtCfa, -16);
  expect_cfa(row_at(cfi, 0x1004), 6, 16);
  expect_cfa(row_at(cfi, 0x10f3), 6, 16);
  expect_cfa(row_at(cfi, 0x10f4), 7, 8);
  EXPECT_EQ(row_at(cfi, 0x10ff).end, 0x1100u);
  EXPECT_FALSE(has_row(cfi, 0xfff));
  EXPECT_FALSE(has_row(cfi, 0x1100));
  EXPECT_EQ(pushed.return_register, 16u);
  EXPECT_FALSE(pushed.signal_frame);
}

TEST(Cfi, InterpretsEveryInstruction) {
  CfiBuilder b;
  size_t cie = b.add_cie("zR", 0x1b, {0x0c, 7, 8, 0x90, 1, 0x83, 4});
  b.add_fde(cie, 0x1000, 0x10000,
            {
                0x05, 3,    2,                           // offset_extended r3, 2 -> -16
                0x06, 3,                                 // restore_extended r3 -> as in the CIE, -32
                0x07, 4,                                 // undefined r4
                0x08, 5,                                 // same_value r5
                0x09, 6,    12,                          // register r6 in r12
                0x10, 8,    2,    0x77, 8,               // expression r8
                0x16, 9,    2,    0x77, 16,              // val_expression r9
                0x11, 10,   0x7e,                        // offset_extended_sf r10, -2 -> +16
                0x14, 11,   3,                           // val_offset r11, 3 -> -24
                0x15, 12,   0x7d,                        // val_offset_sf r12, -3 -> +24
                0x2e, 0x10,                              // GNU_args_size
                0x2f, 13,   5,                           // GNU_negative_offset_extended r13, 5 -> +40
                0x12, 6,    0x7c,                        // def_cfa_sf r6, -4 -> +32
                0x02, 0x10,                              // advance_loc1 16
                0x13, 0x7b,                              // def_cfa_offset_sf -5 -> +40
                0x03, 0x00, 0x01,                        // advance_loc2 256
                0x0a,                                    // remember_state
                0x0f, 2,    0x77, 8,                     // def_cfa_expression
                0x04, 0,    4,    0,    0,               // advance_loc4 1024
                0x0b,                                    // restore_state
                0xc3,                                    // restore r3
                0x00, 0x41,                              // nop, advance 1
                0x1d, 1,    0,    0,    0,  0, 0, 0, 0,  // advance_loc8 1
                0x0e, 64,
            });
  Cfi cfi = b.make();
  FrameRow row = row_at(cfi, 0x1000);
  expect_cfa(row, 6, 32);
  expect_rule(row, 3, Kind::kAtCfa, -32);
  expect_rule(row, 4, Kind::kUndefined);
  expect_rule(row, 5, Kind::kSame);
  expect_rule(row, 6, Kind::kRegister, 12);
  expect_rule(row, 8, Kind::kAtExpression);
  EXPECT_EQ(row.registers[8].expression().size(), 2u);
  expect_rule(row, 9, Kind::kExpression);
  EXPECT_EQ(row.registers[9].expression()[1], 16);
  expect_rule(row, 10, Kind::kAtCfa, 16);
  expect_rule(row, 11, Kind::kCfaPlus, -24);
  expect_rule(row, 12, Kind::kCfaPlus, 24);
  expect_rule(row, 13, Kind::kAtCfa, 40);
  expect_cfa(row_at(cfi, 0x1010), 6, 40);
  FrameRow expression = row_at(cfi, 0x1110);
  EXPECT_EQ(expression.cfa.kind, CfaRule::Kind::kExpression);
  EXPECT_EQ(expression.end, 0x1510u);
  expect_cfa(row_at(cfi, 0x1510), 6, 40);
  expect_cfa(row_at(cfi, 0x1511), 6, 40);
  expect_cfa(row_at(cfi, 0x1512), 6, 64);
}

TEST(Cfi, ReadsEveryPointerEncoding) {
  // absptr, udata2, udata4, sdata4, sdata8, pcrel sdata4, datarel sdata4, textrel udata4, uleb, aligned
  for (uint8_t encoding : {0x00, 0x02, 0x03, 0x0b, 0x0c, 0x1b, 0x3b, 0x23, 0x01, 0x50}) {
    CfiBuilder b;
    size_t cie = b.add_cie("zR", encoding, kX86Initial);
    b.add_fde(cie, 0x1234, 0x100, {0x41, 0x0e, 16});
    Cfi cfi = b.make();
    ASSERT_TRUE(has_row(cfi, 0x1234)) << std::hex << int{encoding};
    expect_cfa(row_at(cfi, 0x1333), 7, 16);
    EXPECT_FALSE(has_row(cfi, 0x1334)) << std::hex << int{encoding};
  }
}

TEST(Cfi, ReadsAugmentations) {
  CfiBuilder b;
  size_t plain = b.add_cie("", 0, kX86Initial);
  size_t signal = b.add_cie("zRS", 0x1b, kX86Initial);
  size_t personality = b.add_cie("zPLR", 0x1b, kX86Initial);
  size_t key = b.add_cie("zRB", 0x1b, kX86Initial);
  size_t unknown = b.add_cie("xyz", 0x1b, kX86Initial);
  b.add_fde(plain, 0x1000, 0x10, {});
  b.add_fde(signal, 0x2000, 0x10, {});
  b.add_fde(personality, 0x3000, 0x10, {});
  b.add_fde(key, 0x4000, 0x10, {});
  b.add_fde(unknown, 0x5000, 0x10, {});
  Cfi cfi = b.make();
  EXPECT_FALSE(row_at(cfi, 0x1000).signal_frame);
  EXPECT_TRUE(row_at(cfi, 0x2000).signal_frame);
  expect_cfa(row_at(cfi, 0x3008), 7, 8);
  expect_cfa(row_at(cfi, 0x4008), 7, 8);
  EXPECT_FALSE(has_row(cfi, 0x5000)) << "the data after an unknown augmentation cannot be located";
}

TEST(Cfi, DebugFrameFillsGapsOfEhFrame) {
  CfiBuilder b;
  size_t cie = b.add_cie("zR", 0x1b, kX86Initial);
  b.add_fde(cie, 0x1000, 0x10, {});
  CfiBuilder d(/*eh=*/false);
  size_t debug_cie = d.add_cie("", 0, kX86Initial);
  d.add_fde(debug_cie, 0x1000, 0x10, {0x0e, 99});
  d.add_fde(debug_cie, 0x2000, 0x10, {0x0e, 24});
  Cfi cfi(Arch::kX86_64, b.section(), {}, d.section());
  expect_cfa(row_at(cfi, 0x1008), 7, 8);
  expect_cfa(row_at(cfi, 0x2008), 7, 24);
  EXPECT_EQ(cfi.list_entries().size(), 3u);
}

TEST(Cfi, SearchesEhFrameHdr) {
  CfiBuilder b;
  size_t cie = b.add_cie("zR", 0x1b, kX86Initial);
  for (uint64_t i = 0; i < 50; ++i) { b.add_fde(cie, 0x1000 + i * 0x40, 0x30, {0x0e, static_cast<uint8_t>(i + 1)}); }
  std::vector<uint8_t> header = b.make_header();
  Cfi with(Arch::kX86_64, b.section(), {b.header_svma(), header}, {});
  Cfi without = b.make();
  for (uint64_t svma = 0xfe0; svma < 0x1000 + 51 * 0x40; svma += 7) {
    FrameRow a, c;
    bool found = with.find_row(svma, a);
    EXPECT_EQ(found, without.find_row(svma, c)) << std::hex << svma;
    if (found) { EXPECT_EQ(a.cfa.offset, static_cast<int64_t>((svma - 0x1000) / 0x40 + 1)); }
  }
}

TEST(Cfi, PointerAuthenticationHasNoOperand) {
  CfiBuilder b(true, Arch::kAarch64);
  size_t cie = b.add_cie("zR", 0x1b, {0x0c, 31, 0}, /*return_register=*/30, /*code_align=*/4);
  b.add_fde(cie, 0x1000, 0x40, {0x41, 0x2d, 0x42, 0x0e, 16, 0x9d, 2, 0x9e, 1, 0x43, 0x2d, 0x0e, 0, 0xde, 0xdd});
  Cfi cfi = b.make();
  expect_cfa(row_at(cfi, 0x1008), 31, 0);
  FrameRow saved = row_at(cfi, 0x100c);
  expect_cfa(saved, 31, 16);
  expect_rule(saved, 29, Kind::kAtCfa, -16);
  expect_rule(saved, 30, Kind::kAtCfa, -8);
  expect_rule(row_at(cfi, 0x1018), 30, Kind::kUnspecified);
}

TEST(Cfi, StopsAtMalformedInstruction) {
  CfiBuilder b;
  size_t cie = b.add_cie("zR", 0x1b, kX86Initial);
  b.add_fde(cie, 0x1000, 0x10, {0x44, 0x0b});        // restore_state on an empty stack
  b.add_fde(cie, 0x2000, 0x10, {0x44, 0x3f});        // unknown
  b.add_fde(cie, 0x3000, 0x10, {0x44, 0x0f, 0x40});  // a block longer than the entry
  b.add_fde(cie, 0x4000, 0x10, {0x44, 0x2d});        // aarch64 only
  b.add_fde(cie, 0x5000, 0x10, std::vector<uint8_t>(100, 0x0a));
  Cfi cfi = b.make();
  for (uint64_t svma : {0x1000, 0x2000, 0x3000, 0x4000}) {
    EXPECT_TRUE(has_row(cfi, svma)) << std::hex << svma;
    EXPECT_FALSE(has_row(cfi, svma + 8)) << std::hex << svma;
  }
  EXPECT_FALSE(has_row(cfi, 0x5000));
}

#if defined(__x86_64__)
constexpr const char* kLibc = "/usr/lib/x86_64-linux-gnu/libc.so.6";
constexpr const char* kOtherLibc = "/usr/aarch64-linux-gnu/lib/libc.so.6";
#else
constexpr const char* kLibc = "/usr/lib/aarch64-linux-gnu/libc.so.6";
constexpr const char* kOtherLibc = "/usr/x86_64-linux-gnu/lib/libc.so.6";
#endif

std::string rule_text(const RegisterRule& rule) {
  switch (rule.kind) {
    case Kind::kUnspecified:
    case Kind::kUndefined: return "u";
    case Kind::kSame: return "s";
    case Kind::kAtCfa: return strf("c%+ld", static_cast<long>(rule.offset));
    case Kind::kCfaPlus: return strf("v%+ld", static_cast<long>(rule.offset));
    case Kind::kRegister: return "r";
    case Kind::kAtExpression: return "exp";
    case Kind::kExpression: return "vexp";
  }
  return "?";
}

// Compares with readelf: every row of every function of libc.
void compare_with_readelf(const char* path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file.ok()) { GTEST_SKIP() << path << " is not on this machine"; }
  Result<Image> image = Image::parse(file->bytes());
  ASSERT_TRUE(image.ok());
  Cfi cfi(*image);
  FILE* pipe = ::popen(strf("readelf -wF %s 2>/dev/null", path).c_str(), "r");
  if (pipe == nullptr) { GTEST_SKIP() << "no readelf"; }
  std::map<std::string, unsigned> numbers;
  if (cfi.arch() == Arch::kX86_64) {
    const char* names[] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8",
                           "r9",  "r10", "r11", "r12", "r13", "r14", "r15", "rip"};
    for (unsigned i = 0; i < 17; ++i) { numbers[names[i]] = i; }
    numbers["ra"] = 16;
  } else {
    for (unsigned i = 0; i < 31; ++i) { numbers[strf("x%u", i)] = i; }
    numbers["sp"] = 31;
    numbers["ra"] = 30;
  }
  std::vector<int> columns;
  char line[4096];
  bool in_function = false;
  size_t rows = 0, wrong = 0;
  while (std::fgets(line, sizeof line, pipe) != nullptr && wrong < 10) {
    std::vector<std::string> words;
    for (std::string_view word : split(trim(line), ' ')) {
      if (!word.empty()) { words.emplace_back(word); }
    }
    if (words.size() > 3 && words[3] == "FDE") {
      in_function = true;
      continue;
    }
    if (words.empty() || (words.size() > 3 && words[3] == "CIE")) {
      in_function = false;
      continue;
    }
    if (words[0] == "LOC") {
      columns.clear();
      for (size_t i = 2; i < words.size(); ++i) {
        columns.push_back(numbers.count(words[i]) ? static_cast<int>(numbers[words[i]]) : -1);
      }
      continue;
    }
    std::optional<uint64_t> svma = parse_u64(words[0], 16);
    if (!in_function || !svma || words[0].size() != 16 || words.size() != columns.size() + 2) { continue; }
    FrameRow row;
    ++rows;
    std::string got;
    bool right = cfi.find_row(*svma, row) && row.begin <= *svma;
    if (right) {
      std::string cfa = "exp";
      if (row.cfa.kind == CfaRule::Kind::kRegister) {
        for (auto& [name, number] : numbers) {
          if (number == row.cfa.reg() && name != "ra") { cfa = strf("%s%+ld", name.c_str(), static_cast<long>(row.cfa.offset)); }
        }
      }
      right = cfa == words[1];
      got = cfa;
      for (size_t i = 0; i < columns.size(); ++i) {
        if (columns[i] < 0) { continue; }
        std::string rule = rule_text(row.registers[static_cast<unsigned>(columns[i])]);
        got += " " + rule;
        // readelf prints registers by name.
        right &= rule == words[i + 2] || rule == "r";
      }
    }
    if (!right) {
      ++wrong;
      ADD_FAILURE() << path << ": " << line << "  here: " << got;
    }
  }
  ::pclose(pipe);
  if (rows == 0) { GTEST_SKIP() << "no readelf"; }
  EXPECT_GT(rows, 5000u);
}

TEST(Cfi, AgreesWithReadelf) { compare_with_readelf(kLibc); }
TEST(Cfi, AgreesWithReadelfForOtherCpu) { compare_with_readelf(kOtherLibc); }

}  // namespace
}  // namespace wick::elf
