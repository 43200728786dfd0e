// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/live_stage.h"

#include <algorithm>

namespace wick {
namespace {
// Below this, handing work to other threads costs more than doing it.
constexpr size_t kSamplesWorthSharing = 64;
// When a file is worth being prepared for names: samples in it, and samples since it was first in a stack.
constexpr uint32_t kHotSamples = 16;
constexpr uint64_t kSeenSamples = 256;
}  // namespace

LiveStage::LiveStage(LiveOptions options, capture::RowSink& writer)
    : options_(std::move(options)),
      writer_(writer),
      modules_(std::make_shared<ModuleStore>(options_.cache_dir)),
      processes_(*modules_, writer, options_.open, options_.life),
      stacks_(writer, options_.alike),
      pool_(options_.workers, !options_.open) {
  WalkOptions walk;
  walk.arch = options_.arch;
  walk.max_depth = options_.max_depth;
  if (options_.names) { names_.emplace(modules_, *options_.names); }
  for (unsigned i = 0; i < pool_.size(); ++i) { unwinders_.push_back(std::make_unique<StackUnwinder>(walk)); }
}

LiveStage::~LiveStage() = default;

void LiveStage::consume(RawBatch& batch) {
  size_t side = 0;
  if (jobs_.size() < batch.samples.size()) { jobs_.resize(batch.samples.size()); }
  for (size_t i = 0; i < batch.samples.size(); ++i) {
    const RawSample& sample = batch.samples[i];
    while (side < batch.side.size() && time_of(batch.side[side]) <= sample.time_ns) { processes_.apply(batch.side[side++]); }
    Job& job = jobs_[i];
    job.sample = &sample;
    job.thread = &processes_.sampled_thread(sample.pid, sample.tid, sample.time_ns);
    job.space = job.thread->process->space;
    job.process_ran = job.thread->process->ran;
    job.thread->process->ran |= !sample.in_kernel;
    job.frames.clear();
  }
  std::span<Job> jobs(jobs_.data(), batch.samples.size());
  if (jobs.size() >= kSamplesWorthSharing && pool_.size() > 1) {
    pool_.run([&](unsigned worker) {
      for (Job& job : jobs) {
        if (job.sample->tid % pool_.size() == worker) { unwind(job, *unwinders_[worker]); }
      }
    });
  } else {
    for (Job& job : jobs) { unwind(job, *unwinders_[job.sample->tid % pool_.size()]); }
  }
  for (Job& job : jobs) {
    // A later sample of the thread may have become whole, and the same outer frames with it.
    bool joined = job.quality == capture::StackQuality::kCut &&
                  unwinders_[job.sample->tid % pool_.size()]->join_later(job.sample->tid, job.frames);
    if (joined) { job.quality = capture::StackQuality::kJoined; }
    store(job);
  }
  while (side < batch.side.size()) { processes_.apply(batch.side[side++]); }
  processes_.drop_ended();
}

void LiveStage::unwind(Job& job, StackUnwinder& unwinder) {
  const RawSample& sample = *job.sample;
  bool past = static_cast<bool>(options_.open);
  bool by_tables = past ? sample.user.valid != 0 || sample.is_32bit : options_.unwind == UnwindMode::kDwarf;
  if (by_tables && !(past && sample.is_32bit && !sample.user_chain.empty())) {
    // Inside exec the old program is gone, but its registers are still there.
    uint64_t user_pc = sample.user.value[register_numbers(options_.arch).pc];
    bool in_exec = sample.in_kernel && !job.process_ran && job.space->find(user_pc) == nullptr;
    if (sample.user.valid != 0 && !in_exec) {
      job.quality = unwinder.unwind(sample, *job.space, !past, job.frames);
    } else if (sample.is_32bit) {
      job.quality = capture::StackQuality::kNoRow;
      if (!sample.in_kernel) { job.frames.push_back({sample.ip, 0, 0}); }
    } else {
      job.quality = capture::StackQuality::kKernelThread;
    }
    return;
  }
  if (options_.unwind == UnwindMode::kNone || sample.user_chain.empty()) {
    bool kernel_only = options_.unwind != UnwindMode::kNone && sample.in_kernel;
    job.quality = kernel_only ? capture::StackQuality::kKernelThread : capture::StackQuality::kNotWalked;
    if (!sample.in_kernel) { job.frames.push_back({sample.ip, 0, 0}); }
    return;
  }
  job.frames.resize(sample.user_chain.size());
  for (size_t i = 0; i < sample.user_chain.size(); ++i) {
    bool exact = i == 0 && !sample.in_kernel;  // return addresses are looked up inside their call
    job.frames[i].address = sample.user_chain[i] - (exact ? 0 : 1);
  }
  bool cut = sample.user_chain.size() + sample.kernel_chain.size() >= options_.max_chain;
  if (job.frames.size() > options_.max_depth) {
    job.frames.resize(options_.max_depth);
    cut = true;
  }
  job.quality = cut ? capture::StackQuality::kTooDeep : capture::StackQuality::kFramePointers;
}

void LiveStage::store(Job& job) {
  const RawSample& sample = *job.sample;
  std::vector<uint64_t>& kernel = kernel_;
  kernel.assign(sample.kernel_chain.begin(), sample.kernel_chain.end());
  if (sample.in_kernel && kernel.empty()) { kernel.push_back(sample.ip); }
  for (size_t i = 1; i < kernel.size(); ++i) { --kernel[i]; }

  size_t known_modules = stacks_.modules().size();
  capture::Sample row;
  row.time_ns = sample.time_ns;
  row.thread = job.thread->row;
  row.stack = stacks_.add(*job.thread, *job.space, kernel, job.frames, sample.time_ns);
  row.event = sample.event;
  row.cpu = sample.cpu;
  row.weight = sample.weight;
  row.quality = job.quality;
  writer_.add_sample(row);
  for (size_t i = known_modules; i < stacks_.modules().size(); ++i) {
    preparer_.add(stacks_.opened()[i]);
    waiting_.push_back({i, totals_.samples});
  }
  if (names_) { prepare_names(row.stack); }

  ++totals_.samples;
  if (totals_.event_samples.size() <= sample.event) { totals_.event_samples.resize(sample.event + 1); }
  ++totals_.event_samples[sample.event];
  if (sample.event == 0) { totals_.first_weight += sample.weight; }
  totals_.weight += sample.weight;
  totals_.in_kernel += sample.in_kernel;
  totals_.in_32bit += sample.is_32bit;
  ++totals_.quality[static_cast<size_t>(job.quality)];
  if (row.stack.valid()) {
    size_t leaf = stacks_.innermost(row.stack).value;
    if (totals_.leaf_samples.size() <= leaf) {
      totals_.leaf_samples.resize(std::max(leaf + 1, totals_.leaf_samples.size() * 2));
      totals_.leaf_weight.resize(totals_.leaf_samples.size());
    }
    ++totals_.leaf_samples[leaf];
    if (sample.event == 0) { totals_.leaf_weight[leaf] += sample.weight; }
  }
}

// Hot files first, and then all that was seen: those are the ones that will be named.
void LiveStage::prepare_names(capture::StackId stack) {
  module_samples_.resize(stacks_.modules().size());
  if (stack.valid()) {
    size_t module = stacks_.frames()[stacks_.innermost(stack).value].module.value;
    if (++module_samples_[module] == kHotSamples) { names_->add(stacks_.opened()[module]); }
  }
  while (!waiting_.empty() && totals_.samples >= waiting_.front().samples + kSeenSamples) {
    names_->add(stacks_.opened()[waiting_.front().module]);
    waiting_.pop_front();
  }
}

LiveTotals LiveStage::totals() const {
  LiveTotals totals = totals_;
  totals.leaf_samples.resize(stacks_.frames().size());
  totals.leaf_weight.resize(stacks_.frames().size());
  totals.threads = processes_.sampled_threads();
  totals.processes = processes_.sampled_processes();
  for (const auto& unwinder : unwinders_) { totals.unreadable += unwinder->refused(); }
  return totals;
}

}  // namespace wick
