// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/recording.h"

#include <algorithm>
#include <cmath>

#include "analyze/library_glue.h"
#include "base/clock.h"
#include "base/text.h"
#include "pipeline/module_names.h"
#include "pipeline/name_generated.h"
#include "pipeline/symbolize_capture.h"
#include "symbolize/demangle.h"

namespace wick {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kProgressNs = 200'000'000;
constexpr uint64_t kSameWishNs = 200'000'000;
constexpr size_t kSamplesPerBlock = 65536;
constexpr size_t kLeastSampleBytes = 4;  // in the file

const char* const kQualityNames[] = {"whole",      nullptr, nullptr,   "kernel_thread", "frame_pointers",
                                     "not_walked", nullptr, "stopped", "crossed"};
const char* const kBadQualityNames[] = {"cut", "no_row", "bad_row", "too_deep", "no_mapping"};

uint64_t counter_value(const std::vector<capture::Counter>& counters, const std::string& name) {
  for (const capture::Counter& counter : counters) {
    if (counter.name == name) { return counter.value; }
  }
  return 0;
}

// By frame row, scaled to the time of each thread as the profile shows it.
std::vector<uint64_t> balanced_leaves(const std::vector<LeafWeight>& leaves, std::span<const ThreadTime> times,
                                      std::span<const ThreadBalance> balances, size_t frames) {
  std::vector<double> sums(frames);
  for (const LeafWeight& leaf : leaves) {
    double sampled = static_cast<double>(times[leaf.thread].sampled), shown = static_cast<double>(balances[leaf.thread].sampled);
    sums[leaf.frame] += static_cast<double>(leaf.weight) * (sampled > 0 ? shown / sampled : 1);
  }
  std::vector<uint64_t> out;
  for (double sum : sums) { out.push_back(static_cast<uint64_t>(std::llround(sum))); }
  return out;
}

}  // namespace

std::vector<HotFunction> compute_hottest(const std::map<std::pair<std::string, std::string>, uint64_t>& by_linkage_name) {
  std::map<std::pair<std::string, std::string>, uint64_t> by_name;
  for (const auto& [key, weight] : by_linkage_name) { by_name[{demangle(key.first), key.second}] += weight; }
  std::vector<HotFunction> hottest;
  for (const auto& [key, weight] : by_name) { hottest.push_back({key.first, key.second, weight}); }
  std::stable_sort(hottest.begin(), hottest.end(),
                   [](const HotFunction& a, const HotFunction& b) { return a.weight > b.weight; });
  if (hottest.size() > 5) { hottest.resize(5); }
  return hottest;
}

const capture::SymbolFrame& find_own_function(const std::vector<capture::SymbolFrame>& chain) {
  size_t own = 0;
  while (own + 1 < chain.size() && is_library_glue(demangle(chain[own].function))) { ++own; }
  return chain[own];
}

Status Recording::open(const std::string& path) { return file_.open(path); }

Status Recording::begin(const capture::Info& info) {
  info_ = info;
  begin_ns_ = end_ns_ = last_flush_ns_ = now_ns();
  WICK_OK(file_.commit());
  file_.append(writer_.begin(info));
  return ok_status();
}

void Recording::flush() {
  file_.append(writer_.encode_pending());
  last_flush_ns_ = now_ns();
}

// The target handles the first signal (it may have work to finish); the next one ends the recording at once. A signal right after
// another is the same request: timeout(1) signals its child and then the group.
bool Recording::handle_signals(Engine& engine, StopSignals& signals, Asked& asked) {
  while (std::optional<StopSignal> signal = signals.next()) {
    pid_t pid = engine.launched_pid();
    if (pid < 0) { return true; }
    uint64_t now = now_ns();
    if (asked.count > 0 && now < asked.last_ns + kSameWishNs) { continue; }
    asked.last_ns = now;
    pass_on(*signal, pid);
    if (++asked.count >= 2) { return true; }
  }
  return false;
}

