// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/code.h"

#include <gtest/gtest.h>

#include "model/profile_builder.h"

namespace wick {
namespace {

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(Code, RowsInstructionsAndNotes) {
  FunctionCode code;
  code.name = "f";
  code.module = "app";
  code.sources = {{"a.c", 7, {"g(\"x\");"}}};
  CodeInstruction inlined, call, jump;
  inlined.machine = {.address = 16, .size = 1, .kind = elf::Instruction::Kind::kOther, .target = {}, .text = "nop"};
  inlined.bytes = "90";
  inlined.file = "b.h";
  inlined.line = 3;
  inlined.inlined = {{"g", "a.c", 7}};
  call.machine = {.address = 17, .size = 5, .kind = elf::Instruction::Kind::kCall, .target = 64, .text = "call 0x40"};
  call.called = "h";
  call.file = "a.c";
  call.line = 7;
  jump.machine = {.address = 22, .size = 2, .kind = elf::Instruction::Kind::kJump, .target = 16, .text = "jmp 0x10"};
  jump.file = "a.c";
  jump.line = 7;
  code.instructions = {inlined, call, jump};
  code.notes = {"source file not found: b.h"};
  std::string json = code_json(code);
  EXPECT_TRUE(has(json, R"("name":"f","module":"app",)"));
  EXPECT_TRUE(has(json, R"({"kind":"line","depth":0,"line":7,"instruction":0,"end":7,"file":"a.c","text":"g(\"x\");"})")) << json;
  EXPECT_TRUE(has(json, R"({"kind":"line","depth":1,"line":3,"instruction":0,"end":5,"file":"b.h","text":null})")) << json;
  EXPECT_TRUE(has(json, R"({"kind":"inlined","depth":1,)")) << json;
  EXPECT_TRUE(has(json, R"({"address":16,"size":1,"bytes":"90","text":"nop","target":-1})")) << json;
  EXPECT_TRUE(has(json, R"("text":"call 0x40 <h>","target":-1})")) << "only jumps within the function have an arrow";
  EXPECT_TRUE(has(json, R"("text":"jmp 0x10","target":16})")) << json;
  EXPECT_TRUE(has(json, R"("notes":["source file not found: b.h"])")) << json;
}

TEST(Code, Nothing) {
  std::string json = code_json({});
  EXPECT_TRUE(has(json, R"("rows":[])")) << json;
  EXPECT_TRUE(has(json, R"("instructions":[])")) << json;
}

TEST(Code, SaysIfThereAreSeveralBuilds) {
  for (bool differ : {false, true}) {
    ProfileBuilder b;
    for (const char* build : {"aa", "bb"}) {
      b.frame({.function = b.function("f", {}, b.module("/bin/app", differ ? build : "aa")), .address = 16});
    }
    Profile profile = std::move(b).build();
    CodeReader reader(profile, {});
    std::string json = code_json(read_page_code(reader, {0}));
    EXPECT_EQ(has(json, "several builds of app"), differ) << json;
  }
}

}  // namespace
}  // namespace wick
