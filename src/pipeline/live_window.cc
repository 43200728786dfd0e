// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/live_window.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace wick {
namespace {

constexpr uint64_t kSecond = 1'000'000'000, kMillisecond = 1'000'000;

uint64_t value_of(const std::vector<capture::Counter>& counters, const std::string& name) {
  for (const capture::Counter& c : counters) {
    if (c.name == name) { return c.value; }
  }
  return 0;
}

// Losses are counted within the window; other counters describe the whole recording.
bool is_loss(const std::string& name) {
  return name.starts_with("lost.") || name.starts_with("side.") || name == "throttled" || name == "samples.late";
}

// Renumbers rows in the order of their first use.
class Renumbering {
 public:
  // Whether the row is new.
  bool add(uint32_t row) {
    auto [it, is_new] = to_.try_emplace(row, static_cast<uint32_t>(from_.size()));
    if (is_new) { from_.push_back(row); }
    return is_new;
  }
  bool has(uint32_t row) const { return to_.contains(row); }
  uint32_t operator[](uint32_t row) const { return to_.at(row); }
  const std::vector<uint32_t>& rows() const { return from_; }

 private:
  std::unordered_map<uint32_t, uint32_t> to_;
  std::vector<uint32_t> from_;
};

}  // namespace

void LiveWindow::begin(const capture::Info& info) {
  std::lock_guard lock(mutex_);
  info_ = info;
  until_ns_ = info.start_ns;
}

capture::ModuleId LiveWindow::add_module(capture::Module module) {
  std::lock_guard lock(mutex_);
  modules_.push_back(module);
  return file_.add_module(std::move(module));
}

capture::FrameId LiveWindow::add_frame(capture::Frame frame) {
  std::lock_guard lock(mutex_);
  frames_.push_back(frame);
  return file_.add_frame(frame);
}

capture::StackId LiveWindow::add_stack(capture::Stack stack) {
  std::lock_guard lock(mutex_);
  stacks_.push_back(stack);
  return file_.add_stack(stack);
}

capture::ThreadId LiveWindow::add_thread(capture::Thread thread) {
  std::lock_guard lock(mutex_);
  capture::ThreadId id = file_.add_thread(thread);
  tasks_[id.value].thread = std::move(thread);
  return id;
}

void LiveWindow::update_thread(capture::ThreadId id, capture::Thread thread) {
  std::lock_guard lock(mutex_);
  if (auto it = tasks_.find(id.value); it != tasks_.end()) { it->second.thread = thread; }
  file_.update_thread(id, std::move(thread));
}

void LiveWindow::add_sample(const capture::Sample& sample) {
  std::lock_guard lock(mutex_);
  samples_.push_back(sample);
  auto [it, is_new] = tasks_.try_emplace(sample.thread.value);
  // The thread seemed to have ended long ago.
  if (is_new) { it->second.thread = {.process = sample.thread, .name = "[ended]", .end_ns = sample.time_ns}; }
  ++it->second.in_window;
  file_.add_sample(sample);
}

uint64_t LiveWindow::begin_of_window() const {
  uint64_t end = end_of_window();
  return end - std::min(end - info_.start_ns, window_ns_);
}

uint64_t LiveWindow::end_of_window() const {
  uint64_t length = until_ns_ - std::min(until_ns_, info_.start_ns);
  return info_.start_ns + length / kMillisecond * kMillisecond;
}

void LiveWindow::drop_old() {
  uint64_t begin = begin_of_window();
  while (!samples_.empty() && samples_.front().time_ns < begin) {
    const capture::Sample& s = samples_.front();
    Task& task = tasks_.at(s.thread.value);
    --task.in_window;
    if (s.event == 0) {
      task.dropped.weight += s.weight;
      ++task.dropped.samples;
    }
    samples_.pop_front();
  }
  // A count may arrive after the end of its thread.
  auto is_over = [&](const Task& task) {
    return task.in_window == 0 && task.thread.end_ns != 0 && task.thread.end_ns + kSecond < begin;
  };
  std::unordered_set<uint32_t> processes;
  for (const auto& [row, task] : tasks_) {
    if (!is_over(task)) { processes.insert(task.thread.process.value); }
  }
  std::erase_if(tasks_, [&](const auto& task) { return is_over(task.second) && !processes.contains(task.first); });
  while (past_counters_.size() > 1 && past_counters_[1].first <= begin) { past_counters_.pop_front(); }
}

void LiveWindow::publish(uint64_t until_ns, Counters counters, const StackTable& stacks, std::vector<KernelCode> own_code) {
  std::lock_guard lock(mutex_);
  until_ns_ = std::max(until_ns, until_ns_);
  opened_.insert(opened_.end(), stacks.opened().begin() + static_cast<ptrdiff_t>(opened_.size()), stacks.opened().end());
  generated_.insert(generated_.end(), stacks.generated().begin() + static_cast<ptrdiff_t>(generated_.size()),
                    stacks.generated().end());
  own_code_ = std::move(own_code);
  counters_ = std::move(counters);
  bool is_due = past_counters_.empty() || until_ns_ >= past_counters_.back().first + kSecond;
  if (is_due) { past_counters_.emplace_back(until_ns_, counters_); }
  drop_old();
}

