// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/json_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace wick {
namespace {

TEST(JsonWriter, AddsCommasAndBrackets) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("a").value(1).key("b").begin_array().value("x").value(true).begin_object().end_object().end_array();
  json.key("c").value(-5).key("d").value(0.25).end_object();
  EXPECT_EQ(out, R"({"a":1,"b":["x",true,{}],"c":-5,"d":0.25})");
}

TEST(JsonWriter, Numbers) {
  std::string out;
  JsonWriter json(out);
  json.begin_array()
      .value(INT64_MIN)
      .value(UINT64_MAX)
      .value(1e300)
      .value(std::nan(""))
      .value(std::numeric_limits<double>::infinity())
      .end_array();
  EXPECT_EQ(out, "[-9223372036854775808,18446744073709551615,1e+300,null,null]");
}

TEST(JsonWriter, LineBreaks) {
  std::string out;
  JsonWriter json(out);
  json.begin_array().line().value(1).line().value(2).line().end_array();
  EXPECT_EQ(out, "[\n1,\n2\n]");
}

TEST(JsonString, Escapes) {
  auto text = [](std::string_view in) {
    std::string out;
    append_json_string(out, in);
    return out;
  };
  EXPECT_EQ(text("plain<T>&"), "\"plain<T>&\"");
  EXPECT_EQ(text("a\"b\\c\n\t"), R"("a\"b\\c\n\t")");
  EXPECT_EQ(text(std::string_view("\0\x1f\x7f", 3)), R"("\u0000\u001f\u007f")");
  EXPECT_EQ(text("\xff"
                 "a\xc3"),
            "\"\xef\xbf\xbd"
            "a\xef\xbf\xbd\"");
  EXPECT_EQ(text("größe 🔥"), "\"größe 🔥\"");
  EXPECT_EQ(text("\xe2\x80\xa8\xef\xbf\xbf"), R"("\u2028\uffff")");
}

}  // namespace
}  // namespace wick
