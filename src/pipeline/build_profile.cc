// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Capture -> Profile. A captured stack is a chain of addresses; in the profile each address becomes the functions that were
// inlined there, so one captured row may become several. Only stacks that samples name are built, each once.
//
// Whether a stack is whole is known per sample, not per stack: the same rows may be a whole stack in one sample and the inner
// part of a cut one in another. A cut one gets the outermost frame "[cut stack]", so that no view takes it for a whole one.

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text.h"
#include "model/profile_builder.h"
#include "pipeline/load.h"
#include "pipeline/symbolize_capture.h"

namespace wick {
namespace {

using capture::Capture;
using capture::FrameSymbols;
using capture::ModuleKind;
using capture::StackQuality;

// What stands for a function of this module whose name is not known.
std::string nameless(const capture::Module& module) {
  std::string_view path = without_deleted(module.path);
  std::string_view base = path.substr(path.find_last_of('/') + 1);
  switch (module.kind) {
    case ModuleKind::kKernel: return "[kernel]";
    case ModuleKind::kUnknown: return "[unknown]";
    case ModuleKind::kAnonymous:
      if (path.empty() || path.starts_with("//anon") || base.empty()) { return "[anon]"; }
      break;
    case ModuleKind::kFile:
    case ModuleKind::kVdso: break;
  }
  if (base.empty()) { return "[unknown]"; }
  return base.starts_with("[") ? std::string(base) : "[" + std::string(base) + "]";
}

const char* quality_name(StackQuality quality) {
  switch (quality) {
    case StackQuality::kCut: return "stacks.cut";
    case StackQuality::kNoRow: return "stacks.no_row";
    case StackQuality::kBadRow: return "stacks.bad_row";
    case StackQuality::kTooDeep: return "stacks.too_deep";
    case StackQuality::kNoMapping: return "stacks.no_mapping";
    case StackQuality::kFramePointers: return "stacks.frame_pointers";
    default: return capture::is_whole(quality) ? "" : "stacks.not_whole";
  }
}

class Loader {
 public:
  Loader(const Capture& capture, const LoadOptions& options)
      : capture_(capture),
        options_(options),
        symbols_of_(capture.frames.size()),
        frames_(capture.frames.size()),
        stacks_(capture.stacks.size()),
        cut_stacks_(capture.stacks.size()),
        inlined_left_((uint64_t{4} << 20) + 8 * capture.stacks.size()) {}
  Profile build();

 private:
  void add_warnings();
  void find_names();
  void warn_of_change(const std::string& path);
  void add_modules();
  void add_threads();
  void add_samples();
  void add_losses();

  void build_frame(capture::FrameId id);
  StackId build_stack(capture::StackId id, bool whole);
  FunctionId function(const std::string& linkage_name, uint32_t module_row);

  struct ModuleRow {
    ModuleId id;
    FunctionId nameless;
  };
  struct FrameRow {
    uint32_t first = 0, count = 0;
  };  // in chain_frames_; count 0: not built yet

