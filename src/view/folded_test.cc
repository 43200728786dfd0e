// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/folded.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace wick
