// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Readers store where frames without symbols are (Profile::places), in the terms of their format; converting that to an address
// needs the file. One address may become several frames (inlined functions), which changes all stacks above it: so the profile is
// rebuilt, but only then.

#include "pipeline/name_imported.h"

#include <elf.h>
#include <algorithm>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/capture.h"
#include "model/profile_builder.h"
#include "model/profile_copier.h"
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

// A copy in which some frames become chains of frames.
class Renamer : public ProfileCopier {
 public:
  Renamer(const Profile& from, ProfileBuilder& to, const LoadOptions& options)
      : ProfileCopier(from, to), options_(options), chains_(from.frames().size()) {
    copy_modules();
    copy_functions();
  }

  // Innermost first.
  void set_chain(FrameId id, const std::vector<capture::SymbolFrame>& chain) {
    const Frame& old = from()[id];
    const Function& nameless = from()[old.function];
    std::vector<FrameId> frames;
    size_t first = options_.inlines == Inlines::kShow ? 0 : chain.size() - 1;
    for (size_t i = first; i < chain.size(); ++i) {
      FunctionId function;
      if (chain[i].function.starts_with("+0x")) {  // where a function of a stripped file begins
        std::string name = "[" + std::string(from().text(from()[nameless.module].name)) + chain[i].function + "]";
        function = to().function(name, chain[i].function, module(nameless.module), false);
      } else {
        function = to().function(shown_function(chain[i].function, options_.names), chain[i].function, module(nameless.module));
      }
      frames.push_back(to().frame({.function = function,
                                   .address = old.address,
                                   .file = to().string(chain[i].file),
                                   .line = chain[i].line,
                                   .column = chain[i].column,
                                   .inlined = i + 1 < chain.size()}));
    }
    chains_[id.value] = std::move(frames);
  }

  void copy() {
    copy_stacks();
    copy_events();
    copy_processes();
    copy_threads();
    copy_samples();
    copy_losses();
    copy_warnings();
    to().about() = from().about();
  }
  bool omits_inlined() const { return omits_inlined_; }

 private:
  StackId make_stack(StackId id, StackId caller) override {
    const std::vector<FrameId>& chain = chains_[from()[id].frame.value];
    if (chain.empty()) { return ProfileCopier::make_stack(id, caller); }
    // Always the outermost of the chain; inlined functions as long as the limit allows (as in build_profile.cc).
    size_t least = inlined_left_ >= chain.size() - 1 ? 0 : chain.size() - 1;
    inlined_left_ -= chain.size() - 1 - least;
    for (size_t k = chain.size(); k-- > least;) { caller = to().stack(chain[k], caller); }
    omits_inlined_ |= least != 0;
    return caller;
  }

  const LoadOptions& options_;
  std::vector<std::vector<FrameId>> chains_;  // by old frame, innermost first; empty: copy the frame
  uint64_t inlined_left_ = (uint64_t{4} << 20) + 8 * from().stacks().size();
  bool omits_inlined_ = false;
};

}  // namespace

Profile name_imported(Profile profile, const LoadOptions& options) {
  if (profile.places().empty()) { return profile; }
  std::vector<capture::Module> modules;
  for (const Module& m : profile.modules()) {
    bool is_file = !m.kernel && is_build_id(profile.text(m.build_id));
    modules.push_back({is_file ? capture::ModuleKind::kFile : capture::ModuleKind::kUnknown, std::string(profile.text(m.path)),
                       std::string(profile.text(m.build_id))});
  }
  std::vector<bool> calls(profile.frames().size()), done(profile.frames().size());
  for (const Stack& stack : profile.stacks()) {
    if (stack.caller.valid()) { calls[profile[stack.caller].frame.value] = true; }
  }

  ModuleStore store;
  std::vector<const LoadedModule*> opened(modules.size());
  std::vector<bool> sought(modules.size());
  std::vector<std::string> changed;
  std::vector<capture::Frame> frames;
  std::vector<FrameId> rows;
  for (const FramePlace& place : profile.places()) {
    ModuleId module = profile[profile[place.frame].function].module;
    if (!module.valid() || modules[module.value].kind != capture::ModuleKind::kFile || done[place.frame.value]) { continue; }
    done[place.frame.value] = true;  // threads may have separate tables with the same frames
    if (!sought[module.value]) {
      bool is_other = false;
      sought[module.value] = true;
      opened[module.value] = open_recorded(modules[module.value], store, options.sources.debug, is_other);
      if (is_other && opened[module.value] == nullptr) {
        changed.push_back(modules[module.value].path + " has changed since it was recorded: its functions have no symbols");
      }
    }
    const LoadedModule* file = opened[module.value];
    std::optional<uint64_t> svma = file != nullptr ? svma_of(*file, place) : std::nullopt;
    if (!svma) { continue; }
    // The address after a call may belong to the next function.
    uint64_t back = place.callers_are_behind && calls[place.frame.value] && *svma > 0 ? 1 : 0;
    frames.push_back({{module.value}, *svma - back});
    rows.push_back(place.frame);
  }
  if (frames.empty()) {
    ProfileBuilder b(std::move(profile));
    for (std::string& warning : changed) { b.add_warning(std::move(warning)); }
    return std::move(b).build();
  }

  ProfileBuilder builder;
  Renamer renamer(profile, builder, options);
  std::vector<std::string> mismatched;
  for (const capture::FrameSymbols& symbols : name_frames(modules, frames, opened, mismatched, options.sources)) {
    if (!symbols.chain.empty()) { renamer.set_chain(rows[symbols.frame.value], symbols.chain); }
  }
  renamer.copy();
  for (std::string& warning : changed) { builder.add_warning(std::move(warning)); }
  if (renamer.omits_inlined()) { builder.add_warning("too many inlined functions: some stacks are shown without them"); }
  return std::move(builder).build();
}

}  // namespace wick
