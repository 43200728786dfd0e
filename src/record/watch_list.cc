// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "record/stop_sampler.h"

namespace wick {

void WatchList::insert(std::vector<StoppableThread*>& list, StoppableThread& thread) {
  thread.place = list.size();
  list.push_back(&thread);
}

void WatchList::erase(std::vector<StoppableThread*>& list, StoppableThread& thread) {
  list[thread.place] = list.back();
  list[thread.place]->place = thread.place;
  list.pop_back();
}

void WatchList::add(StoppableThread& thread) {
  thread.is_active = true;
  thread.quiet_checks = 0;
  insert(active_, thread);
}

void WatchList::remove(StoppableThread& thread) { erase(thread.is_active ? active_ : idle_, thread); }

void WatchList::settle(StoppableThread& thread) {
  bool active = thread.quiet_checks < kChecksUntilIdle;
  if (active == thread.is_active) { return; }
  remove(thread);
  thread.is_active = active;
  insert(active ? active_ : idle_, thread);
}

void WatchList::take(std::vector<StoppableThread*>& list, size_t& cursor, size_t most, std::vector<StoppableThread*>& out) {
  size_t count = std::min(list.size(), most);
  for (size_t i = 0; i < count; ++i) {
    if (cursor >= list.size()) { cursor = 0; }
    out.push_back(list[cursor++]);
  }
}

void WatchList::pick(std::vector<StoppableThread*>& out) {
  out.clear();
  take(active_, next_active_, kActivePerTick, out);
  take(idle_, next_idle_, kIdlePerTick, out);
}

}  // namespace wick
