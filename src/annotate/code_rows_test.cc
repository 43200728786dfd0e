// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "annotate/code_rows.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace wick {
namespace {

CodeInstruction instruction(uint64_t address, const char* file, uint32_t line, std::vector<InlinedCall> inlined = {}) {
  CodeInstruction i;
  i.machine.address = address;
  i.machine.size = 4;
  i.file = file;
  i.line = line;
  i.inlined = std::move(inlined);
  return i;
}

// One line per row: its depth as blanks, then what it is.
std::string text(const FunctionCode& code) {
  std::string out;
  for (const CodeRow& row : compute_code_rows(code)) {
    out += std::string(row.depth, ' ');
    switch (row.kind) {
      case CodeRow::Kind::kFile: out += "file " + *row.file; break;
      case CodeRow::Kind::kLine: out += strf("%u %s", row.line, row.text != nullptr ? row.text->c_str() : "?"); break;
      case CodeRow::Kind::kInlined: out += "inlined " + *row.text + " " + *row.file; break;
      case CodeRow::Kind::kInstruction:
        out += strf("0x%llx", static_cast<unsigned long long>(code.instructions[row.instruction].machine.address));
        break;
      case CodeRow::Kind::kGap: out += "…"; break;
    }
    out += '\n';
  }
  return out;
}

TEST(CodeRows, LinesWithTheirInstructions) {
  FunctionCode code;
  code.sources = {{"a.cc", 1, {"int f() {", "  loop", "}"}}, {"a.cc", 20, {"tail"}}};
  code.instructions = {instruction(0x10, "a.cc", 1), instruction(0x14, "a.cc", 2), instruction(0x18, "a.cc", 1),
                       instruction(0x1c, "a.cc", 20)};
  EXPECT_EQ(text(code), "file a.cc\n1 int f() {\n0x10\n0x18\n2   loop\n0x14\n3 }\n…\n20 tail\n0x1c\n");
}

TEST(CodeRows, InlinedFunctionsAreInPlace) {
  FunctionCode code;
  code.sources = {{"a.cc", 1, {"call g"}}, {"b.h", 7, {"g calls h"}}};
  InlinedCall g{"g", "a.cc", 1}, h{"h", "b.h", 7};
  code.instructions = {instruction(0x10, "a.cc", 1), instruction(0x14, "b.h", 7, {g}), instruction(0x18, "c.h", 9, {g, h}),
                       instruction(0x1c, "b.h", 8, {g})};
  EXPECT_EQ(text(code),
            "file a.cc\n1 call g\n0x10\n inlined g b.h\n 7 g calls h\n 0x14\n  inlined h c.h\n  9 ?\n  0x18\n 8 ?\n 0x1c\n");
}

TEST(CodeRows, InstructionsWithoutLineHaveNoFile) {
  FunctionCode code;
  code.sources = {{"a.rs", 1, {"call g"}}};
  InlinedCall g{"g", "a.rs", 1};
  code.instructions = {instruction(0x10, "a.rs", 1), instruction(0x14, "a.rs", 0, {g}), instruction(0x18, "b.rs", 7, {g}),
                       instruction(0x1c, "b.rs", 0)};
  EXPECT_EQ(text(code), "file a.rs\n0 ?\n0x1c\n1 call g\n0x10\n inlined g b.rs\n 0 ?\n 0x14\n 7 ?\n 0x18\n");
}

TEST(CodeRows, RowsEndBehindWhatBelongsToThem) {
  FunctionCode code;
  code.instructions = {instruction(0x10, "a.cc", 1), instruction(0x14, "b.h", 7, {{"g", "a.cc", 1}}),
                       instruction(0x18, "a.cc", 2)};
  std::vector<CodeRow> rows = compute_code_rows(code);
  ASSERT_EQ(rows.size(), 8u) << text(code);
  EXPECT_EQ(rows[1].line, 1u);
  EXPECT_EQ(rows[1].end, 6u) << "its instruction and g";
  EXPECT_EQ(rows[3].kind, CodeRow::Kind::kInlined);
  EXPECT_EQ(rows[3].end, 6u);
  EXPECT_EQ(rows[6].end, 8u);
}

TEST(CodeRows, SampledLinesWithoutSource) {
  FunctionCode code;
  code.lines = {{"a.cc", 3}, {"b.h", 7}};
  EXPECT_EQ(text(code), "file a.cc\n3 ?\nfile b.h\n7 ?\n");
  code.instructions = {instruction(0x10, "a.cc", 3)};
  EXPECT_EQ(text(code), "file a.cc\n3 ?\n0x10\nfile b.h\n7 ?\n");
  code.sources = {{"a.cc", 2, {"x", "y"}}};
  EXPECT_EQ(text(code), "file a.cc\n2 x\n3 y\n0x10\nfile b.h\n7 ?\n");
}

TEST(CodeRows, NoSourceAndNoInstructions) {
  FunctionCode code;
  EXPECT_EQ(text(code), "");
  code.sources = {{"a.cc", 3, {"x"}}};
  EXPECT_EQ(text(code), "file a.cc\n3 x\n");
  FunctionCode bare;
  bare.instructions = {instruction(0x10, "", 0), instruction(0x14, "", 0)};
  EXPECT_EQ(text(bare), "file \n0 ?\n0x10\n0x14\n");
}

}  // namespace
}  // namespace wick
