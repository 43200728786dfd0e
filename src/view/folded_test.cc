// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/folded.h"

#include <gtest/gtest.h>

#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/text.h"
#include "view/view_testing.h"

namespace wick {
namespace {

using testing_view::Folder;
using testing_view::request_of;
using testing_view::script_sample;

class FoldedViewTest : public ::testing::Test {
 protected:
  // The lines, or the error.
  std::string fold(const std::vector<std::string>& files, const FoldedQuery& query, const Filter& filter = {}) {
    std::optional<FoldedStacks> folded;
    for (const std::string& file : files) {
      Result<View> view = load_folded(request_of({file}, filter), query);
      if (!view.ok()) { return view.error().message(); }
      if (!folded) { folded.emplace(choose_folded_options(*view, query)); }
      Result<std::vector<EventId>> events = choose_folded_events(*view, query);
      if (!events.ok()) { return events.error().message(); }
      Status added = add_view(*folded, *view, *events);
      if (!added.ok()) { return added.error().message(); }
    }
    std::string text;
    folded->write([&](std::string_view piece) {
      text += piece;
      return true;
    });
    return text;
  }

  // The same by lines; nothing if frames are needed.
  std::optional<std::string> fold_lines(const std::vector<std::string>& files, const FoldedQuery& query = {},
                                        const Filter& filter = {}) {
    std::optional<FoldedFiles> found = find_folded_files(request_of(files, filter), files, query);
    if (!found) { return std::nullopt; }
    std::string text;
    found->lines.write(found->divisor, [&](std::string_view piece) {
      text += piece;
      return true;
    });
    return text;
  }

  Folder folder_;
  std::string script_ = folder_.file("a.perf", script_sample("app", 1, 1, "cycles:u", {"user", "main"}) +
                                                   script_sample("app", 1, 2, "cycles:k", {"system", "main"}) +
                                                   script_sample("app", 1, 3, "page-faults", {"touch", "main"}));
};

TEST_F(FoldedViewTest, OneEventUnlessOthersRulesAddThem) {
  EXPECT_EQ(fold({script_}, {}), "app;main;user 1\n");
  EXPECT_EQ(fold({script_}, {}, {.event = "page-faults"}), "app;main;touch 1\n");
  EXPECT_EQ(fold({script_}, {.event_filter = "cycles"}), "app;main;system 1\napp;main;user 1\n");
  EXPECT_EQ(fold({script_}, {.compat = Rules::kInferno}), "app;main;system 1\napp;main;user 1\n");
  EXPECT_EQ(fold({script_}, {.compat = Rules::kPerl}), "app;main;user 1\n");
  EXPECT_EQ(fold({script_}, {.event_filter = "cycels"}),
            "event \"cycels\" was not recorded (recorded: cycles:u, cycles:k, page-faults)");
}

TEST_F(FoldedViewTest, FilesAddUp) {
  std::string one = folder_.file("1.folded", "main;a 3\n"), two = folder_.file("2.folded", "main;a 1\nmain;b 2\n");
  EXPECT_EQ(fold({one, two}, {}), "main;a 4\nmain;b 2\n");
}

TEST_F(FoldedViewTest, TimesAreKeptForLaterSelections) {
  std::string sample = script_sample("app", 1, 1, "cycles", {"hot", "main"});
  ViewRequest request = request_of({folder_.file("twice.perf", sample + sample)});
  EXPECT_EQ(load_folded(request, {})->profile->samples().size(), 1u) << "added up while reading";
  request.keep_times = true;
  EXPECT_EQ(load_folded(request, {})->profile->samples().size(), 2u);
}

TEST_F(FoldedViewTest, ADifferenceHasTwoCounts) {
  std::string both = folder_.file("d.folded", "main;a 3 4\nmain;b 0 2\n");
  EXPECT_EQ(fold({both}, {}), "main;a 3 4\nmain;b 0 2\n");
  EXPECT_EQ(fold({both}, {}, {.event = "after"}), "main;a 4\nmain;b 2\n");
}

TEST_F(FoldedViewTest, LinesAreThoseOfFrames) {
  std::mt19937 random(7);
  const char* names[] = {"a", "a b", "a!", "ab", "b", "", "_ZN1a1bEv", "\xff", "\x01", "\xc3\xa4", "~", " x "};
  for (int round = 0; round < 30; ++round) {
    std::vector<std::string> files;
    for (const char* file : {"1.folded", "2.folded"}) {
      std::string text;
      for (int i = 0; i < 50; ++i) {
        text += "main";
        for (unsigned depth = random() % 5; depth > 0; --depth) { text += std::string(";") + names[random() % std::size(names)]; }
        text += strf(round % 2 == 0 ? " %u\n" : " %u.25\n", static_cast<unsigned>(random() % 9));
      }
      files.push_back(folder_.file(file, text));
    }
    ASSERT_EQ(fold_lines({files[0]}), fold({files[0]}, {}));
    ASSERT_EQ(fold_lines(files), fold(files, {}));
  }
  std::string large(1 << 17, 'x'), deep = "main";
  for (int i = 0; i < 100'000; ++i) { deep += ";f"; }
  std::string file = folder_.file("deep.folded", deep + " 1\n" + deep + " 2\nmain;f 3\n");
  EXPECT_EQ(fold_lines({file}), fold({file}, {}));
  EXPECT_EQ(fold_lines({folder_.file("large.folded", "main;" + large + " 1\n")}), std::nullopt) << "profiles shorten it";
}

TEST_F(FoldedViewTest, LinesAreNotEnough) {
  std::string file = folder_.file("1.folded", "main;a;a 3\nmain;b 1\n");
  EXPECT_EQ(fold_lines({file}), "main;a;a 3\nmain;b 1\n");
  EXPECT_EQ(fold_lines({file}, {.folded = {.recursive = true}}), std::nullopt);
  EXPECT_EQ(fold_lines({file}, {.folded = {.frames = {.skip_after = {"a"}}}}), std::nullopt);
  EXPECT_EQ(fold_lines({file}, {.compat = Rules::kInferno}), std::nullopt);
  EXPECT_EQ(fold_lines({file}, {.count = CountWhat::kSamples}), std::nullopt);
  EXPECT_EQ(fold_lines({file}, {.event_filter = "samples"}), std::nullopt);
  EXPECT_EQ(fold_lines({file}, {.fold_runtimes = true}), std::nullopt);
  EXPECT_EQ(fold_lines({file}, {}, {.focus = "b"}), std::nullopt);
  EXPECT_EQ(fold_lines({file}, {}, {.event = "samples"}), std::nullopt);
  EXPECT_EQ(fold_lines({script_}), std::nullopt);
  EXPECT_EQ(fold_lines({file, folder_.file("2.folded", "main 0.5\n")}), std::nullopt) << "another precision";
  EXPECT_EQ(fold_lines({folder_.file("3.folded", "main;a 1\nnonsense\n")}), std::nullopt) << "a warning";
  EXPECT_EQ(fold_lines({folder_.file("4.folded", "main;a 1 2\n")}), std::nullopt) << "a difference";
  std::string much = "9000000000000000000\n";
  EXPECT_EQ(fold_lines({folder_.file("5.folded", "main;a " + much + "main;b " + much)}), std::nullopt) << "too much";
}

}  // namespace
}  // namespace wick
