// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/json/json.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

namespace wick {
namespace {

std::string error_of(std::string_view text) {
  JsonDocument document;
  Status status = document.check(text);
  return status.ok() ? "" : status.error().message();
}

TEST(Json, VisitsMembersAndItems) {
  JsonDocument d;
  std::string text = R"j( {"a": [1, -2.5, "x\n\u00e9\ud83d\ude00", true, false, null, {}, []], "b": {"c": {"d": 7}}, "b": 9} )j";
  ASSERT_TRUE(d.check(text).ok());
  JsonValue root = d.root(), item;
  EXPECT_TRUE(root.is_object());
  EXPECT_EQ(root.count(), 3u);
  EXPECT_EQ(root["a"].count(), 8u);
  EXPECT_EQ(root["b"]["c"]["d"].integer(), 7);  // the first of two
  EXPECT_FALSE(root["none"]["at"]["all"].present());
  EXPECT_EQ(root["none"].text(), "");
  JsonValue::Walk walk = root["a"].items();
  ASSERT_TRUE(walk.next(item));
  EXPECT_EQ(item.integer(), 1);
  EXPECT_EQ(item.text(), "");
  ASSERT_TRUE(walk.next(item));
  EXPECT_EQ(item.number(), -2.5);
  EXPECT_EQ(item.scaled(3), -2500);
  ASSERT_TRUE(walk.next(item));
  EXPECT_EQ(item.text(), "x\n\xc3\xa9\xf0\x9f\x98\x80");
  EXPECT_FALSE(item.integer());
  ASSERT_TRUE(walk.next(item));
  EXPECT_TRUE(item.is_true());
}

TEST(Json, LongContainersAreSkippedByTheTable) {
  std::string text = "{\"long\": [", inner;
  for (int i = 0; i < 3000; ++i) { inner += (i ? ",[\"]}\\\"\"," : "[0,") + std::to_string(i) + "]"; }
  text += inner + "], \"after\": {\"x\": 1}}";
  JsonDocument d;
  ASSERT_TRUE(d.check(text).ok());
  EXPECT_EQ(d.root()["after"]["x"].integer(), 1);
  EXPECT_EQ(d.root()["long"].count(), 3000u);
}

TEST(Json, ErrorsNameThePlace) {
  EXPECT_EQ(error_of("{\"a\": 1"), "byte 7: expected \",\" or \"}\", but the JSON text ends");
  EXPECT_EQ(error_of("{\"a\" 1}"), "byte 5: invalid JSON: expected \":\"");
  EXPECT_EQ(error_of("[1,]"), "byte 3: invalid JSON: expected a value");
  EXPECT_EQ(error_of("[1] x"), "byte 4: expected the end of the file after the JSON value");
  EXPECT_EQ(error_of("[\"\\q\"]"), "byte 3: invalid JSON: expected an escape");
  EXPECT_EQ(error_of("[1.]"), "byte 3: invalid JSON: expected a digit");
  EXPECT_EQ(error_of(""), "byte 0: expected a value, but the JSON text ends");
  EXPECT_EQ(error_of("{\"a\":1,}"), "byte 7: invalid JSON: expected a string");
  EXPECT_EQ(error_of("[}"), "byte 1: invalid JSON: expected a value");
  EXPECT_EQ(error_of("tru"), "byte 0: expected a value, but the JSON text ends");
}

TEST(Json, RejectsDeepNesting) {
  EXPECT_EQ(error_of(std::string(5'000'000, '[')), "byte 1000: invalid JSON: expected no more than 1000 levels");
  EXPECT_EQ(error_of(std::string(900, '[') + std::string(900, ']')), "");
}

TEST(Json, OpenEndOnlyIfRequested) {
  JsonDocument d;
  std::string text = R"j([{"a":1},{"a":2},{"a":)j";
  EXPECT_FALSE(d.check(text).ok());
  ASSERT_TRUE(d.check(text, true).ok());
  EXPECT_TRUE(d.was_cut());
  EXPECT_EQ(d.root().count(), 2u);
  text = R"j({"x":0,"traceEvents":[{"a":1},{"a":2},)j";
  ASSERT_TRUE(d.check(text, true).ok());
  EXPECT_EQ(d.root()["traceEvents"].count(), 2u);
  EXPECT_FALSE(d.check("[1,x", true).ok());  // an error, not an early end
}

TEST(Json, DecimalsAreExact) {
  auto scaled = [](std::string_view text, int digits) { return scale_decimal(text, digits).value_or(-77); };
  EXPECT_EQ(scaled("1234.000567", 6), 1234000567);
  EXPECT_EQ(scaled("0.30000000000000004", 6), 300000);
  EXPECT_EQ(scaled("1e3", 0), 1000);
  EXPECT_EQ(scaled("1.5E+3", 3), 1500000);
  EXPECT_EQ(scaled("25e-1", 0), 3);
  EXPECT_EQ(scaled("-0.5", 0), -1);
  EXPECT_EQ(scaled("9223372036854775807", 0), INT64_MAX);
  EXPECT_EQ(scaled("9223372036854775808", 0), -77);
  EXPECT_EQ(scaled("1e400000000000", 0), -77);
  EXPECT_EQ(scaled("1e-400000000000", 0), 0);
  EXPECT_EQ(scaled("12345678901234567890123.5", 0), -77);
  EXPECT_EQ(scaled("1786350000000.123456789123", 6), 1786350000000123457);
}

TEST(Json, SurvivesAnyBytes) {
  std::string text = R"j({"a":[1,2.5e3,"q\"\\\u1234"],"b":{"c":[[],{}]},"d":null,"e":true})j";
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    std::string damaged = text;
    for (unsigned n = 0; n < 1 + random() % 4; ++n) { damaged[random() % damaged.size()] = "{}[],:\"\\u01e.-tn "[random() % 17]; }
    damaged.resize(random() % 5 ? damaged.size() : random() % damaged.size());
    std::unique_ptr<char[]> exact(new char[damaged.size()]);
    std::copy(damaged.begin(), damaged.end(), exact.get());
    JsonDocument d;
    if (!d.check({exact.get(), damaged.size()}, i % 2 == 0).ok()) { continue; }
    JsonValue item;
    JsonValue::Member member;
    for (JsonValue::Walk walk = d.root().members(); walk.next(member);) {
      (void)member.value.text();
      (void)member.value.number();
      for (JsonValue::Walk in = member.value.items(); in.next(item);) { (void)item.text(); }
    }
  }
}

}  // namespace
}  // namespace wick
