// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "tui/run.h"

#include <utility>

#include "base/clock.h"
#include "tui/apply.h"
#include "tui/carry.h"
#include "tui/draw.h"
#include "tui/screen.h"

namespace wick::tui {
namespace {

constexpr uint64_t kRefreshNs = 1'000'000'000;

// Moving within a view computes nothing new.
bool may_compute(const Input& input) {
  if (input.kind != Input::Kind::kKey) { return false; }
  std::optional<Action> action = find_action(input.key);
  return action && !(*action >= Action::kUp && *action <= Action::kRight);
}

void act(State& state, const std::vector<Input>& inputs, Data& data, Screen& screen) {
  for (const Input& input : inputs) {
    if (input.kind == Input::Kind::kKey && find_action(input.key) == Action::kRedraw) { screen.redraw(); }
    if (data.is_large() && may_compute(input)) { screen.say("computing..."); }
    state = apply(std::move(state), input, data, screen.size(), screen.unicode());
    if (state.ends) { return; }
  }
}

void show(State& state, Data& data, Screen& screen) {
  state = settle(std::move(state), data, screen.size(), screen.unicode());
  screen.show(draw(state, data, screen.size(), screen.unicode(), screen.colors()));
}

}  // namespace

Status run(Source source) {
  Data data(std::move(source));
  State state = first_state(data);
  WICK_LET(Screen screen, Screen::open());
  show(state, data, screen);
  while (!state.ends) {
    std::optional<std::vector<Input>> inputs = screen.wait();
    if (!inputs) { break; }
    act(state, *inputs, data, screen);
    if (!state.ends) { show(state, data, screen); }
  }
  return ok_status();
}

Result<LiveEnd> run_live(LiveFeed& feed) {
  std::shared_ptr<const Profile> profile = feed.look();
  WICK_ASSERT(profile != nullptr, "the first look shows something");
  auto data = std::make_unique<Data>(feed.source_of(profile));
  State state = first_state(*data);
  state.live = feed.status();
  WICK_LET(Screen screen, Screen::open());
  screen.set_suspend([&](bool suspended) { feed.suspend(suspended); });
  uint64_t due_ns = now_ns() + kRefreshNs / 4;  // the first samples come soon
  while (!state.ends) {
    show(state, *data, screen);
    uint64_t now = now_ns();
    std::optional<std::vector<Input>> inputs = screen.wait(due_ns > now ? due_ns - now : 0);
    if (!inputs) { return screen.was_interrupted() ? LiveEnd::kInterrupted : LiveEnd::kQuit; }
    act(state, *inputs, *data, screen);
    if (std::exchange(state.saves, false)) {
      screen.say("saving...");
      state.message = feed.save();
    }
    if (now_ns() < due_ns) { continue; }
    due_ns = now_ns() + kRefreshNs;
    // A range of time is being chosen, or its end.
    bool stays = state.paused || state.mark >= 0;
    bool completes = stays && state.live->symbols_missing > 0 && state.mark < 0 && state.query.all_times();
    std::shared_ptr<const Profile> next = stays && !completes ? nullptr : feed.look(completes);
    if (next != nullptr) {
      auto after = std::make_unique<Data>(feed.source_of(with_chosen(std::move(next), state, *data)));
      state = carry_over(std::move(state), *data, *after, screen.size(), screen.unicode());
      data = std::move(after);
    }
    state.live = feed.status();
  }
  return LiveEnd::kQuit;
}

}  // namespace wick::tui
