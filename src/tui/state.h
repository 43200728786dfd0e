// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// All that is shown follows from this and the profile. A key or click gives another state (tui/apply.h); nothing else changes it.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyze/transform.h"
#include "model/profile.h"

namespace wick::tui {

enum class ViewKind : uint8_t { kFlame, kThreads, kTree, kFunctions, kAround, kCode, kQuality };
constexpr size_t kViews = 7;

enum class Sort : uint8_t { kSelf, kTotal, kName, kChange };
enum class CodeMode : uint8_t { kBoth, kSource, kAssembly };
enum class Mode : uint8_t { kBrowse, kSearch /* the pattern is being typed */, kHelp };

// Which samples, and what became of their stacks.
struct Query {
  EventId event{};                // in a comparison: that of the later file
  std::vector<uint32_t> threads;  // rows of Profile::threads, sorted; empty: all
  uint64_t begin_ns = 0, end_ns = UINT64_MAX;
  std::vector<Transform> transforms;
  bool normalize = false;  // compare shares, not costs

  bool all_times() const { return begin_ns == 0 && end_ns == UINT64_MAX; }
  bool operator==(const Query&) const = default;
};

// A place in a list of rows.
struct Place {
  size_t row = 0, top = 0;  // the selected one, the first one on the screen

  bool operator==(const Place&) const = default;
};

// Nodes of a tree are named by a hash of their path, which stays the same if the selection or the profile changes (tui/data.h).
using PathHash = uint64_t;
constexpr PathHash kRootPath = 0;

// What a live view says besides its profile.
struct LiveStatus {
  uint64_t window_ns = 0;         // of the samples shown
  uint64_t age_ns = 0;            // since the end of the window
  std::optional<double> own_cpu;  // wick's, in cores, over the last second
  std::string ended;              // how the target ended; empty: it runs
  size_t symbols_missing = 0;     // frames whose symbols are being read
};

struct State {
  ViewKind view = ViewKind::kFunctions;
  Mode mode = Mode::kBrowse;
  Query query;
  std::vector<Query> past, future;  // for undo and redo

  FunctionId function{};      // the selected one, in all views
  bool has_chosen = false;    // the user selected it
  PathHash node = kRootPath;  // tree, flame graph: the selected one
  PathHash zoom = kRootPath;  // flame graph: it fills the width
  bool inverted = false;      // tree, flame graph: from the leaves
  std::map<PathHash, bool> opened;
  Sort sort = Sort::kSelf;
  CodeMode code = CodeMode::kBoth;
  FunctionId around{};                  // the function whose callers and callees are shown
  std::vector<FunctionId> around_past;  // those before it
  bool callees = false;                 // the right side is active
  std::map<PathHash, bool> around_opened[2];

  Place functions, tree, flame, threads, sides[2], lines, quality, help;
  int column = 0;          // threads: the cursor in time, in columns of the timeline
  int mark = -1;           // threads: where a range begins; -1: none
  size_t code_column = 0;  // code: scrolled to the right

  std::string search;   // a regular expression
  std::string typed;    // while it is being typed
  std::string before;   // what to return to
  std::string message;  // until the next key
  bool ends = false;

  std::optional<LiveStatus> live;             // only in live views
  ViewKind code_from = ViewKind::kFunctions;  // live: where Esc returns to from the code
  bool paused = false, saves = false;         // live: the profile stays; the recording is to be saved
};

struct Size {
  int width = 80, height = 24;
};

}  // namespace wick::tui
