// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/btf.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wick {
namespace {

class Builder {
 public:
  uint32_t text(const std::string& name) {
    auto at = static_cast<uint32_t>(strings.size());
    strings += name + '\0';
    return at;
  }
  void word(uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) { types.push_back(static_cast<uint8_t>(value >> shift)); }
  }
  std::vector<uint8_t> build() const {
    Builder out;
    out.word(0x0001eb9f);
    for (uint32_t value : {24u, 0u, static_cast<uint32_t>(types.size()), static_cast<uint32_t>(types.size()),
                           static_cast<uint32_t>(strings.size())}) {
      out.word(value);
    }
    out.types.insert(out.types.end(), types.begin(), types.end());
    out.types.insert(out.types.end(), strings.begin(), strings.end());
    return out.types;
  }
  std::string strings = std::string(1, '\0');
  std::vector<uint8_t> types;
};

Builder sample() {
  Builder b;
  for (uint32_t value : {b.text("int"), 1u << 24, 4u, 32u}) { b.word(value); }
  for (uint32_t value : {b.text("other"), 4u << 24 | 1, 4u, b.text("pid"), 1u, 0u}) { b.word(value); }
  for (uint32_t value : {b.text("task_struct"), 1u << 31 | 4u << 24 | 2, 16u}) { b.word(value); }
  for (uint32_t value : {b.text("flags"), 1u, 3u << 24 | 5, b.text("pid"), 1u, 96u}) { b.word(value); }
  return b;
}

TEST(Btf, FindsMember) {
  std::vector<uint8_t> bytes = sample().build();
  EXPECT_EQ(find_btf_member(bytes, "task_struct", "pid"), 12u);
  EXPECT_EQ(find_btf_member(bytes, "other", "pid"), 0u);
  EXPECT_FALSE(find_btf_member(bytes, "task_struct", "flags")) << "a bit field has no byte offset";
  EXPECT_FALSE(find_btf_member(bytes, "task_struct", "pi"));
  EXPECT_FALSE(find_btf_member(bytes, "task", "pid"));
}

TEST(Btf, HandlesDamagedData) {
  std::vector<uint8_t> bytes = sample().build();
  for (size_t size = 0; size < bytes.size(); ++size) {
    std::vector<uint8_t> part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    find_btf_member(part, "task_struct", "pid");  // terminates without an overread
  }
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::vector<uint8_t> changed = bytes;
    changed[at] ^= 0xff;
    find_btf_member(changed, "task_struct", "pid");
  }
  EXPECT_FALSE(find_btf_member({}, "task_struct", "pid"));
}

}  // namespace
}  // namespace wick
