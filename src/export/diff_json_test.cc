// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/diff_json.h"

#include <gtest/gtest.h>

#include "model/testing.h"

namespace wick {
namespace {

using testing_profile::profile_of;

std::string json(const Profile& a, const Profile& b, bool normalized, GroupBy by = GroupBy::kFunction, size_t limit = 0) {
  Selection x = *select_samples(a), y = *select_samples(b);
  Result<Profile> both = combine_profiles(a, x, b, y);
  DiffTable table = compute_diff(*both, *select_sides(*both), normalized, by);
  return diff_json({"a.wick", a, x}, {"b \"2\".wick", b, y}, *both, table, "so", limit);
}

TEST(DiffJson, Functions) {
  std::string text = json(profile_of({"t;f 100"}), profile_of({"t;f 100", "t;g 100"}), false);
  EXPECT_EQ(
      text,
      "{\n"
      "\"before\":{\"file\":\"a.wick\",\"command\":[\"./app\",\"--size\",\"10\"],\"event\":\"cpu-clock\",\"duration_ns\":"
      "99000000,\"samples\":100,\"total\":100000000,\"lost\":0,\"lost_known\":true,\"warnings\":[]},\n"
      "\"after\":{\"file\":\"b \\\"2\\\".wick\",\"command\":[\"./app\",\"--size\",\"10\"],\"event\":\"cpu-clock\","
      "\"duration_ns\":199000000,\"samples\":200,\"total\":200000000,\"lost\":0,\"lost_known\":true,\"warnings\":[]},\n"
      "\"unit\":\"ns\",\n"
      "\"normalized\":false,\"scale\":2,\"why\":\"so\",\n"
      "\"notes\":[],\n\"warnings\":[],\n"
      "\"functions\":[\n"
      "{\"name\":\"g\",\"module\":\"app\",\"self\":{\"before\":0,\"after\":100000000,\"before_samples\":0,"
      "\"after_samples\":100,\"before_share\":0,\"after_share\":0.5,\"change\":100000000,\"share_change\":0.5,"
      "\"cost_noise\":6.867e-29,\"share_noise\":1.766e-21,\"verdict\":\"grew\"},\"total\":{\"before\":0,\"after\":100000000,"
      "\"before_samples\":0,\"after_samples\":100,\"before_share\":0,\"after_share\":0.5,\"change\":100000000,"
      "\"share_change\":0.5,\"cost_noise\":6.867e-29,\"share_noise\":1.766e-21,\"verdict\":\"grew\"}},\n"
      "{\"name\":\"f\",\"module\":\"app\",\"self\":{\"before\":100000000,\"after\":100000000,\"before_samples\":100,"
      "\"after_samples\":100,\"before_share\":1,\"after_share\":0.5,\"change\":0,\"share_change\":-0.5,\"cost_noise\":1,"
      "\"share_noise\":6.949e-17,\"verdict\":\"\"},\"total\":{\"before\":100000000,\"after\":100000000,"
      "\"before_samples\":100,\"after_samples\":100,\"before_share\":1,\"after_share\":0.5,\"change\":0,"
      "\"share_change\":-0.5,\"cost_noise\":1,\"share_noise\":6.949e-17,\"verdict\":\"\"}}\n"
      "]\n}\n");
}

TEST(DiffJson, OtherRowsAndLimits) {
  Profile a = profile_of({"main;f 10", "worker;f 20"}), b = profile_of({"main;f 10", "worker;f 90"});
  std::string text = json(a, b, true, GroupBy::kThread);
  EXPECT_NE(text.find("\"threads\":[\n{\"name\":\"main\",\"process\":\"main\",\"self\":{"), std::string::npos) << text;
  EXPECT_EQ(text.find("\"total\":{"), std::string::npos);
  text = json(a, b, false, GroupBy::kThread, 1);
  EXPECT_EQ(text.find("\"name\":\"main\""), std::string::npos);
  EXPECT_NE(text.find("\"name\":\"worker\""), std::string::npos);
}

}  // namespace
}  // namespace wick
