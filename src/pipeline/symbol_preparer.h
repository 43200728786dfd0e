// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names are asked for when a recording ends, and to read the debug information of a large program takes seconds. So it is read
// while the target runs, one file after the other, by a thread that takes only time that nobody else wants (IdlePace). A file
// that is not done when its names are asked for is finished by all cores together. That thread lets others go first, and cannot
// be made an ordinary one again (Linux refuses it to ordinary users): where it does not get on even then, the file is read anew.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "module/module.h"
#include "symbolize/symbolizer.h"

namespace wick {

class SymbolPreparer {
 public:
  using Load = std::function<std::shared_ptr<const FileSymbols>(const LoadedModule&, const SymbolLoad&)>;
  // `modules` has all that add() is called with; it is kept as long as the thread needs it. `only_when_idle`: false to take time
  // from others, too.
  SymbolPreparer(std::shared_ptr<const ModuleStore> modules, const SymbolSources& sources, bool only_when_idle = true);
  SymbolPreparer(std::shared_ptr<const ModuleStore> modules, Load load, bool only_when_idle = true);
  SymbolPreparer(const SymbolPreparer&) = delete;
  SymbolPreparer& operator=(const SymbolPreparer&) = delete;
  ~SymbolPreparer();

  // Again and again for the same one is fine.
  void add(const LoadedModule* module);
  // From here on no new file is begun.
  void stop_beginning();
  // What was made of a module, if need be after it is done; null when it was not begun, or does not get on.
  std::shared_ptr<const FileSymbols> take(const LoadedModule* module);

 private:
  struct Job;
  struct State;
  static void run(std::shared_ptr<State> state);
  static void help(Job& job);

  std::shared_ptr<State> state_;
  std::thread thread_;
};

}  // namespace wick
