// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/live_names.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <system_error>
#include <utility>

#include "pipeline/name_generated.h"

namespace wick {
namespace {

// Generated code may be replaced by other code at the same address, and gets its symbol some time after it begins to run.
constexpr uint64_t kRoundsPerGenerated = 5;
constexpr std::chrono::milliseconds kPatience{100};

bool is_generated(const LiveFrames& code, size_t i) {
  capture::ModuleId module = code.frames[i].module;
  return module.valid() && code.generated[module.value] != nullptr;
}

}  // namespace

LiveNames::~LiveNames() {
  {
    std::lock_guard lock(mutex_);
    ends_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) { thread_.join(); }
}

// Those that are known; the others are added to `missing`. `again`: with all generated code.
std::vector<capture::FrameSymbols> LiveNames::collect(const LiveFrames& code, LiveFrames& missing, bool again) {
  missing = {.modules = code.modules,
             .opened = code.opened,
             .generated = code.generated,
             .frames = {},
             .rows = {},
             .own_code = code.own_code,
             .seen_ns = code.seen_ns};
  std::vector<capture::FrameSymbols> out;
  for (uint32_t i = 0; i < code.frames.size(); ++i) {
    auto it = chains_.find(code.rows[i]);
    if (it != chains_.end()) { out.push_back({{i}, it->second}); }
    if (it == chains_.end() || (again && is_generated(code, i))) {
      missing.frames.push_back(code.frames[i]);
      missing.rows.push_back(code.rows[i]);
    }
  }
  return out;
}

std::vector<capture::FrameSymbols> LiveNames::known(const LiveFrames& code, size_t& missing) {
  std::unique_lock lock(mutex_);
  LiveFrames wanted;
  std::vector<capture::FrameSymbols> out = collect(code, wanted, ++rounds_ % kRoundsPerGenerated == 0);
  missing = 0;
  if (wanted.frames.empty()) { return out; }
  wanted_ = std::move(wanted);
  try {
    if (!thread_.joinable()) {
      thread_ = std::thread([this] { run(); });
    }
  } catch (const std::system_error&) {  // process limit
    LiveFrames now = *std::exchange(wanted_, {});
    lock.unlock();
    look_up(now);
    lock.lock();
  }
  changed_.notify_all();
  changed_.wait_for(lock, kPatience, [this] { return !wanted_ && !busy_; });
  out = collect(code, wanted, false);
  missing = wanted.frames.size();
  return out;
}

std::vector<capture::FrameSymbols> LiveNames::all(const LiveFrames& code) {
  LiveFrames missing;
  std::unique_lock lock(mutex_);
  static_cast<void>(collect(code, missing, true));
  lock.unlock();
  look_up(missing);
  lock.lock();
  std::vector<capture::FrameSymbols> out;
  for (uint32_t row : code.rows) { out.push_back({{row}, chains_[row]}); }
  return out;
}

void LiveNames::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ends_ || wanted_; });
    if (ends_) { return; }
    LiveFrames now = *std::exchange(wanted_, {});
    busy_ = true;
    lock.unlock();
    look_up(now);
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

void LiveNames::look_up(const LiveFrames& code) {
  if (code.frames.empty()) { return; }
  std::vector<std::string> mismatched;
  NamingHelp help{.own_code = code.own_code, .cache = &cache_};
  std::vector<capture::FrameSymbols> named =
      name_frames(code.modules, code.frames, code.opened, mismatched, cache_.sources(), help);
  auto last_seen = [&](uint32_t) { return code.seen_ns; };
  static_cast<void>(name_generated_frames({code.modules, code.generated, code.frames, last_seen}, named));
  std::lock_guard lock(mutex_);
  for (uint32_t i = 0; i < code.frames.size(); ++i) {
    Chain& chain = chains_[code.rows[i]];
    if (chain.empty() || !named[i].chain.empty()) { chain = std::move(named[i].chain); }
  }
}

std::vector<capture::CodeBody> collect_live_code(const LiveFrames& code, std::span<const uint64_t> weights,
                                                 const SymbolSources& sources, uint64_t most_bytes) {
  std::vector<capture::FrameSymbols> unused(code.frames.size());
  auto last_seen = [&](uint32_t) { return code.seen_ns; };
  std::vector<HotCode> others = name_generated_frames({code.modules, code.generated, code.frames, last_seen}, unused, weights);
  std::vector<HotCode> kernel = load_kernel_code(code.modules, code.frames, weights, sources, code.own_code);
  std::move(kernel.begin(), kernel.end(), std::back_inserter(others));
  return collect_code(code.modules, code.frames, code.opened, weights, most_bytes, std::move(others));
}

}  // namespace wick
