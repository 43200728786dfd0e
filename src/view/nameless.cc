// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/nameless.h"

#include <algorithm>
#include <map>

namespace wick {

std::vector<LackingFile> compute_nameless(const Profile& profile, const Selection& selection) {
  std::map<uint32_t, std::map<uint32_t, uint64_t>> by_module;  // process -> samples
  for (uint32_t row : selection.samples) {
    const Sample& sample = profile.samples()[row];
    if (!sample.stack.valid()) { continue; }
    const Function& function = profile[profile[profile[sample.stack].frame].function];
    if (!function.known && function.module.valid()) { ++by_module[function.module.value][profile[sample.thread].process.value]; }
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

}  // namespace wick
