// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/exported.h"

#include <gtest/gtest.h>

#include "view/view_testing.h"

namespace wick {
namespace {

using testing_view::Folder;
using testing_view::request_of;
using testing_view::script_sample;

TEST(Exported, AllEventsWhereTheFormatHasRoom) {
  Folder folder;
  std::string file = folder.file("a.perf", script_sample("app", 1, 1, "cycles", {"hot", "main"}) +
                                               script_sample("app", 1, 2, "page-faults", {"touch", "main"}));
  auto count = [&](const char* format_name, const Filter& filter) {
    const ExportFormat* format = find_export_format(format_name);
    Result<View> view = load_exported(request_of({file}, filter), *format);
    EXPECT_TRUE(view.ok());
    Result<ExportView> exported = choose_exported(*view, *format);
    EXPECT_TRUE(exported.ok());
    return exported->selections.size();
  };
  EXPECT_EQ(count("pprof", {}), 2u);
  EXPECT_EQ(count("pprof", {.event = "cycles"}), 1u) << "the chosen one";
  EXPECT_EQ(count("folded", {}), 1u);
}

TEST(Exported, BothSidesOfADifference) {
  Folder folder;
  const ExportFormat* format = find_export_format("folded");
  Result<View> view = load_exported(request_of({folder.file("d.folded", "main;a 3 4\n")}), *format);
  ASSERT_TRUE(view.ok());
  Result<ExportView> exported = choose_exported(*view, *format);
  ASSERT_TRUE(exported.ok());
  ASSERT_EQ(exported->selections.size(), 2u);
  EXPECT_EQ(exported->selections[0].weight, 3);
  EXPECT_EQ(exported->selections[1].weight, 4);
}

}  // namespace
}  // namespace wick
