// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The terminal: copies grids to it and reads keys, the mouse and changes of its size. The only file of this room that knows
// ncurses.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "tui/grid.h"
#include "tui/keys.h"
#include "tui/state.h"

namespace wick::tui {

// Whether there is a terminal that can show a screen. Cheap: to be asked before a profile is loaded.
Status check_terminal();

// Takes over the terminal until destroyed. Only one at a time.
class Screen {
 public:
  static Result<Screen> open();
  Screen(Screen&& other) noexcept;
  Screen& operator=(Screen&&) = delete;
  ~Screen();

  Size size() const;
  bool unicode() const;
  bool colors() const;
  void show(const Grid& grid);
  // Writes over the last line until the next show().
  void say(std::string_view text);
  void redraw();  // all of it, after something else wrote to the terminal

  // Waits for input, and returns all there is; none after `timeout_ns`. Nothing: the user or the system ends the program, or the
  // terminal is gone.
  std::optional<std::vector<Input>> wait(uint64_t timeout_ns = UINT64_MAX);
  // Whether wait() ended because of Ctrl-C, which all programs of the terminal's foreground group have received.
  bool was_interrupted() const;
  // Called before the program is suspended, and when it resumes.
  void set_suspend(std::function<void(bool)> suspend);

 private:
  struct Terminal;
  explicit Screen(std::unique_ptr<Terminal> terminal);

  std::unique_ptr<Terminal> terminal_;
};

// The nearest of the 256 colors.
int nearest_color(Rgb color);

}  // namespace wick::tui