Result<StopReason> Recording::run(Engine& engine, StopSignals& signals, const Limits& limits,
                                  const std::function<void(const Progress&)>& on_progress) {
  uint64_t start = now_ns();
  bool enabled = limits.delay_ns == 0;
  uint64_t enable_at = start + limits.delay_ns;
  uint64_t end_at = limits.duration_ns == 0 ? UINT64_MAX : enable_at + limits.duration_ns;
  uint64_t next_progress = start, samples_before = stage_.samples();
  Asked asked;
  StopReason reason = StopReason::kTargetEnded;
  for (;;) {
    uint64_t deadline =
        std::min({end_at, last_flush_ns_ + kSecond, enabled ? UINT64_MAX : enable_at, on_progress ? next_progress : UINT64_MAX});
    Result<TargetState> state = engine.pump(stage_, signals.fd(), deadline);
    if (!state) {
      engine.stop(stage_);
      end_ns_ = now_ns();
      collect(engine);
      return std::move(state).error();
    }
    uint64_t now = now_ns();
    if (handle_signals(engine, signals, asked)) {
      reason = StopReason::kSignal;
      break;
    }
    if (*state == TargetState::kEnded) {
      if (asked.count > 0) { reason = StopReason::kSignal; }  // whatever its exit code
      break;
    }
    if (now >= end_at) {
      reason = StopReason::kDuration;
      break;
    }
    if (!enabled && now >= enable_at) {
      engine.enable();
      enabled = true;
    }
    bool nearly_full =
        limits.max_size_bytes != 0 && file_.size_bytes() + writer_.pending_samples() * kLeastSampleBytes >= limits.max_size_bytes;
    if (now >= last_flush_ns_ + kSecond || writer_.pending_samples() >= kSamplesPerBlock || nearly_full) { flush(); }
    if (file_.failed()) {
      reason = StopReason::kDiskFull;
      break;
    }
    if (limits.max_size_bytes != 0 && file_.size_bytes() >= limits.max_size_bytes) {
      reason = StopReason::kMaxSize;
      break;
    }
    if (on_progress && now >= next_progress) {
      next_progress = now + kProgressNs;
      std::vector<EngineCounter> counters = engine.counters();
      uint64_t lost = 0;
      for (const EngineCounter& counter : counters) { lost += counter.name.starts_with("lost.") ? counter.value : 0; }
      on_progress({now - start, stage_.samples() - samples_before, lost, file_.size_bytes(), !enabled});
    }
  }
  engine.stop(stage_);
  end_ns_ = now_ns();
  collect(engine);
  flush();
  stopped_by_ = reason;
  return reason;
}

void Recording::collect(Engine& engine) {
  engine_ = engine.info();
  for (const EngineCounter& counter : engine.counters()) {
    auto same =
        std::find_if(counters_.begin(), counters_.end(), [&](const capture::Counter& c) { return c.name == counter.name; });
    if (same == counters_.end()) {
      counters_.push_back({counter.name, counter.value});
    } else {
      same->value += counter.value;
    }
  }
  std::vector<KernelCode> code = engine.kernel_code();
  own_code_.insert(own_code_.end(), code.begin(), code.end());
  for (const std::string& note : engine.notes()) {
    bool is_known = std::find(notes_.begin(), notes_.end(), note) != notes_.end();  // in an earlier run
    if (!is_known) { notes_.push_back(note); }
  }
}

std::vector<capture::FrameSymbols> Recording::name_all(Naming naming, const SymbolSources& sources,
                                                       std::span<const uint64_t> leaf_samples) {
  const std::vector<capture::Module>& modules = stage_.stacks().modules();
  const std::vector<capture::Frame>& frames = stage_.stacks().frames();
  std::vector<std::string> mismatched;
  if (naming == Naming::kAtOnce) {
    std::vector<capture::FrameSymbols> all = name_frames(modules, frames, stage_.stacks().opened(), mismatched, sources,
                                                         {leaf_samples, stage_.prepared_names(), nullptr, own_code_});
    name_generated_frames(stage_.stacks(), all);
    return all;
  }
  std::vector<capture::FrameSymbols> all(frames.size());
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < frames.size(); ++row) {
    all[row].frame = {row};
    capture::ModuleId module = frames[row].module;
    if (module.valid() && !can_be_named_later(modules[module.value].kind)) { rows.push_back(row); }
  }
  std::vector<bool> looked(frames.size());
  for (capture::FrameSymbols& named :
       name_rows(modules, frames, rows, stage_.stacks().opened(), mismatched, sources, {}, own_code_)) {
    looked[named.frame.value] = true;
    all[named.frame.value].chain = std::move(named.chain);
  }
  name_generated_frames(stage_.stacks(), all);
  std::erase_if(all, [&](const capture::FrameSymbols& named) { return named.chain.empty() && !looked[named.frame.value]; });
  return all;
}

