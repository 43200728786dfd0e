// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/nameless.h"

#include <algorithm>
#include <map>

namespace wick {
namespace {

template <typename Lacks>
std::vector<LackingFile> compute_lacking(const Profile& profile, const Selection& selection, Lacks lacks) {
  std::map<uint32_t, std::map<uint32_t, uint64_t>> by_module;  // process -> samples
  for (uint32_t row : selection.samples) {
    const Sample& sample = profile.samples()[row];
    if (!sample.stack.valid()) { continue; }
    const Frame& frame = profile[profile[sample.stack].frame];
    ModuleId module = profile[frame.function].module;
    if (module.valid() && lacks(frame)) { by_module[module.value][profile[sample.thread].process.value] += sample.count; }
  }
  std::vector<LackingFile> out;
  for (const auto& [id, processes] : by_module) {
    const Module& module = profile.modules()[id];
    LackingFile file;
    file.path = profile.text(module.path);
    if (module.kernel && file.path.starts_with('[')) { file.path = "[kernel]"; }
    file.build_id = profile.text(module.build_id);
    file.imported_from = profile.imported_from();
    uint64_t most = 0;
    for (auto [process, samples] : processes) {
      file.samples += samples;
      if (samples > most) { file.process = profile.text(profile.processes()[process].name); }
      most = std::max(most, samples);
    }
    out.push_back(std::move(file));
  }
  return out;
}

}  // namespace

std::vector<LackingFile> compute_nameless(const Profile& profile, const Selection& selection) {
  return compute_lacking(profile, selection, [&](const Frame& frame) { return !profile[frame.function].known; });
}

std::vector<LackingFile> compute_lineless(const Profile& profile, const Selection& selection) {
  auto is_on_disk = [&](const Module& module) {
    std::string_view path = profile.text(module.path);
    return !module.kernel && path.starts_with('/') && !path.starts_with("//") && !path.starts_with("/memfd:");
  };
  return compute_lacking(profile, selection, [&](const Frame& frame) {
    const Function& function = profile[frame.function];
    return function.known && !frame.file.valid() && is_on_disk(profile[function.module]);
  });
}

}  // namespace wick
