// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The key map: one table of keys, what they do, and their help. Letters of transforms are those of the viewer's page
// (web/src/app/actions.ts).

#include <cstdint>
#include <optional>
#include <span>

namespace wick::tui {

// A character, or one of these.
using Key = char32_t;
namespace key {
constexpr Key kUp = 0x110000, kDown = 0x110001, kLeft = 0x110002, kRight = 0x110003, kPageUp = 0x110004, kPageDown = 0x110005,
              kHome = 0x110006, kEnd = 0x110007, kBackTab = 0x110008, kDelete = 0x110009, kAltLeft = 0x11000a,
              kAltRight = 0x11000b, kEnter = '\r', kEscape = 0x1b, kTab = '\t', kBackspace = 0x7f;
constexpr Key ctrl(char letter) { return static_cast<Key>(letter & 0x1f); }
}  // namespace key

struct Mouse {
  enum class What : uint8_t { kPress, kDrag, kRelease, kWheelUp, kWheelDown };
  What what = What::kPress;
  int x = 0, y = 0;
};

struct Input {
  enum class Kind : uint8_t { kKey, kMouse, kResize };
  Kind kind = Kind::kKey;
  Key key = 0;
  Mouse mouse{};
};

enum class Action : uint8_t {
  kQuit,
  kHelp,
  kRedraw,
  kFlame,
  kThreads,
  kTree,
  kFunctions,
  kAround,
  kCode,
  kQuality,
  kNextView,
  kPreviousView,
  kUp,
  kDown,
  kPageUp,
  kPageDown,
  kHome,
  kEnd,
  kLeft,
  kRight,
  kEnter,
  kSpace,
  kEscape,
  kSearch,
  kNextMatch,
  kPreviousMatch,
  kKeepMatching,
  kFocusFunction,
  kFocusSubtree,
  kFocusSelf,
  kMergeFunction,
  kMergeNode,
  kDropFunction,
  kCollapseSubtree,
  kCollapseRecursion,
  kCollapseDirectRecursion,
  kCollapseModule,
  kUndo,
  kRedo,
  kInvert,
  kSwitch,
  kResetZoom,
  kOpenAll,
  kOtherSide,
  kEvent,
  kToggleThread,
  kClearSelection,
  kCompareShares,
  kPause,
  kSave,
};

// Which views have the key: those of files, live ones, or both.
enum class KeyFor : uint8_t { kBoth, kFiles, kLive };

struct Binding {
  Key key;
  Action action;
  const char* section = nullptr;  // of the help; null: no line of its own
  const char* shown = nullptr;    // the keys
  const char* text = nullptr;
  KeyFor views = KeyFor::kBoth;

  bool is_for(bool live) const { return views == KeyFor::kBoth || (views == KeyFor::kLive) == live; }
};
std::span<const Binding> key_map();

std::optional<Action> find_action(Key key, bool live = false);

}  // namespace wick::tui
