// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/view.h"

#include <gtest/gtest.h>

#include "import/import.h"
#include "view/view_testing.h"

namespace wick {
namespace {

using testing_view::Folder;
using testing_view::leaves;
using testing_view::request_of;
using testing_view::script_sample;

// Two threads, two events, three seconds.
std::string threads_and_events() {
  return script_sample("app", 100, 10, "cycles", {"hot", "run", "main"}) +
         script_sample("worker", 101, 11, "cycles", {"cold", "work", "start"}) +
         script_sample("app", 100, 12, "page-faults", {"touch", "run", "main"}) +
         script_sample("app", 100, 13, "cycles", {"late", "main"});
}

class ViewTest : public ::testing::Test {
 protected:
  std::string shown(const Filter& filter) {
    Result<View> view = load_view(request_of({file_}, filter));
    return view.ok() ? leaves(*view) : "error: " + view.error().message();
  }

  Folder folder_;
  std::string file_ = folder_.file("app.perf", threads_and_events());
};

TEST_F(ViewTest, SelectsByThreadEventRangeAndFunction) {
  EXPECT_EQ(shown({}), "hot cold late");
  EXPECT_EQ(shown({.thread = "worker"}), "cold");
  EXPECT_EQ(shown({.thread = "100"}), "hot late");
  EXPECT_EQ(shown({.event = "page-faults"}), "touch");
  EXPECT_EQ(shown({.focus = "^run$"}), "hot");
  EXPECT_EQ(shown({.ignore = "^run$"}), "cold late");
  EXPECT_EQ(shown({.thread = "app", .focus = "main", .ignore = "hot"}), "late");
  Filter range;
  ASSERT_TRUE(parse_range("1-2.5", range).ok());
  EXPECT_EQ(shown(range), "cold");
}

TEST_F(ViewTest, UnknownNamesGetSuggestions) {
  Result<View> thread = load_view(request_of({file_}, {.thread = "wroker"}));
  ASSERT_FALSE(thread.ok());
  EXPECT_EQ(thread.error().message(), "no thread \"wroker\" in this profile; did you mean worker?");
  EXPECT_EQ(thread.error().hint(), "wick report " + file_ + " --by thread") << "of this file, not of the default one";

  Result<View> event = load_view(request_of({file_}, {.event = "cycels"}));
  ASSERT_FALSE(event.ok());
  EXPECT_EQ(event.error().message(), "event \"cycels\" was not recorded (recorded: cycles, page-faults)");

  Result<const Reader*> format = parse_format("pprov");
  ASSERT_FALSE(format.ok());
  EXPECT_EQ(format.error().message(), "unknown format \"pprov\"; did you mean pprof?");
  EXPECT_EQ(format.error().code(), Errc::kUsage);
  EXPECT_EQ(*parse_format(""), nullptr);
  EXPECT_EQ(*parse_format("folded"), find_reader("folded"));
}

TEST_F(ViewTest, ErrorsNameTheFileWhereItIsNotClear) {
  ViewRequest request = request_of({file_}, {.event = "none"});
  auto message = [&](NamedInErrors named) {
    request.named_in_errors = named;
    return load_view(request).error().message();
  };
  EXPECT_TRUE(message(NamedInErrors::kNone).starts_with("event "));
  EXPECT_TRUE(message(NamedInErrors::kBadInput).starts_with("event "));
  EXPECT_TRUE(message(NamedInErrors::kAll).starts_with(file_ + ": event "));
  Error bad = Error("damaged").with_code(Errc::kBadInput);
  EXPECT_EQ(for_file(bad, request_of({file_})).message(), file_ + ": damaged");
  EXPECT_EQ(for_file(bad, request_of({"-"})).message(), "standard input: damaged");
  Error no_format = Error("no format").with_code(Errc::kUsage).with_hint("wick export --format pprof");
  EXPECT_EQ(for_file(no_format, request_of({file_})).hint(), "wick export " + file_ + " --format pprof");
}

TEST_F(ViewTest, AMissingFile) {
  Result<View> view = load_view(request_of({folder_.path("none.wick")}));
  ASSERT_FALSE(view.ok());
  EXPECT_EQ(view.error().code(), Errc::kNotFound);
  EXPECT_EQ(view.error().message(), "cannot open " + folder_.path("none.wick") + ": no such file or directory");
  EXPECT_EQ(view.error().hint(), "wick record -o " + folder_.path("none.wick") + " -- ./app");
  EXPECT_FALSE(load_view(request_of({file_, folder_.path("none.wick")})).ok()) << "one of several";
}

TEST_F(ViewTest, FilesAreAddedUp) {
  std::string other = folder_.file("other.perf", script_sample("app", 7, 1, "cycles", {"more", "main"}));
  Result<View> view = load_view(request_of({file_, other}));
  ASSERT_TRUE(view.ok()) << view.error().message();
  EXPECT_EQ(leaves(*view), "hot more cold late");
  EXPECT_EQ(view->selection.weight, 4);

  std::string faults = folder_.file("faults.perf", script_sample("app", 7, 1, "page-faults", {"touch", "main"}));
  Result<View> mixed = load_view(request_of({file_, faults}));
  ASSERT_FALSE(mixed.ok());
  EXPECT_EQ(mixed.error().message(), "cannot add " + faults + ": it counts page-faults, not cycles");
  EXPECT_EQ(mixed.error().code(), Errc::kUsage);
}

TEST_F(ViewTest, WarningsOfAllFilesAreCarried) {
  std::string one = folder_.file("one.folded", "main;a 3\nno count\n"),
              two = folder_.file("two.folded", "main;b 2\nnone\nhere\n");
  ViewRequest request = request_of({one, two});
  request.reader = find_reader("folded");
  Result<View> view = load_view(request);
  ASSERT_TRUE(view.ok()) << view.error().message();
  ASSERT_EQ(view->warnings().size(), 2u);
  EXPECT_NE(view->warnings()[0].find("is not a folded stack"), std::string::npos) << view->warnings()[0];
  EXPECT_NE(view->warnings()[1].find("are not folded stacks"), std::string::npos) << view->warnings()[1];
}

TEST_F(ViewTest, DescribesTheChoiceOfAnEvent) {
  Result<View> view = load_view(request_of({file_}));
  ASSERT_TRUE(view.ok());
  EXPECT_EQ(describe_event_choice(*view, {&view->selection.event, 1}), "showing cycles; also recorded: page-faults (1 sample)");
  EXPECT_EQ(describe_event_choice(*view, {}), "");
  Result<View> chosen = load_view(request_of({file_}, {.event = "cycles"}));
  ASSERT_TRUE(chosen.ok());
  EXPECT_EQ(describe_event_choice(*chosen, {&chosen->selection.event, 1}), "") << "by the user";
}

TEST_F(ViewTest, NamesAreWrittenAsAsked) {
  std::string file = folder_.file("names.perf", script_sample("app", 1, 1, "cycles", {"_ZN1a5innerIiEEvi", "main"}));
  ViewRequest request = request_of({file});
  for (auto [style, name] : {std::pair(NameStyle::kFull, "a::inner<int>(int)"), std::pair(NameStyle::kShort, "a::inner"),
                             std::pair(NameStyle::kRaw, "_ZN1a5innerIiEEvi")}) {
    request.names = style;
    Result<View> view = load_view(request);
    ASSERT_TRUE(view.ok());
    EXPECT_EQ(leaves(*view), name);
  }
}

TEST_F(ViewTest, CopiesShareTheProfile) {
  Result<View> view = load_view(request_of({file_}));
  ASSERT_TRUE(view.ok());
  View copy = *view;
  EXPECT_EQ(copy.profile.get(), view->profile.get());
}

}  // namespace
}  // namespace wick