  const Capture& capture_;
  const LoadOptions& options_;
  ProfileBuilder builder_;
  std::vector<FrameSymbols> named_now_;
  std::vector<const FrameSymbols*> symbols_of_;
  std::vector<ModuleRow> modules_;  // the last one: of frames without a module
  std::vector<ThreadId> threads_;
  std::vector<EventId> events_;
  std::vector<FrameRow> frames_;
  std::vector<FrameId> chain_frames_;
  std::vector<StackId> stacks_, cut_stacks_;
  std::vector<capture::StackId> path_;
  std::unordered_map<std::string_view, StringId> shown_;
  // Stacks that are not whole, or of which that is not known: of event << 8 | quality.
  std::map<uint64_t, uint64_t> not_whole_;
  // Long chains in many stacks multiply: a small hostile file could ask for any amount of memory. No honest one comes near.
  uint64_t inlined_left_;
  bool inlined_left_out_ = false;
};

Profile Loader::build() {
  builder_.set_command(capture_.info.command);
  builder_.set_start(capture_.info.start_ns, capture_.info.start_wall_ns);
  builder_.reserve(capture_.samples.size(), capture_.stacks.size(), capture_.frames.size());
  add_warnings();
  find_names();
  add_modules();
  add_threads();
  add_samples();
  add_losses();
  if (inlined_left_out_) { builder_.add_warning("inlined functions are left out of some stacks: there are too many of them"); }
  return std::move(builder_).build();
}

void Loader::add_warnings() {
  if (!capture_.damage.empty()) {
    builder_.add_warning(strf("the file is damaged: %s; what stood before it is shown", capture_.damage.c_str()));
  } else if (!capture_.complete) {
    builder_.add_warning("the recording was not finished: what was written until then is shown");
  }
  // Else "none lost" would be read out of counters that nobody wrote.
  auto tells_loss = [](const capture::Counter& c) { return c.name.starts_with("lost."); };
  bool losses_known = std::any_of(capture_.counters.begin(), capture_.counters.end(), tells_loss);
  if (!capture_.complete && !losses_known) {
    builder_.set_losses_unknown();
    builder_.add_warning("how many samples were lost is not known: that part is missing");
  }
  // Else all shares would be taken for shares of all the time.
  auto counter = [&](std::string_view name) {
    auto found = std::find_if(capture_.counters.begin(), capture_.counters.end(),
                              [&](const capture::Counter& c) { return c.name == name; });
    return found != capture_.counters.end() ? found->value : 0;
  };
  uint64_t unseen = counter("kernel.unseen_ns"), all = counter("cpu.total_ns");
  if (unseen > 0 && unseen * 200 > all) {
    builder_.add_warning(strf("only user space was seen: %.2f s of %.2f s CPU time were spent in the kernel",
                              static_cast<double>(unseen) / 1e9, static_cast<double>(all) / 1e9));
  }
}

// The recording carries the names of what was hit. One that was not finished, or made with --no-symbols, lacks them: then the
// files may still be here. Where the user says that there is more to be found, what has no lines is looked for again.
void Loader::find_names() {
  for (const FrameSymbols& symbols : capture_.symbols) { symbols_of_[symbols.frame.value] = &symbols; }
  bool kernel_too = is_of_running_kernel(capture_.info);
  std::vector<uint32_t> missing;
  for (uint32_t row = 0; row < capture_.frames.size(); ++row) {
    const capture::Frame& frame = capture_.frames[row];
    bool known = symbols_of_[row] != nullptr && (!options_.sources.debug.any() || has_line(*symbols_of_[row]));
    if (known || !frame.module.valid()) { continue; }
    if (has_names_now(capture_.modules[frame.module.value].kind, kernel_too)) { missing.push_back(row); }
  }
  if (missing.empty()) { return; }
  std::vector<std::string> mismatched;
  named_now_ = name_rows(capture_.modules, capture_.frames, missing, {}, mismatched, options_.sources);
  for (const FrameSymbols& symbols : named_now_) {
    const FrameSymbols*& slot = symbols_of_[symbols.frame.value];
    if (slot == nullptr || is_named(symbols) || slot->chain.empty()) { slot = &symbols; }
  }
  for (const std::string& path : mismatched) { warn_of_change(path); }
}

void Loader::warn_of_change(const std::string& path) {
  uint64_t samples = 0;
  std::string build_id;
  for (const capture::Sample& sample : capture_.samples) {
    if (!sample.stack.valid()) { continue; }
    capture::FrameId frame = capture_.stacks[sample.stack.value].frame;
    capture::ModuleId module = capture_.frames[frame.value].module;
    if (!module.valid() || capture_.modules[module.value].path != path) { continue; }
    build_id = capture_.modules[module.value].build_id;
    samples += symbols_of_[frame.value] == nullptr || !is_named(*symbols_of_[frame.value]);
  }
  std::string what = samples == 0   ? "its functions have"
                     : samples == 1 ? "its 1 sample has"
                                    : "its " + group_thousands(samples) + " samples have";
  std::string id = !is_build_id(build_id) ? "" : " (build-id " + build_id.substr(0, 12) + ")";
  builder_.add_warning(strf("%s has changed since it was recorded%s: %s no names", path.c_str(), id.c_str(), what.c_str()));
}

void Loader::add_modules() {
  for (const capture::Module& module : capture_.modules) {
    std::string stand_in = nameless(module);
    ModuleRow row;
    if (module.kind != ModuleKind::kUnknown) {
      std::string_view path = without_deleted(module.path);
      bool bracketed = module.kind != ModuleKind::kFile;
      std::string_view name = bracketed ? std::string_view(stand_in) : path.substr(path.find_last_of('/') + 1);
      row.id = builder_.module({.name = builder_.string(name),
                                .path = builder_.string(path),
                                .build_id = builder_.string(module.build_id),
                                .kernel = module.kind == ModuleKind::kKernel});
    }
    row.nameless = builder_.function(stand_in, {}, row.id, false);
    modules_.push_back(row);
  }
  modules_.push_back({ModuleId{}, builder_.function("[unknown]", {}, {}, false)});
}

void Loader::add_threads() {
  std::vector<ProcessId> process_of(capture_.threads.size());
  for (uint32_t i = 0; i < capture_.threads.size(); ++i) {
    const capture::Thread& thread = capture_.threads[i];
    uint32_t first = thread.process.valid() ? thread.process.value : i;
    ProcessId& process = process_of[first];
    if (!process.valid()) {
      const capture::Thread& t = capture_.threads[first];
      process = builder_.add_process(t.pid, t.name, t.parent_pid, t.start_ns, t.end_ns);
    }
    threads_.push_back(builder_.add_thread(process, thread.tid, thread.name, thread.start_ns, thread.end_ns));
  }
}

FunctionId Loader::function(const std::string& linkage_name, uint32_t module_row) {
  if (linkage_name.empty()) { return modules_[module_row].nameless; }
  if (linkage_name.starts_with("+0x") && module_row < capture_.modules.size()) {  // "[gzip+0x4a20]"
    std::string name = nameless(capture_.modules[module_row]);
    name.insert(name.ends_with(']') ? name.size() - 1 : name.size(), linkage_name);
    return builder_.function(name, linkage_name, modules_[module_row].id, false);
  }
  auto [found, is_new] = shown_.try_emplace(linkage_name);
  if (is_new) { found->second = builder_.string(shown_function(linkage_name, options_.names)); }
  return builder_.function({.name = found->second, .raw_name = builder_.string(linkage_name), .module = modules_[module_row].id});
}

void Loader::build_frame(capture::FrameId id) {
  const capture::Frame& frame = capture_.frames[id.value];
  uint32_t module_row = frame.module.valid() ? frame.module.value : static_cast<uint32_t>(modules_.size() - 1);
  FrameRow& row = frames_[id.value];
  row.first = static_cast<uint32_t>(chain_frames_.size());
  const FrameSymbols* symbols = symbols_of_[id.value];
  if (symbols == nullptr || symbols->chain.empty()) {
    chain_frames_.push_back(builder_.frame({.function = modules_[module_row].nameless, .address = frame.address}));
  } else {
    size_t first = options_.inlines == Inlines::kShow ? 0 : symbols->chain.size() - 1;
    for (size_t i = first; i < symbols->chain.size(); ++i) {
      const capture::SymbolFrame& s = symbols->chain[i];
      chain_frames_.push_back(builder_.frame({.function = function(s.function, module_row),
                                              .address = frame.address,
                                              .file = builder_.string(s.file),
                                              .line = s.line,
                                              .column = s.column,
                                              .inlined = i + 1 < symbols->chain.size()}));
    }
  }
  row.count = static_cast<uint32_t>(chain_frames_.size()) - row.first;
}

// Iterative: stacks are up to tens of thousands of frames deep.
StackId Loader::build_stack(capture::StackId id, bool whole) {
  std::vector<StackId>& built = whole ? stacks_ : cut_stacks_;
  path_.clear();
  for (; id.valid() && !built[id.value].valid(); id = capture_.stacks[id.value].caller) { path_.push_back(id); }
  StackId caller;
  if (id.valid()) {
    caller = built[id.value];
  } else if (!whole) {
    FunctionId stand_in = builder_.function("[cut stack]", {}, {}, false);
    caller = builder_.stack(builder_.frame({.function = stand_in}), {});
  }
  for (auto it = path_.rbegin(); it != path_.rend(); ++it) {
    capture::FrameId frame = capture_.stacks[it->value].frame;
    if (frames_[frame.value].count == 0) { build_frame(frame); }
    FrameRow row = frames_[frame.value];
    // The outermost of the chain always; those inlined into it while there is room.
    uint32_t least = inlined_left_ >= row.count - 1 ? 0 : row.count - 1;
    inlined_left_ -= row.count - 1 - least;
    for (uint32_t i = row.count; i > least; --i) { caller = builder_.stack(chain_frames_[row.first + i - 1], caller); }
    inlined_left_out_ |= least != 0;
    built[it->value] = caller;
  }
  return caller;
}

void Loader::add_samples() {
  for (const capture::Event& event : capture_.info.events) {
    events_.push_back(builder_.event(event.name, event.unit, event.rate_hz));
  }
  for (size_t i = 0; i < capture_.samples.size(); ++i) {
    const capture::Sample& s = capture_.samples[i];
    Sample sample;
    sample.time_ns = s.time_ns;
    sample.thread = threads_[s.thread.value];
    // A stack without a frame is "[unknown]", whatever its quality.
    if (s.stack.valid()) { sample.stack = build_stack(s.stack, capture::is_whole(s.quality)); }
    sample.event = events_[s.event];
    sample.weight = static_cast<int64_t>(std::min<uint64_t>(s.weight, INT64_MAX));
    sample.cpu = s.cpu;
    if (!capture_.counts.empty()) { sample.count = capture_.counts[i]; }
    builder_.add_sample(sample);
    if (!capture::is_whole(s.quality) || s.quality == StackQuality::kFramePointers) {
      not_whole_[uint64_t{sample.event.value} << 8 | static_cast<uint8_t>(s.quality)] += sample.count;
    }
  }
}

// Samples that are not here, then side events that are not, then stacks that are not whole. Other counters tell of no loss.
void Loader::add_losses() {
  for (const capture::Counter& counter : capture_.counters) {
    bool samples = counter.name.starts_with("lost.");
    bool other = counter.name.starts_with("side.") || counter.name == "throttled";
    if (samples || other) { builder_.add_loss(counter.name, counter.value, samples); }
  }
  for (const auto& [key, count] : not_whole_) {
    builder_.add_loss(quality_name(static_cast<StackQuality>(key & 255)), count, false, EventId{static_cast<uint32_t>(key >> 8)});
  }
}

}  // namespace

Profile build_profile(const Capture& capture, const LoadOptions& options) { return Loader(capture, options).build(); }

}  // namespace wick
