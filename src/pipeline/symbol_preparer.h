// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Symbols are needed when a recording ends, and reading the debug info of a large program takes seconds. So a thread reads it
// while the target runs, file by file, in otherwise idle time (IdlePace). A file that is not finished when its symbols are needed
// is finished by all cores together. That thread has low priority and cannot raise it again (Linux forbids it to ordinary users):
// if it makes no progress even then, the file is read again.

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
  // `modules` contains everything passed to add() and is kept as long as the thread needs it. `only_when_idle`: false to run even
  // if others need the CPU.
  SymbolPreparer(std::shared_ptr<const ModuleStore> modules, const SymbolSources& sources, bool only_when_idle = true);
  SymbolPreparer(std::shared_ptr<const ModuleStore> modules, Load load, bool only_when_idle = true);
  SymbolPreparer(const SymbolPreparer&) = delete;
  SymbolPreparer& operator=(const SymbolPreparer&) = delete;
  ~SymbolPreparer();

  // May be called repeatedly for the same module.
  void add(const LoadedModule* module);
  // No new file is started after this.
  void stop_beginning();
  // The symbols of a module, waiting until they are complete; null if it was not started or makes no progress.
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
