// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/option_names.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "base/text.h"
#include "cli/command.h"

namespace wick {
namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view line) {
  Words out;
  for (std::string_view word : split(line, ' ')) { out.emplace_back(word); }
  return out;
}

// The completed command line, separated by spaces, or the error message.
std::string completed(const char* command, std::string_view line) {
  CLI::App app;
  Run run = std::string_view(command) == "flamegraph" ? add_flamegraph_command(app)
            : std::string_view(command) == "collapse" ? add_collapse_command(app)
            : std::string_view(command) == "diff"     ? add_diff_command(app)
            : std::string_view(command) == "record"   ? add_record_command(app)
                                                      : add_report_command(app);
  Result<Words> words = complete_options(app, option_names(command), words_of(line));
  if (!words.ok()) { return words.error().message(); }
  std::string out;
  for (const std::string& word : *words) { out += (out.empty() ? "" : " ") + word; }
  return out;
}

TEST(OptionNames, UniquePrefixes) {
  EXPECT_EQ(completed("report", "--lim 5 --tr x.wick"), "--limit 5 --tree x.wick");
  EXPECT_EQ(completed("report", "--call=main --b line"), "--callers=main --by line");
  EXPECT_EQ(completed("flamegraph", "--inv --min 3 --font-t Verdana"), "--inverted --minwidth 3 --font-type Verdana");
  EXPECT_EQ(completed("record", "--dur 3 -- ./app --dur"), "--duration 3 -- ./app --dur");
}

// Scripts write --subtitle="$X".
TEST(OptionNames, EmptyValuesAreSeparateWords) {
  EXPECT_EQ(completed("flamegraph", "--title= --subtitle= x.folded"), "--title  --subtitle  x.folded");
  EXPECT_EQ(completed("flamegraph", "--titl= --notes=a= x.folded"), "--title  --notes=a= x.folded");
}

TEST(OptionNames, AmbiguousIsAnErrorUnknownIsKept) {
  EXPECT_EQ(completed("report", "--t"), "ambiguous option --t: --tree, --thread");
  EXPECT_EQ(completed("flamegraph", "--font 3"), "ambiguous option --font: --fonttype, --fontsize, --fontwidth");
  EXPECT_EQ(completed("report", "--nonsense -x --"), "--nonsense -x --");
}

TEST(OptionNames, FullNamesWin) {
  EXPECT_EQ(completed("collapse", "--event cycles --event-f cycles"), "--event cycles --event-filter cycles");
  EXPECT_EQ(completed("diff", "--color never --colors red-blue"), "--color never --colors red-blue");
}

TEST(OptionNames, NamesOfFlamegraphPlWin) {
  EXPECT_EQ(completed("flamegraph", "--color=java --ran --no hello"), "--colors=java --random --notes hello");
  EXPECT_EQ(completed("flamegraph", "--colord --rang 1-2"), "--colordiffusion --range 1-2");
  EXPECT_EQ(completed("collapse", "--in --kern"), "--inline --kernel");
}

TEST(OptionNames, OneDashUnlessAShortOption) {
  EXPECT_EQ(completed("flamegraph", "-title x -width=800 -cp -color mem -colors=io -invert"),
            "--title x --width=800 --cp --colors mem --colors=io --inverted");
  EXPECT_EQ(completed("flamegraph", "-chot -c java -i -qv -oout.svg -iq"), "-chot -c java -i -qv -oout.svg -iq");
  EXPECT_EQ(completed("collapse", "-pid -all -n4 -vq"), "--pid --all -n4 -vq");
  EXPECT_EQ(completed("diff", "-normalize a b"), "--normalize a b");
  EXPECT_EQ(completed("report", "-tree"), "-tree");
}

TEST(OptionNames, CaseDoesNotMatter) {
  EXPECT_EQ(completed("flamegraph", "--Colors=java --INV -Title X"), "--colors=java --inverted --title X");
  EXPECT_EQ(completed("collapse", "--KERNEL"), "--kernel");
  EXPECT_EQ(completed("report", "--Tree"), "--Tree");
}

TEST(OptionNames, ValuesAreKept) {
  EXPECT_EQ(completed("flamegraph", "--title --inv -o --hash --sub -title"), "--title --inv -o --hash --subtitle -title");
  EXPECT_EQ(completed("flamegraph", "-qo --inv --inv"), "-qo --inv --inverted");
  EXPECT_EQ(completed("flamegraph", "-- --inv"), "-- --inv");
  EXPECT_EQ(completed("record", "./app --dur"), "./app --dur");
}

}  // namespace
}  // namespace wick
