// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/unwind_stage.h"

#include <algorithm>

namespace wick {
namespace {
// For fewer samples, distributing work costs more than doing it.
constexpr size_t kSamplesWorthSharing = 64;
// A file is worth preparing for symbols after this many samples in it, or since it first appeared in a stack.
constexpr uint32_t kHotSamples = 16;
constexpr uint64_t kSeenSamples = 256;
// Per stack: other threads may map and unmap in the meantime.
constexpr unsigned kMostWalks = 4;
}  // namespace

UnwindStage::UnwindStage(UnwindOptions options, ProcessSource& source, capture::RowSink& writer)
    : options_(std::move(options)),
      writer_(writer),
      modules_(std::make_shared<ModuleStore>(options_.cache_dir)),
      processes_(source, *modules_, writer),
      stacks_(writer, options_.alike),
      pool_(options_.workers, source.runs_meanwhile()) {
  WalkOptions walk;
  walk.arch = options_.arch;
  walk.max_depth = options_.max_depth;
  if (options_.names) { names_.emplace(modules_, *options_.names); }
  for (unsigned i = 0; i < pool_.size(); ++i) { unwinders_.push_back(std::make_unique<StackUnwinder>(walk)); }
}

UnwindStage::~UnwindStage() = default;

void UnwindStage::consume(RawBatch& batch) {
  size_t side = 0, to_walk = 0;
  if (jobs_.size() < batch.samples.size()) { jobs_.resize(batch.samples.size()); }
  for (size_t i = 0; i < batch.samples.size(); ++i) {
    RawSample& sample = batch.samples[i];
    while (side < batch.side.size() && time_of(batch.side[side]) <= sample.time_ns) { processes_.apply(batch.side[side++]); }
    Job& job = jobs_[i];
    job.sample = &sample;
    job.thread = &processes_.sampled_thread(sample.pid, sample.tid, sample.time_ns);
    // Here, not when it is stored: a following exec takes over what was counted until then.
    if (sample.event == 0) { processes_.add_weight(*job.thread, sample.weight); }
    job.space = job.thread->process->space;
    job.process_ran = job.thread->process->ran;
    job.thread->process->ran |= !sample.in_kernel;
    job.frames.clear();
    job.user_chain = {};
    to_walk += is_by_tables(sample);
  }
  std::span<Job> jobs(jobs_.data(), batch.samples.size());
  if (to_walk >= kSamplesWorthSharing && pool_.size() > 1) {
    pool_.run([&](unsigned worker) {
      for (Job& job : jobs) {
        if (job.sample->tid % pool_.size() == worker) { unwind(job, *unwinders_[worker]); }
      }
    });
  } else {
    for (Job& job : jobs) { unwind(job, *unwinders_[job.sample->tid % pool_.size()]); }
  }
  for (Job& job : jobs) { store(job); }
  while (side < batch.side.size()) { processes_.apply(batch.side[side++]); }
  uint64_t latest = batch.samples.empty() ? 0 : batch.samples.back().time_ns;
  if (!batch.side.empty()) { latest = std::max(latest, time_of(batch.side.back())); }
  processes_.drop_ended(latest);
}

// Whether its stack is unwound here; otherwise it already is, or must not be.
bool UnwindStage::is_by_tables(const RawSample& sample) const {
  if (sample.wait != nullptr) { return options_.mode != UnwindMode::kNone; }  // the kernel follows no frame pointers of these
  if (options_.mode) { return *options_.mode == UnwindMode::kDwarf; }
  return sample.is_32bit ? sample.user_chain.empty() : sample.user.valid != 0;
}

void UnwindStage::unwind(Job& job, StackUnwinder& unwinder) {
  RawSample& sample = *job.sample;
  if (is_by_tables(sample)) {
    // During exec the old program is gone, but its registers remain.
    uint64_t user_pc = sample.user.value[register_numbers(options_.arch).pc];
    if (sample.wait != nullptr && sample.user.valid == 0) {
      job.quality = capture::StackQuality::kMissed;
      return;
    }
    bool in_exec = sample.in_kernel && !job.process_ran && job.space->find(user_pc) == nullptr;
    if (sample.user.valid != 0 && !in_exec) {
      job.quality = unwinder.unwind(sample, *job.space, job.frames);
      bool lacks_registers = sample.wait != nullptr && job.quality == capture::StackQuality::kBadRow;
      if (lacks_registers) { job.quality = capture::StackQuality::kNoRegister; }
      if (sample.memory != nullptr) {
        bool is_certain = goes_through_known_code(job, unwinder.unmapped());
        for (unsigned walks = 1; !is_certain && walks < kMostWalks; ++walks) {
          job.quality = unwinder.unwind(sample, *job.space, job.frames);
          is_certain = goes_through_known_code(job, unwinder.unmapped());
        }
        if (!is_certain) {
          job.frames.resize(1);
          job.quality = capture::StackQuality::kNoMapping;
        }
        sample.memory->let_go();
      }
    } else if (sample.is_32bit) {
      job.quality = capture::StackQuality::kNoRow;
      if (!sample.in_kernel) { job.frames.push_back({sample.ip, 0, 0}); }
    } else {
      job.quality = capture::StackQuality::kKernelThread;
    }
    return;
  }
  bool is_asked = options_.mode != UnwindMode::kNone;
  if (!is_asked || sample.user_chain.empty()) {
    bool kernel_only = is_asked && sample.in_kernel;
    job.quality = kernel_only ? capture::StackQuality::kKernelThread : capture::StackQuality::kNotWalked;
    if (!sample.in_kernel) { job.frames.push_back({sample.ip, 0, 0}); }
    return;
  }
  job.user_chain = sample.user_chain.first(std::min<size_t>(sample.user_chain.size(), options_.max_depth));
  bool cut = job.user_chain.size() < sample.user_chain.size() ||
             sample.user_chain.size() + sample.kernel_chain.size() >= options_.max_chain;
  job.quality = cut ? capture::StackQuality::kTooDeep : capture::StackQuality::kFramePointers;
}

// Checked while the thread is stopped. If not, the address space is corrected and the stack is unwound again. Such samples come
// one by one, so no other worker unwinds at the same time.
bool UnwindStage::goes_through_known_code(Job& job, uint64_t unmapped) {
  addresses_.clear();
  for (const WalkedFrame& frame : job.frames) { addresses_.push_back(frame.address); }
  if (job.quality == capture::StackQuality::kNoMapping) { addresses_.push_back(unmapped); }
  std::vector<SideEvent> news;
  if (job.sample->memory->matches_reported_code(addresses_, capture::is_whole(job.quality), news)) { return true; }
  for (const SideEvent& event : news) { processes_.apply(event); }
  job.space = job.thread->process->space;
  return false;
}

// All addresses of the stack, root first; returns how many are in user space. Return addresses are moved inside their call.
size_t UnwindStage::lay_out(const Job& job) {
  const RawSample& sample = *job.sample;
  size_t user = job.user_chain.empty() ? job.frames.size() : job.user_chain.size();
  size_t kernel = sample.in_kernel ? std::max<size_t>(1, sample.kernel_chain.size()) : sample.kernel_chain.size();
  addresses_.resize(user + kernel);
  if (job.user_chain.empty()) {
    for (size_t i = 0; i < user; ++i) { addresses_[user - 1 - i] = job.frames[i].address; }
  } else {
    for (size_t i = 0; i < user; ++i) { addresses_[user - 1 - i] = job.user_chain[i] - 1; }
    if (!sample.in_kernel) { ++addresses_[user - 1]; }
  }
  if (sample.kernel_chain.empty()) {
    if (kernel > 0) { addresses_[user] = sample.ip; }
    return user;
  }
  for (size_t i = 0; i < kernel; ++i) { addresses_[user + kernel - 1 - i] = sample.kernel_chain[i] - (i > 0 ? 1 : 0); }
  return user;
}

void UnwindStage::store(Job& job) {
  const RawSample& sample = *job.sample;
  size_t user = lay_out(job);
  size_t known_modules = stacks_.modules().size();
  capture::Sample row;
  row.time_ns = sample.time_ns;
  row.thread = job.thread->row;
  row.stack = stacks_.add(*job.thread, *job.space, addresses_, user, sample.time_ns);
  row.event = sample.event;
  row.cpu = sample.cpu;
  row.weight = sample.weight;
  row.quality = job.quality;
  if (sample.wait != nullptr) { row.wait = add_wait(sample); }
  writer_.add_sample(row);
  for (size_t i = known_modules; i < stacks_.modules().size(); ++i) {
    preparer_.add(stacks_.opened()[i]);
    waiting_.push_back({i, totals_.samples});
  }
  if (names_) { prepare_names(row.stack); }

  ++totals_.samples;
  if (totals_.event_samples.size() <= sample.event) { totals_.event_samples.resize(sample.event + 1); }
  ++totals_.event_samples[sample.event];
  totals_.weight += sample.weight;
  totals_.in_kernel += sample.in_kernel;
  totals_.in_32bit += sample.is_32bit;
  ++totals_.quality[static_cast<size_t>(job.quality)];
  if (row.stack.valid()) {
    size_t leaf = stacks_.innermost(row.stack).value;
    if (totals_.leaf_samples.size() <= leaf) { totals_.leaf_samples.resize(std::max(leaf + 1, totals_.leaf_samples.size() * 2)); }
    ++totals_.leaf_samples[leaf];
    if (sample.event == 0) { leaf_weights_[uint64_t{row.thread.value} << 32 | leaf] += sample.weight; }
  }
}

capture::WaitId UnwindStage::add_wait(const RawSample& sample) {
  const capture::WaitCause& why = *sample.wait;
  auto [found, is_new] = causes_.try_emplace({why.kind, why.object});
  if (is_new) { found->second = writer_.add_cause(why); }
  return writer_.add_wait({found->second, sample.wait_ns, sample.wait_has_ended});
}

// Hot files first, then all others that were seen: these will be symbolized.
void UnwindStage::prepare_names(capture::StackId stack) {
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

UnwindTotals UnwindStage::totals() const {
  UnwindTotals totals = totals_;
  totals.leaf_samples.resize(stacks_.frames().size());
  totals.threads = processes_.sampled_threads();
  totals.processes = processes_.sampled_processes();
  return totals;
}

std::vector<LeafWeight> UnwindStage::leaf_weights() const {
  std::vector<LeafWeight> out;
  for (const auto& [key, weight] : leaf_weights_) {
    out.push_back({static_cast<uint32_t>(key >> 32), static_cast<uint32_t>(key), weight});
  }
  return out;
}

}  // namespace wick