Result<RecordingOutcome> Recording::finish(Naming naming, const SymbolSources& sources) {
  RecordingOutcome out;
  out.elapsed_ns = end_ns_ - begin_ns_;
  out.stopped_by = stopped_by_;
  out.totals = stage_.totals();
  out.notes = notes_;
  out.events = info_.events;
  out.engine = engine_;
  if (engine_.shares_clock) { counters_.push_back({"cpu.shared_clock", 1}); }
  if (engine_.hides_kernel_time) { counters_.push_back({"kernel.unseen", 1}); }
  if (out.totals.in_32bit > 0) { out.notes.push_back("stacks of 32-bit programs are not unwound"); }
  for (size_t i = 0; i < std::size(kQualityNames); ++i) {
    if (kQualityNames[i] == nullptr) { continue; }  // only in older files
    counters_.push_back({std::string("stacks.") + kQualityNames[i], out.totals.quality[i]});
  }
  for (size_t i = 0; i < std::size(kBadQualityNames); ++i) {
    counters_.push_back({std::string("stacks.") + kBadQualityNames[i], out.totals.quality[16 + i]});
  }
  for (const capture::Counter& counter : counters_) { out.lost += counter.name.starts_with("lost.") ? counter.value : 0; }

  out.cpu_ns = counter_value(counters_, "cpu.total_ns");
  bool by_clock = !info_.events.empty() && info_.events.size() == 1 && info_.events[0].unit == "ns";
  bool hidden = engine_.hides_kernel_time;
  std::vector<ThreadTime> times = stage_.times();
  uint64_t first_rate_hz = info_.events.empty() ? 0 : info_.events[0].rate_hz;
  BalanceRules rules{.shared_clock = engine_.shares_clock,
                     .user_only = hidden,
                     .has_gaps = counter_value(counters_, "lost.ring_full") != 0 || counter_value(counters_, "cpu.late_ns") != 0,
                     .period = first_rate_hz == 0 ? 0 : kSecond / first_rate_hz,
                     .way_out = counter_value(counters_, "cpu.way_out_ns"),
                     .afterwards = counter_value(counters_, "cpu.afterwards_ns")};
  std::vector<ThreadBalance> balances = balance_times(times, rules);
  out.times = add_up(times, balances);
  if (by_clock && !hidden) { out.cpu_ns = std::max(out.cpu_ns, out.times.sampled + out.times.unsampled); }
  if (hidden && by_clock) {
    uint64_t rate_hz = std::max<uint64_t>(info_.events[0].rate_hz, 1);
    uint64_t period = out.totals.samples > 0 ? out.totals.weight / out.totals.samples : kSecond / rate_hz;
    uint64_t seen = out.times.sampled + out.times.unsampled + out.lost * period;
    out.unseen_ns = out.cpu_ns > seen ? out.cpu_ns - seen : 0;
  } else if (hidden) {
    out.unseen_ns = std::min(counter_value(counters_, "cpu.system_ns"), out.cpu_ns);
  }
  if (hidden) { counters_.push_back({"kernel.unseen_ns", out.unseen_ns}); }

  std::vector<uint64_t> leaf_weight = balanced_leaves(stage_.leaf_weights(), times, balances, out.totals.leaf_samples.size());
  std::vector<capture::FrameSymbols> symbols = name_all(naming, sources, out.totals.leaf_samples);
  std::map<std::pair<std::string, std::string>, uint64_t> by_linkage_name;
  std::vector<LackingModule> unnamed(stage_.stacks().modules().size()), lineless(unnamed.size());
  for (const capture::FrameSymbols& named : symbols) {
    uint64_t samples = out.totals.leaf_samples[named.frame.value], weight = leaf_weight[named.frame.value];
    const capture::Frame& frame = stage_.stacks().frames()[named.frame.value];
    const capture::Module& module = stage_.stacks().modules()[frame.module.value];
    bool is_known = is_named(named);
    std::string bare = is_known ? "" : nameless_function(module);
    if (!is_known && !named.chain.empty()) { bare.insert(bare.size() - 1, named.chain[0].function); }  // "[gzip+0x4a20]"
    if (weight > 0 && is_known) {
      const capture::SymbolFrame& own = find_own_function(named.chain);
      by_linkage_name[{own.function, shown_module(module, true)}] += weight;
      out.glue_folded = out.glue_folded || &own != &named.chain[0];
    } else if (weight > 0) {
      by_linkage_name[{bare, shown_module(module, false)}] += weight;
    }
    if (!is_known) {
      unnamed[frame.module.value].samples += samples;
    } else if (named.chain[0].line == 0 && module.kind == capture::ModuleKind::kFile) {
      lineless[frame.module.value].samples += samples;
    }
  }
  for (auto [from, to] : {std::pair{&unnamed, &out.unnamed}, std::pair{&lineless, &out.lineless}}) {
    for (size_t i = 0; i < from->size(); ++i) {
      if ((*from)[i].samples == 0) { continue; }
      const capture::Module& module = stage_.stacks().modules()[i];
      const LoadedModule* file = stage_.stacks().opened()[i];
      std::string trouble = file == nullptr ? "" : file->file.is_damaged() ? "truncated while recording" : file->trouble;
      to->push_back({module.path, module.build_id, std::move(trouble), (*from)[i].samples});
    }
    std::stable_sort(to->begin(), to->end(),
                     [](const LackingModule& a, const LackingModule& b) { return a.samples > b.samples; });
  }
  if (naming == Naming::kAtOnce) { out.hottest = compute_hottest(by_linkage_name); }

  for (capture::FrameSymbols& named : symbols) { writer_.add_symbols(std::move(named)); }
  for (const capture::Counter& counter : counters_) { writer_.set_counter(counter.name, counter.value); }
  file_.append(writer_.finish());
  Status closed = file_.close();
  out.file_bytes = file_.size_bytes();
  out.counters = counters_;
  if (!closed.ok()) { return std::move(closed).error(); }
  return out;
}

}  // namespace wick
