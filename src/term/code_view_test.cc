// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "term/code_view.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"

namespace wick {
namespace {

const Style kPlain{.unicode = true};

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(FunctionLine, SaysInlinedCodeOnlyIfThereIsAny) {
  FunctionCode code;
  code.name = "ns::parse(std::string const&)";
  code.module = "app";
  CodeCosts costs;
  costs.self = {802, 802};
  costs.code = {981, 981};
  costs.total = {999, 999};
  EXPECT_EQ(render_function_line(code, costs, {1000, 1000}, kPlain),
            "ns::parse(std::string const&)  app  80.2% self, 98.1% with inlined code, 99.9% total\n");
  EXPECT_EQ(render_function_line(code, costs, {1000, 1000}, {.unicode = true, .width = 70}),
            "ns::parse(…)  app  80.2% self, 98.1% with inlined code, 99.9% total\n");
  costs.code = costs.self;
  EXPECT_EQ(render_function_line(code, costs, {1000, 1000}, kPlain),
            "ns::parse(std::string const&)  app  80.2% self, 99.9% total\n");
}

class CodeViewTest : public testing::Test {
 protected:
  CodeViewTest() {
    code_.sources = {
        {"/a/long/way/to/the/source/of/this/a.c", 6, {"", "\tcall_it(now);  ", "// 函数函数函数函数函数函数函数函数函数函数"}}};
    CodeInstruction i;
    i.machine = {.address = 0x1000, .size = 5, .kind = elf::Instruction::Kind::kCall, .target = 0x2000, .text = "call 0x2000"};
    i.called = "some::very::long::name::of::a::function::that::does::not::fit";
    i.file = code_.sources[0].file;
    i.line = 7;
    code_.instructions = {i};
  }
  std::string render(const CodeViewOptions& options, const Style& style) {
    std::vector<CodeRow> rows = compute_code_rows(code_);
    std::vector<RowCost> costs(rows.size());
    for (size_t r = 0; r < rows.size(); ++r) {
      if (rows[r].kind == CodeRow::Kind::kInstruction || rows[r].line == 7) { costs[r] = {{5, 5}, Cost{10, 10}}; }
    }
    return render_code(code_, rows, costs, {10, 10}, options, style);
  }

  FunctionCode code_;
};

TEST_F(CodeViewTest, CutsToTheWidth) {
  for (bool unicode : {true, false}) {
    for (bool color : {true, false}) {
      for (bool source : {true, false}) {
        for (int width : {5, 20, 40, 60}) {
          Style style{.terminal = true, .color = color, .unicode = unicode, .width = width};
          std::string shown = render({.source = source}, style);
          for (std::string_view line : split(shown, '\n')) {
            std::string plain;
            for (size_t i = 0; i < line.size(); ++i) {
              if (line[i] == '\x1b') {
                i = line.find('m', i);
              } else {
                plain += line[i];
              }
            }
            EXPECT_TRUE(display_width(plain) <= width || has(plain, "SELF")) << width << ": " << plain;
            EXPECT_FALSE(plain.ends_with(' ')) << '"' << plain << '"';
            bool is_ascii = std::all_of(plain.begin(), plain.end(), [](char c) { return static_cast<unsigned char>(c) < 128; });
            EXPECT_TRUE(unicode || source || is_ascii) << plain;
          }
        }
      }
    }
  }
}

TEST_F(CodeViewTest, KeepsTheEndsThatMatter) {
  Style style{.terminal = true, .unicode = true, .width = 60};
  std::string shown = render({}, style);
  EXPECT_TRUE(has(shown, "a.c\n") && has(shown, "…")) << shown;
  EXPECT_TRUE(has(shown, "::fit>\n")) << shown;
  EXPECT_TRUE(has(shown, " 50.0% 100.0%       7          call_it(now);\n")) << shown;
  std::string whole = render({}, kPlain);
  EXPECT_TRUE(has(whole, "/a/long/way/to/the/source/of/this/a.c\n") && has(whole, "函数函数函数函数函数函数函数函数函数函数\n"))
      << whole;
  EXPECT_TRUE(has(whole, "call 0x2000 <some::very::long::name::of::a::function::that::does::not::fit>\n")) << whole;
}

TEST_F(CodeViewTest, ContextIsInLines) {
  code_.sources[0].lines.insert(code_.sources[0].lines.end(), {"nine", "ten", "eleven"});
  auto shown_with = [&](size_t context) {
    std::string shown = render({.instructions = false, .context = context}, kPlain);
    return std::string(has(shown, "     6\n") ? "6" : "") + (has(shown, "     8  //") ? "8" : "") +
           (has(shown, "nine") ? "9" : "") + (has(shown, "eleven") ? "11" : "");
  };
  EXPECT_EQ(shown_with(0), "");
  EXPECT_EQ(shown_with(1), "68");
  EXPECT_EQ(shown_with(2), "689");
  EXPECT_EQ(shown_with(SIZE_MAX), "68911");
}

TEST_F(CodeViewTest, AssemblyNamesTheContainer) {
  code_.instructions[0].container = "outer(int)";
  EXPECT_TRUE(has(render({.source = false}, kPlain), "a.c:7  (in outer)\n")) << render({.source = false}, kPlain);
}

TEST_F(CodeViewTest, NothingToShow) {
  code_ = {};
  EXPECT_EQ(render({}, kPlain), "");
  EXPECT_EQ(render({.source = false}, kPlain), "");
}

}  // namespace
}  // namespace wick
