// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/symbol_preparer.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <system_error>
#include <vector>

#include "base/clock.h"
#include "os/process_state.h"
#include "pipeline/idle_pace.h"
#include "symbolize/joinable_work.h"

namespace wick {
namespace {

constexpr auto kStep = std::chrono::milliseconds(1), kFarewell = std::chrono::milliseconds(100);
constexpr uint64_t kLookNs = 20'000'000;
constexpr uint64_t kGettingOnNs = 8'000'000;  // CPU time per check that counts as progress

uint64_t cpu_ns_of(pthread_t thread) {
  clockid_t clock{};
  timespec time{};
  if (::pthread_getcpuclockid(thread, &clock) != 0 || ::clock_gettime(clock, &time) != 0) { return 0; }
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace

struct SymbolPreparer::Job {
  const LoadedModule* module = nullptr;
  enum class Step : uint8_t { kWaiting, kBegun, kDone, kGivenUp } step = Step::kWaiting;
  std::atomic<bool> stop{false};
  JoinableWork work;
  std::shared_ptr<const FileSymbols> symbols;
};

// Shared with the thread, so that a stuck thread can be abandoned.
struct SymbolPreparer::State {
  std::shared_ptr<const ModuleStore> modules;
  Load load;
  std::mutex mutex;
  std::condition_variable changed;
  std::unordered_map<const LoadedModule*, std::shared_ptr<Job>> jobs;
  std::deque<std::shared_ptr<Job>> queue;
  IdlePace pace;
  bool stopping = false, ended = false;
};

SymbolPreparer::SymbolPreparer(std::shared_ptr<const ModuleStore> modules, const SymbolSources& sources, bool only_when_idle)
    : SymbolPreparer(
          std::move(modules),
          [sources](const LoadedModule& module, const SymbolLoad& how) {
            return std::shared_ptr<const FileSymbols>(load_file_symbols(module, sources, how));
          },
          only_when_idle) {}

SymbolPreparer::SymbolPreparer(std::shared_ptr<const ModuleStore> modules, Load load, bool only_when_idle)
    : state_(std::make_shared<State>()) {
  state_->modules = std::move(modules);
  state_->load = std::move(load);
  if (!only_when_idle) { state_->pace.hurry(); }
}

SymbolPreparer::~SymbolPreparer() {
  stop_beginning();
  if (!thread_.joinable()) { return; }
  std::unique_lock lock(state_->mutex);
  for (auto& [module, job] : state_->jobs) { job->stop = true; }
  bool ended = state_->changed.wait_for(lock, kFarewell, [this] { return state_->ended; });
  lock.unlock();
  if (ended) {
    thread_.join();
  } else {  // it gets no CPU time; it owns what it needs
    thread_.detach();
  }
}

void SymbolPreparer::add(const LoadedModule* module) {
  if (module == nullptr || !module->image) { return; }
  std::lock_guard lock(state_->mutex);
  if (state_->stopping || state_->jobs.contains(module)) { return; }
  auto job = std::make_shared<Job>();
  state_->jobs.emplace(module, job);
  job->module = module;
  state_->queue.push_back(job);
  try {
    if (!thread_.joinable()) { thread_ = std::thread(&SymbolPreparer::run, state_); }
  } catch (const std::system_error&) {
    // No more threads (process limit): symbols are loaded at the end.
  }
  state_->changed.notify_all();
}

void SymbolPreparer::stop_beginning() {
  std::lock_guard lock(state_->mutex);
  state_->stopping = true;
  state_->queue.clear();
  state_->pace.hurry();
  state_->changed.notify_all();
}

void SymbolPreparer::run(std::shared_ptr<State> state) {
  let_others_first();
  std::unique_lock lock(state->mutex);
  for (;;) {
    state->changed.wait(lock, [&] { return state->stopping || !state->queue.empty(); });
    lock.unlock();
    state->pace.rest();
    lock.lock();
    if (state->stopping) { break; }
    if (state->queue.empty()) { continue; }
    std::shared_ptr<Job> job = std::move(state->queue.front());
    state->queue.pop_front();
    job->step = Job::Step::kBegun;
    lock.unlock();
    SymbolLoad how;
    how.background = true;
    how.stop = &job->stop;
    how.work = &job->work;
    how.pause = [&] { state->pace.rest(); };
    std::shared_ptr<const FileSymbols> symbols = state->load(*job->module, how);
    lock.lock();
    if (job->step == Job::Step::kBegun) {
      job->step = Job::Step::kDone;
      job->symbols = std::move(symbols);
    }
    state->changed.notify_all();
  }
  state->ended = true;
  state->changed.notify_all();
}

// On all cores.
void SymbolPreparer::help(Job& job) {
  std::vector<std::thread> helpers;
  try {
    for (unsigned i = 1; i < std::min(std::thread::hardware_concurrency(), 16u); ++i) {
      helpers.emplace_back([&] { job.work.help(); });
    }
  } catch (const std::system_error&) {
    // No more threads (process limit): fewer share the work.
  }
  job.work.help();
  for (std::thread& helper : helpers) { helper.join(); }
}

std::shared_ptr<const FileSymbols> SymbolPreparer::take(const LoadedModule* module) {
  std::unique_lock lock(state_->mutex);
  auto found = state_->jobs.find(module);
  if (found == state_->jobs.end()) { return nullptr; }
  std::shared_ptr<Job> job = found->second;
  if (job->step != Job::Step::kBegun) { return job->symbols; }
  uint64_t before = cpu_ns_of(thread_.native_handle()), looked = now_ns();
  for (bool helped = false; job->step == Job::Step::kBegun;) {
    lock.unlock();
    if (!helped && job->work.is_going_on()) {
      help(*job);
      helped = true;
    }
    lock.lock();
    if (state_->changed.wait_for(lock, kStep, [&] { return job->step != Job::Step::kBegun; })) { break; }
    if (now_ns() - looked < kLookNs) { continue; }
    uint64_t now = cpu_ns_of(thread_.native_handle());
    if (now - before < kGettingOnNs) {
      job->step = Job::Step::kGivenUp;
      job->stop = true;
    }
    before = now;
    looked = now_ns();
  }
  return job->symbols;
}

}  // namespace wick
