// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "tui/data.h"
#include "tui/state.h"

namespace wick::tui {

// Shows the profile until the user quits. Restores the terminal in any case.
Status run(Source source);

// A recording in progress.
class LiveFeed {
 public:
  virtual ~LiveFeed() = default;
  // The last seconds; null if nothing has changed. `again`: those of the last call, with the symbols that were read meanwhile.
  virtual std::shared_ptr<const Profile> look(bool again = false) = 0;
  // What to show of a profile from look(), perhaps with more functions and threads.
  virtual Source source_of(std::shared_ptr<const Profile> profile) = 0;
  virtual LiveStatus status() = 0;
  // Returns what to tell the user.
  virtual std::string save() = 0;
  // Before wick is suspended (true), and when it resumes.
  virtual void suspend(bool suspended) = 0;
};

enum class LiveEnd : uint8_t { kQuit, kInterrupted /* Ctrl-C, which the target has received */ };

// Shows it, newly each second, until the user quits.
Result<LiveEnd> run_live(LiveFeed& feed);

}  // namespace wick::tui
