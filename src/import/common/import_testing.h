// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: reads a text and shows the profile as lines.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "import/import.h"
#include "model/profile_builder.h"

namespace wick::testing_import {

// The text in a buffer of exactly its size, so that ASan detects reads beyond it.
inline Result<Profile> read(const Reader& reader, std::string_view text, const ImportOptions& options = {}) {
  std::unique_ptr<uint8_t[]> exact(new uint8_t[text.size()]);
  std::copy(text.begin(), text.end(), exact.get());
  Input input(make_memory_pieces({exact.get(), text.size()}));
  return import_profile(input, reader, options);
}

inline Profile good(const Reader& reader, std::string_view text, const ImportOptions& options = {}) {
  Result<Profile> profile = read(reader, text, options);
  EXPECT_TRUE(profile.ok()) << (profile.ok() ? "" : profile.error().message());
  return profile.ok() ? *std::move(profile) : Profile();
}

inline std::string failure(const Reader& reader, std::string_view text) {
  Result<Profile> profile = read(reader, text);
  return profile.ok() ? "" : profile.error().message();
}

// The reader detected by content.
inline std::string detected(std::string_view text) {
  const Reader* reader = detect_reader({text.substr(0, kHeadBytes), text.size() <= kHeadBytes});
  return reader == nullptr ? "" : std::string(reader->name);
}

// "thread|root;main;work weight/count", one per stack of the event, sorted; "~" after inlined functions.
inline std::vector<std::string> lines_of(const Profile& p, std::string_view event_name = {}) {
  std::map<std::string, std::pair<int64_t, uint64_t>> sums;
  for (const Sample& s : p.samples()) {
    if (!event_name.empty() && p.text(p[s.event].name) != event_name) { continue; }
    std::string stack;
    for (StackId id = s.stack; id.valid(); id = p[id].caller) {
      const Frame& frame = p[p[id].frame];
      std::string name = (frame.inlined ? "~" : "") + std::string(p.text(p[frame.function].name));
      stack = stack.empty() ? name : name + ";" + stack;
    }
    std::string thread(p.text(p[s.thread].name));
    auto& sum = sums[thread.empty() ? stack : thread + "|" + stack];
    sum.first += s.weight;
    sum.second += s.count;
  }
  std::vector<std::string> out;
  for (const auto& [stack, sum] : sums) {
    out.push_back(stack + strf(" %lld/%llu", static_cast<long long>(sum.first), static_cast<unsigned long long>(sum.second)));
  }
  return out;
}
using Lines = std::vector<std::string>;

inline const Frame* find_frame(const Profile& p, std::string_view function) {
  for (const Frame& f : p.frames()) {
    if (p.text(p[f.function].name) == function) { return &f; }
  }
  return nullptr;
}

inline std::string warnings(const Profile& p) {
  std::string out;
  for (const std::string& w : p.warnings()) { out += (out.empty() ? "" : "\n") + w; }
  return out;
}

// Truncated at every byte, and with changed bytes: a valid profile, or an error.
inline void expect_survives(const Reader& reader, const std::string& text, int flips = 3000) {
  auto run = [&](const std::string& damaged, const char* how) {
    Result<Profile> profile = read(reader, damaged);
    if (profile.ok()) {
      check_profile(*profile);
    } else {
      EXPECT_FALSE(profile.error().message().empty()) << how;
    }
  };
  for (size_t size = 0; size < text.size(); ++size) { run(text.substr(0, size), "cut"); }
  std::mt19937 random(7);
  for (int i = 0; i < flips; ++i) {
    std::string damaged = text;
    for (unsigned n = 0; n < 1 + random() % 3; ++n) {
      char& c = damaged[random() % damaged.size()];
      c = random() % 2 ? static_cast<char>(c ^ (1 << random() % 8)) : "0123456789-\"{}[],:e."[random() % 20];
    }
    run(damaged, "changed");
  }
}

}  // namespace wick::testing_import
