// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "annotate/line_diff.h"

#include <gtest/gtest.h>

#include <map>

#include "base/text.h"
#include "model/profile_builder.h"

namespace wick {
namespace {

using Lines = std::vector<std::string>;

constexpr int64_t kSampleNs = 1'000'000;

// A side whose function has lines in files. Samples of 1 ms.
class Side {
 public:
  Side& line(const char* file, uint32_t line, uint64_t samples, uint32_t parent = LineNode::kNone, const char* function = "f") {
    Cost cost{static_cast<int64_t>(samples) * kSampleNs, samples};
    LineNode n{
        .parent = parent, .function = b_.string(function), .file = b_.string(file), .line = line, .own = cost, .self = cost};
    if (line == 0) { n.file = {}; }
    if (parent != LineNode::kNone) {
      n.depth = costs_.nodes[parent].depth + 1;
      for (uint32_t at = parent; at != LineNode::kNone; at = costs_.nodes[at].parent) { costs_.nodes[at].self += cost; }
    } else if (line != 0) {
      n.total = cost;
    }
    costs_.nodes.push_back(n);
    all_ += cost;
    return *this;
  }
  Side& source(const char* file, Lines lines, bool is_recorded = true) {
    sources_[file] = {std::move(lines), is_recorded};
    return *this;
  }

  LineDiffSide make() {
    profile_ = std::move(b_).build();
    return {profile_, costs_, [this](const std::string& file) {
              auto found = sources_.find(file);
              return found == sources_.end() ? VersionedLines{} : VersionedLines{&found->second.first, found->second.second};
            }};
  }
  Cost all() const { return all_; }

 private:
  ProfileBuilder b_;
  Profile profile_;
  LineCosts costs_;
  std::map<std::string, std::pair<Lines, bool>> sources_;
  Cost all_;
};

class LineDiffTest : public testing::Test {
 protected:
  // "3>4 text 10>11" per line; "!" after a change beyond noise, "?" if it is not judged.
  std::string compare(bool same_build = false, size_t context = 0) {
    diff_ = compute_line_diff(before_.make(), after_.make(),
                              {.builds = same_build ? Builds::kSame : Builds::kDifferent,
                               .context = context,
                               .before = before_.all(),
                               .after = after_.all()});
    std::string out;
    for (const LineDiffRow& row : diff_.rows) {
      out += std::string(row.depth, '>');
      switch (row.kind) {
        case LineDiffRow::Kind::kFile: out += "[" + row.file + "]"; break;
        case LineDiffRow::Kind::kGap: out += "..."; break;
        case LineDiffRow::Kind::kInlined: out += "(" + row.text + ")"; break;
        case LineDiffRow::Kind::kLine: out += strf("%u:%u ", row.before, row.after) + (row.has_text ? row.text : "-"); break;
      }
      if (row.cost != LineDiffRow::kNone) {
        const DiffRow& cost = diff_.table.rows[row.cost];
        out += strf(" %d>%d", static_cast<int>(cost.self.before.samples), static_cast<int>(cost.self.after.samples));
        bool changed = diff_.table.verdict(cost.self) != Change::kNoise;
        out += changed ? "!" : cost.comparable ? "" : "?";
      }
      out += "\n";
    }
    return out;
  }

