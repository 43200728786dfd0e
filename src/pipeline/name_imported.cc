// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Readers say where frames without names are (Profile::places), each in the way of its format; what that is as an address in the
// file needs the file. One address may become several frames (inlined functions), so that all stacks above it are other ones:
// the profile is built anew, and only then.

#include "pipeline/name_imported.h"

#include <elf.h>
#include <algorithm>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/capture.h"
#include "model/profile_builder.h"
#include "module/module.h"
#include "pipeline/name_frames.h"

namespace wick {
namespace {

std::optional<uint64_t> svma_of(const LoadedModule& file, const FramePlace& place) {
  switch (place.space) {
    case FramePlace::Space::kLinked: return place.value;
    case FramePlace::Space::kFileOffset: return file.svma(place.value);
    case FramePlace::Space::kRelative: break;
  }
  std::optional<uint64_t> first;
  for (const elf::Segment& segment : file.image->segments()) {
    if (segment.type == PT_LOAD) { first = std::min(first.value_or(UINT64_MAX), segment.vaddr); }
  }
  uint64_t svma = 0;
  return first && !__builtin_add_overflow(*first, place.value, &svma) ? std::optional(svma) : std::nullopt;
}

// A copy in which some frames are chains of frames.
class Rebuilder {
 public:
  Rebuilder(const Profile& from, const LoadOptions& options) : from_(from), options_(options), chains_(from.frames.size()) {
    for (const Module& m : from.modules) {
      modules_.push_back(
          b_.module({.name = string(m.name), .path = string(m.path), .build_id = string(m.build_id), .kernel = m.kernel}));
    }
    for (const Function& f : from.functions) {
      functions_.push_back(
          b_.function({.name = string(f.name), .raw_name = string(f.raw_name), .module = module(f.module), .known = f.known}));
    }
  }

  // Innermost first.
  void set_chain(FrameId id, const std::vector<capture::SymbolFrame>& chain) {
    const Frame& old = from_[id];
    const Function& nameless = from_[old.function];
    std::vector<FrameId> frames;
    size_t first = options_.inlines == Inlines::kShow ? 0 : chain.size() - 1;
    for (size_t i = first; i < chain.size(); ++i) {
      FunctionId function;
      if (chain[i].function.starts_with("+0x")) {  // where a function of a stripped file begins
        std::string name = "[" + std::string(from_.text(from_[nameless.module].name)) + chain[i].function + "]";
        function = b_.function(name, chain[i].function, module(nameless.module), false);
      } else {
        function = b_.function(shown_function(chain[i].function, options_.names), chain[i].function, module(nameless.module));
      }
      frames.push_back(b_.frame({.function = function,
                                 .address = old.address,
                                 .file = b_.string(chain[i].file),
                                 .line = chain[i].line,
                                 .column = chain[i].column,
                                 .inlined = i + 1 < chain.size()}));
    }
    chains_[id.value] = std::move(frames);
  }

  Profile build() && {
    for (uint32_t i = 0; i < from_.stacks.size(); ++i) {
      const Stack& stack = from_.stacks[i];
      StackId caller = stack.caller.valid() ? stacks_[stack.caller.value] : StackId{};
      std::vector<FrameId>& chain = chains_[stack.frame.value];
      if (chain.empty()) { chain.push_back(copy(from_[stack.frame])); }
      // The outermost of the chain always; those inlined into it while there is room (as build_profile.cc).
      size_t least = inlined_left_ >= chain.size() - 1 ? 0 : chain.size() - 1;
      inlined_left_ -= chain.size() - 1 - least;
      for (size_t k = chain.size(); k-- > least;) { caller = b_.stack(chain[k], caller); }
      left_out_ |= least != 0;
      stacks_.push_back(caller);
    }
    add_samples();
    if (left_out_) { b_.add_warning("inlined functions are left out of some stacks: there are too many of them"); }
    Profile out = std::move(b_).build();
    out.losses_known = from_.losses_known;
    out.left_behind = from_.left_behind;
    out.duration_ns = from_.duration_ns;
    out.is_difference = from_.is_difference;
    out.has_counts = from_.has_counts;
    out.events_ranked = from_.events_ranked;
    out.imported_from = from_.imported_from;
    out.has_times = from_.has_times;
    return out;
  }

 private:
  StringId string(StringId id) { return b_.string(from_.text(id)); }
  ModuleId module(ModuleId id) const { return id.valid() ? modules_[id.value] : ModuleId{}; }

