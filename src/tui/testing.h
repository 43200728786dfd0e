// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: the terminal UI without a terminal.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/diff_profile.h"
#include "model/testing.h"
#include "tui/apply.h"
#include "tui/draw.h"
#include "tui/rows.h"

namespace wick::tui {

struct Player {
  explicit Player(Profile profile, Size s = {80, 16}) : Player(source_of(std::move(profile)), s) {}
  explicit Player(const std::vector<std::string>& lines, Size s = {80, 16}) : Player(testing_profile::profile_of(lines), s) {}
  Player(Source source, Size s) : data(std::move(source)), size(s) { state = settle(first_state(data), data, size, unicode); }

  static Source source_of(Profile profile) {
    Source source;
    source.view.profile = std::make_shared<const Profile>(std::move(profile));
    source.view.selection = *select_samples(*source.view.profile);
    source.files = {"profile.wick"};
    return source;
  }
  static Source compared(const std::vector<std::string>& before, const std::vector<std::string>& after) {
    return compared(testing_profile::profile_of(before), testing_profile::profile_of(after));
  }
  static Source compared(const Profile& a, const Profile& b) {
    OwnNames own_names;
    CombineOptions options{.keep_samples = true, .own_names = &own_names};
    Source source = source_of(*combine_profiles(a, *select_samples(a), b, *select_samples(b), options));
    source.compares = true;
    source.sides = {summarize_recording(a, EventId{0}), summarize_recording(b, EventId{0})};
    source.own_names = std::move(own_names);
    source.files = {"before.wick", "after.wick"};
    return source;
  }

  void press(Key key) { state = apply(std::move(state), {.key = key}, data, size, unicode); }
  void type(std::string_view keys) {
    for (char c : keys) { press(static_cast<unsigned char>(c)); }
  }
  void click(int x, int y, Mouse::What what = Mouse::What::kPress) {
    Input input{.kind = Input::Kind::kMouse, .mouse = {what, x, y}};
    state = apply(std::move(state), input, data, size, unicode);
  }
  void resize(Size to) {
    size = to;
    state = settle(std::move(state), data, size, unicode);
  }
  Grid grid() { return draw(state, data, size, unicode, colors); }
  std::string screen() { return grid().text(); }
  // The selected function's name.
  std::string function() {
    const Profile& p = data.reading(state.query).profile;
    return state.function.valid() ? std::string(p.text(p[state.function].name)) : "";
  }
  // The line on which the text is; empty: none.
  std::string line_with(std::string_view text) {
    std::string all = screen();
    for (std::string_view line : split(all, '\n')) {
      if (line.find(text) != line.npos) { return std::string(line); }
    }
    return "";
  }

  bool unicode = true, colors = false;
  Data data;
  State state;
  Size size;
};

}  // namespace wick::tui