void LiveWindow::publish_last(uint64_t end_ns, Counters counters, const StackTable& stacks, std::vector<KernelCode> own_code) {
  publish(end_ns + kMillisecond, std::move(counters), stacks, std::move(own_code));
}

size_t LiveWindow::running_threads() const {
  std::lock_guard lock(mutex_);
  return static_cast<size_t>(std::ranges::count_if(tasks_, [](const auto& task) { return task.second.thread.end_ns == 0; }));
}

LivePicture LiveWindow::picture() const {
  std::lock_guard lock(mutex_);
  LivePicture out;
  out.start_ns = info_.start_ns;
  out.begin_ns = begin_of_window();
  out.end_ns = end_of_window();
  capture::Capture& c = out.capture;
  c.info = info_;
  c.complete = true;
  auto is_inside = [&](uint64_t time_ns) { return time_ns >= out.begin_ns && time_ns < out.end_ns; };

  Renumbering stacks, frames, modules, threads;
  auto add_thread = [&](uint32_t row) {
    const capture::Thread& t = tasks_.at(row).thread;
    if (t.process.valid() && t.process.value != row && tasks_.contains(t.process.value)) { threads.add(t.process.value); }
    threads.add(row);
  };
  std::vector<uint32_t> path;
  for (const capture::Sample& s : samples_) {
    if (!is_inside(s.time_ns)) { continue; }
    c.samples.push_back(s);
    add_thread(s.thread.value);
    path.clear();
    for (capture::StackId at = s.stack; at.valid() && !stacks.has(at.value); at = stacks_[at.value].caller) {
      path.push_back(at.value);
    }
    for (size_t i = path.size(); i-- > 0;) { stacks.add(path[i]); }
  }
  // Threads without samples have time that was not sampled, and show which ends are execs.
  for (const auto& [row, task] : tasks_) {
    bool began = is_inside(task.thread.start_ns), ended = task.thread.end_ns != 0 && is_inside(task.thread.end_ns);
    if (began || ended) { add_thread(row); }
  }

  for (uint32_t row : stacks.rows()) {
    capture::Stack stack = stacks_[row];
    frames.add(stack.frame.value);
    stack.frame = {frames[stack.frame.value]};
    if (stack.caller.valid()) { stack.caller = {stacks[stack.caller.value]}; }
    c.stacks.push_back(stack);
  }
  for (uint32_t row : frames.rows()) {
    capture::Frame frame = frames_[row];
    if (frame.module.valid()) {
      modules.add(frame.module.value);
      frame.module = {modules[frame.module.value]};
    }
    out.code.frames.push_back(frame);
  }
  out.code.rows = frames.rows();
  for (uint32_t row : modules.rows()) {
    out.code.modules.push_back(modules_[row]);
    out.code.opened.push_back(row < opened_.size() ? opened_[row] : nullptr);
    out.code.generated.push_back(row < generated_.size() ? generated_[row] : nullptr);
  }
  out.code.own_code = own_code_;
  out.code.seen_ns = until_ns_;
  c.modules = out.code.modules;
  c.frames = out.code.frames;

  for (uint32_t row : threads.rows()) {
    capture::Thread t = tasks_.at(row).thread;
    bool has_process = t.process.valid() && threads.has(t.process.value);
    t.process = {has_process ? threads[t.process.value] : static_cast<uint32_t>(c.threads.size())};
    c.threads.push_back(std::move(t));
    out.others.push_back(tasks_.at(row).dropped);
  }
  for (capture::Sample& s : c.samples) {
    s.thread = {threads[s.thread.value]};
    if (s.stack.valid()) { s.stack = {stacks[s.stack.value]}; }
  }
  for (const capture::Sample& s : samples_) {
    if (is_inside(s.time_ns) || s.event != 0 || !threads.has(s.thread.value)) { continue; }
    OtherSamples& other = out.others[threads[s.thread.value]];
    other.weight += s.weight;
    ++other.samples;
  }
  std::stable_sort(c.samples.begin(), c.samples.end(),
                   [](const capture::Sample& a, const capture::Sample& b) { return a.time_ns < b.time_ns; });

  bool has_past = !past_counters_.empty() && past_counters_.front().first <= out.begin_ns;
  for (const capture::Counter& counter : counters_) {
    uint64_t before = has_past && is_loss(counter.name) ? value_of(past_counters_.front().second, counter.name) : 0;
    c.counters.push_back({counter.name, counter.value - std::min(before, counter.value)});
  }
  return out;
}

LiveFrames LiveWindow::all_frames() const {
  std::lock_guard lock(mutex_);
  LiveFrames out{.modules = modules_,
                 .opened = opened_,
                 .generated = generated_,
                 .frames = frames_,
                 .rows = {},
                 .own_code = own_code_,
                 .seen_ns = until_ns_};
  out.opened.resize(modules_.size());
  out.generated.resize(modules_.size());
  for (uint32_t row = 0; row < frames_.size(); ++row) { out.rows.push_back(row); }
  return out;
}

size_t LiveWindow::sample_count() const {
  std::lock_guard lock(mutex_);
  return samples_.size();
}

}  // namespace wick