  FrameId copy(Frame frame) {
    frame.function = functions_[frame.function.value];
    frame.file = string(frame.file);
    return b_.frame(frame);
  }

  void add_samples() {
    std::vector<EventId> events;
    for (const Event& e : from_.events) {
      events.push_back(b_.event(from_.text(e.name), from_.text(e.unit), e.rate_hz, e.divisor));
    }
    std::vector<ProcessId> processes;
    for (const Process& p : from_.processes) {
      processes.push_back(b_.add_process(p.pid, from_.text(p.name), p.parent_pid, p.start_ns, p.end_ns));
    }
    std::vector<ThreadId> threads;
    for (const Thread& t : from_.threads) {
      threads.push_back(b_.add_thread(processes[t.process.value], t.tid, from_.text(t.name), t.start_ns, t.end_ns));
    }
    for (Sample s : from_.samples) {
      s.thread = threads[s.thread.value];
      s.stack = stacks_[s.stack.value];
      s.event = events[s.event.value];
      b_.add_sample(s);
    }
    for (const Loss& loss : from_.losses) {
      b_.add_loss(from_.text(loss.kind), loss.count, loss.samples, loss.event.valid() ? events[loss.event.value] : EventId{});
    }
    for (const std::string& warning : from_.warnings) { b_.add_warning(warning); }
    b_.set_command(from_.command);
    b_.set_start(from_.start_ns, from_.start_wall_ns);
  }

  const Profile& from_;
  const LoadOptions& options_;
  ProfileBuilder b_;
  std::vector<ModuleId> modules_;
  std::vector<FunctionId> functions_;
  std::vector<std::vector<FrameId>> chains_;  // by old frame, innermost first; empty: not copied yet
  std::vector<StackId> stacks_;
  uint64_t inlined_left_ = (uint64_t{4} << 20) + 8 * from_.stacks.size();
  bool left_out_ = false;
};

}  // namespace

Profile name_imported(Profile profile, const LoadOptions& options) {
  if (profile.places.empty()) { return profile; }
  std::vector<capture::Module> modules;
  for (const Module& m : profile.modules) {
    bool is_file = !m.kernel && is_build_id(profile.text(m.build_id));
    modules.push_back({is_file ? capture::ModuleKind::kFile : capture::ModuleKind::kUnknown, std::string(profile.text(m.path)),
                       std::string(profile.text(m.build_id))});
  }
  std::vector<bool> calls(profile.frames.size()), done(profile.frames.size());
  for (const Stack& stack : profile.stacks) {
    if (stack.caller.valid()) { calls[profile[stack.caller].frame.value] = true; }
  }

  ModuleStore store;
  std::vector<const LoadedModule*> opened(modules.size());
  std::vector<bool> sought(modules.size());
  std::vector<std::string> changed;
  std::vector<capture::Frame> frames;
  std::vector<FrameId> rows;
  for (const FramePlace& place : profile.places) {
    ModuleId module = profile[profile[place.frame].function].module;
    if (!module.valid() || modules[module.value].kind != capture::ModuleKind::kFile || done[place.frame.value]) { continue; }
    done[place.frame.value] = true;  // threads may have tables of their own, with the same in them
    if (!sought[module.value]) {
      bool is_other = false;
      sought[module.value] = true;
      opened[module.value] = open_recorded(modules[module.value], store, options.sources.debug, is_other);
      if (is_other && opened[module.value] == nullptr) { changed.push_back(modules[module.value].path); }
    }
    const LoadedModule* file = opened[module.value];
    std::optional<uint64_t> svma = file != nullptr ? svma_of(*file, place) : std::nullopt;
    if (!svma) { continue; }
    // The address behind a call may already be another function's.
    uint64_t back = place.callers_are_behind && calls[place.frame.value] && *svma > 0 ? 1 : 0;
    frames.push_back({{module.value}, *svma - back});
    rows.push_back(place.frame);
  }
  for (const std::string& path : changed) {
    profile.warnings.push_back(path + " has changed since it was recorded: its functions have no names");
  }
  if (frames.empty()) { return profile; }

  Rebuilder rebuilder(profile, options);
  std::vector<std::string> mismatched;
  for (const capture::FrameSymbols& symbols : name_frames(modules, frames, opened, mismatched, options.sources)) {
    if (!symbols.chain.empty()) { rebuilder.set_chain(rows[symbols.frame.value], symbols.chain); }
  }
  return std::move(rebuilder).build();
}

}  // namespace wick
