// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/ptrace_tasks.h"

#include <algorithm>

namespace wick {

void WatchList::insert(std::vector<TracedThread*>& list, TracedThread& thread) {
  thread.place = list.size();
  list.push_back(&thread);
}

void WatchList::erase(std::vector<TracedThread*>& list, TracedThread& thread) {
  list[thread.place] = list.back();
  list[thread.place]->place = thread.place;
  list.pop_back();
}

void WatchList::add(TracedThread& thread) {
  thread.is_active = true;
  thread.quiet_checks = 0;
  insert(active_, thread);
}

void WatchList::remove(TracedThread& thread) { erase(thread.is_active ? active_ : idle_, thread); }

void WatchList::settle(TracedThread& thread) {
  bool active = thread.quiet_checks < kChecksUntilIdle;
  if (active == thread.is_active) { return; }
  remove(thread);
  thread.is_active = active;
  insert(active ? active_ : idle_, thread);
}

void WatchList::take(std::vector<TracedThread*>& list, size_t& cursor, size_t most, std::vector<TracedThread*>& out) {
  size_t count = std::min(list.size(), most);
  for (size_t i = 0; i < count; ++i) {
    if (cursor >= list.size()) { cursor = 0; }
    out.push_back(list[cursor++]);
  }
}

void WatchList::pick(std::vector<TracedThread*>& out) {
  out.clear();
  take(active_, next_active_, kActivePerTick, out);
  take(idle_, next_idle_, kIdlePerTick, out);
}

}  // namespace wick
