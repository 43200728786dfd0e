// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/common/import_testing.h"
#include "import/json/json_formats.h"

namespace wick {
namespace {
using namespace testing_import;

const char kDhat[] = R"j({"dhatFileVersion":2,"mode":"heap","verb":"Allocated","bklt":true,"bkacc":true,"tu":"instrs",
"Mtu":"Minstr","cmd":"./dir/app -x","pid":77,"tg":5,"te":10,"pps":[{"tb":1000,"tbk":10,"tl":5,
"mb":100,"mbk":1,"gb":300,"gbk":3,"eb":0,"ebk":0,"rb":5,"wb":7,"fs":[1,2]},{"tb":24,"tbk":1,"gb":24,
"gbk":1,"eb":24,"ebk":1,"fs":[1,3,2]},{"tb":1,"tbk":1,"fs":[9]}],"ftbl":["[root]",
"0x48407B4: malloc (in /usr/lib/vg.so)","0x1091A0: main (app.c:12)","0x10: ???"]})j";

TEST(Dhat, ProgramPoints) {
  EXPECT_EQ(detected(kDhat), "dhat");
  Profile p = good(kDhatReader, kDhat);
  EXPECT_EQ(lines_of(p, "bytes"), (Lines{"main;[unknown+0x10];malloc 24/1", "main;malloc 1000/10"}));
  EXPECT_EQ(lines_of(p, "blocks"), (Lines{"main;[unknown+0x10];malloc 1/1", "main;malloc 10/10"}));
  EXPECT_EQ(lines_of(p, "bytes-at-peak"), (Lines{"main;[unknown+0x10];malloc 24/1", "main;malloc 300/3"}));
  EXPECT_EQ(lines_of(p, "bytes-at-end"), (Lines{"main;[unknown+0x10];malloc 24/1"}));
  EXPECT_EQ(p.text(p.processes()[0].name), "app");
  EXPECT_EQ(p.processes()[0].pid, 77u);
  const Frame* main = find_frame(p, "main");
  EXPECT_EQ(p.text(main->file), "app.c");
  EXPECT_EQ(main->line, 12u);
  EXPECT_EQ(main->address, 0x1091a0u);
  EXPECT_EQ(p.text(p[p[find_frame(p, "malloc")->function].module].name), "vg.so");
  EXPECT_EQ(warnings(p), "skipped 1 program point; program point 2: a frame is not in the table");
  expect_survives(kDhatReader, kDhat);
}

}  // namespace
}  // namespace wick
