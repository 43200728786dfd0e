// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/annotated.h"

#include <gtest/gtest.h>

#include "view/view_testing.h"

namespace wick {
namespace {

using testing_view::Folder;
using testing_view::request_of;
using testing_view::script_sample;

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string samples() {
  return script_sample("app", 1, 1, "cycles", {"hot", "main"}) + script_sample("app", 1, 2, "cycles", {"hot", "main"}) +
         script_sample("app", 1, 3, "cycles", {"hatch", "main"});
}

TEST(Annotated, TheHottestFunctionByDefault) {
  Folder folder;
  ViewRequest request = request_of({folder.file("a.perf", samples())});
  Result<Annotated> shown = load_annotated(request, {});
  ASSERT_TRUE(shown.ok()) << shown.error().message();
  EXPECT_EQ(shown->code.name, "hot");
  EXPECT_EQ(shown->costs.self.weight, 2);
  EXPECT_EQ(shown->costs.code.weight, 2);
  std::string json = annotated_json(*shown);
  EXPECT_TRUE(has(json, R"("function":"hot","module":"app",)")) << json;
  EXPECT_TRUE(has(json, R"("samples":3,"total":3,)")) << json;
  EXPECT_TRUE(has(json, R"("function_self":2,"function_code":2,"function_total":2,)")) << json;
  EXPECT_TRUE(has(json, R"("notes":["no instructions: wick shows them only for its recordings and perf.data",)")) << json;
}

TEST(Annotated, FunctionsThatAreNotFound) {
  Folder folder;
  std::string file = folder.file("a.perf", samples());
  Result<Annotated> several = load_annotated(request_of({file}), {.function = "h"});
  ASSERT_FALSE(several.ok());
  EXPECT_TRUE(has(several.error().message(), "matches 2 functions: hot, hatch")) << several.error().message();
  EXPECT_TRUE(has(several.error().hint(), "wick annotate hot")) << several.error().hint();
  EXPECT_FALSE(load_annotated(request_of({file}), {.function = "cold"}).ok());
  EXPECT_FALSE(load_annotated(request_of({file}, {.ignore = "."}), {}).ok()) << "no samples";
}

}  // namespace
}  // namespace wick