  Side before_, after_;
  LineDiff diff_;
};

// Compared by number, every line would have changed.
TEST_F(LineDiffTest, LineAddedAtTheTop) {
  before_.source("x.c", {"a", "b", "c", "d"}).line("x.c", 1, 400).line("x.c", 2, 90).line("x.c", 3, 700);
  after_.source("x.c", {"new", "a", "b", "c", "d"}).line("x.c", 2, 400).line("x.c", 3, 91).line("x.c", 4, 690);
  EXPECT_EQ(compare(), "[x.c]\n1:2 a 400>400\n2:3 b 90>91\n3:4 c 700>690\n");
  EXPECT_EQ(diff_.notes, Lines{"the builds differ: lines are matched by their text"});
}

TEST_F(LineDiffTest, ReplacedLineIsTwoLines) {
  before_.source("x.c", {"a", "slow", "c"}).line("x.c", 1, 100).line("x.c", 2, 500);
  after_.source("x.c", {"a", "fast", "c"}).line("x.c", 1, 100).line("x.c", 2, 50);
  EXPECT_EQ(compare(), "[x.c]\n1:1 a 100>100\n2:0 slow 500>0!\n0:2 fast 0>50!\n");
}

// The file on disk is that of AFTER only: the text of BEFORE is unknown, though a file has its name.
TEST_F(LineDiffTest, EditedSourceIsNotThatOfBefore) {
  before_.source("x.c", {"new", "a", "b"}, false).line("x.c", 1, 500).line("x.c", 2, 100);
  after_.source("x.c", {"new", "a", "b"}).line("x.c", 2, 500).line("x.c", 3, 100);
  EXPECT_EQ(compare(), "[x.c]\n1:1 new 500>0?\n2:2 a 100>500?\n3:3 b 0>100?\n");
  ASSERT_EQ(diff_.notes.size(), 1u);
  EXPECT_NE(diff_.notes[0].find("by number and not judged in x.c (source may have changed since BEFORE"), std::string::npos);
}

TEST_F(LineDiffTest, SourceThatIsTooShortIsNotTheRecordedOne) {
  before_.source("x.c", {"a"}).line("x.c", 2, 500);
  after_.source("x.c", {"a", "b"}).line("x.c", 2, 100);
  EXPECT_EQ(compare(), "[x.c]\n2:2 b 500>100?\n");
}

TEST_F(LineDiffTest, LinesOfOneBuildAreTheSame) {
  before_.line("x.c", 7, 500).line("x.c", 9, 100);
  after_.source("x.c", {"edited"}, false).line("x.c", 7, 100).line("x.c", 9, 100);
  EXPECT_EQ(compare(true), "[x.c]\n7:7 - 500>100!\n9:9 - 100>100\n");
  EXPECT_TRUE(diff_.notes.empty());
}

TEST_F(LineDiffTest, InlinedFunctionsFollowTheirLine) {
  before_.source("x.c", {"a", "call"}).source("h.h", {"one", "two"});
  before_.line("x.c", 2, 0).line("h.h", 1, 100, 0, "g").line("h.h", 2, 300, 0, "g");
  after_.source("x.c", {"new", "a", "call"}).source("h.h", {"zero", "one", "two"});
  after_.line("x.c", 3, 0).line("h.h", 2, 101, 0, "g").line("h.h", 3, 900, 0, "g").line("h.h", 1, 60, 0, "other");
  EXPECT_EQ(compare(),
            "[x.c]\n2:3 call 400>1061!\n>(g) 400>1001!\n>1:2 one 100>101\n>2:3 two 300>900!\n>(other) 0>60!\n>0:1 zero 0>60!\n");
}

// Lines of an inlined function below a line that is only matched by number belong to different calls, perhaps.
TEST_F(LineDiffTest, CodeBelowAnUncertainLineIsNotJudged) {
  before_.source("h.h", {"one"}).line("x.c", 2, 0).line("h.h", 1, 100, 0, "g");
  after_.source("h.h", {"one"}).line("x.c", 2, 0).line("h.h", 1, 900, 0, "g");
  EXPECT_EQ(compare(), "[x.c]\n2:2 - 100>900?\n>(g) 100>900?\n>1:1 one 100>900?\n");
}

TEST_F(LineDiffTest, FilesInOtherDirectories) {
  before_.source("/old/src/x.c", {"a"}).source("/old/lib/x.c", {"b"}).line("/old/src/x.c", 1, 100).line("/old/lib/x.c", 1, 100);
  after_.source("/new/src/x.c", {"a"}).source("/new/lib/x.c", {"b"}).line("/new/src/x.c", 1, 100).line("/new/lib/x.c", 1, 100);
  EXPECT_EQ(compare(), "[/new/lib/x.c]\n1:1 b 100>100\n[/new/src/x.c]\n1:1 a 100>100\n");
}

TEST_F(LineDiffTest, RenamedFile) {
  before_.source("/src/x.c", {"a"}).line("/src/x.c", 1, 100);
  after_.source("/src/y.cc", {"new", "a"}).line("/src/y.cc", 2, 100);
  EXPECT_EQ(compare(), "[/src/y.cc]\n1:2 a 100>100\n");
}

// Without debug info on one side, all lines of the other would look new.
TEST_F(LineDiffTest, SideWithoutLines) {
  before_.line("", 0, 500);
  after_.source("x.c", {"a"}).line("x.c", 1, 500);
  EXPECT_EQ(compare(), "[x.c]\n1:1 a 0>500?\n[]\n0:0 - 500>0?\n");
  ASSERT_EQ(diff_.notes.size(), 1u);
  EXPECT_EQ(diff_.notes[0], "lines are not judged: BEFORE does not know the line of 100.0% of the function's code");
}

TEST_F(LineDiffTest, Context) {
  before_.source("x.c", {"1", "2", "3", "gone", "4", "5", "6", "7"}).line("x.c", 3, 100);
  after_.source("x.c", {"1", "2", "3", "4", "5", "6", "7"}).line("x.c", 3, 100).line("x.c", 7, 50);
  EXPECT_EQ(compare(false, 1), "[x.c]\n2:2 2\n3:3 3 100>100\n4:0 gone\n...\n7:6 6\n8:7 7 0>50!\n");
}

TEST_F(LineDiffTest, CostsAddUp) {
  before_.source("x.c", {"a", "b"}).line("x.c", 1, 10).line("x.c", 2, 20).line("x.c", 1, 5, 0, "g").line("", 0, 1);
  after_.source("x.c", {"b", "c"}).line("x.c", 1, 7).line("x.c", 2, 9);
  compare();
  Cost before, after;
  for (const LineDiffRow& row : diff_.rows) {
    if (row.kind != LineDiffRow::Kind::kLine || row.depth > 0 || row.cost == LineDiffRow::kNone) { continue; }
    before += diff_.table.rows[row.cost].self.before;
    after += diff_.table.rows[row.cost].self.after;
  }
  EXPECT_EQ(before.samples, 36u);
  EXPECT_EQ(after.samples, 16u);
}

}  // namespace
}  // namespace wick
