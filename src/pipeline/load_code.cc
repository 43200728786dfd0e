// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/load_code.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "pipeline/module_names.h"

namespace wick {
namespace {

using capture::Capture;
using capture::CodeBody;
using capture::ModuleKind;

// Each needs a process, or a function that replaced another. Code that needs more is not shown.
constexpr uint32_t kMostVersions = 64;

bool covers(const CodeBody& body, uint64_t address) {
  return address >= body.address && address - body.address < body.bytes.size();
}

// The code of one version, by address.
class Version {
 public:
  // False if there is other code at these addresses.
  bool add(const CodeBody& body) {
    auto next = bodies_.lower_bound(body.address);
    if (next != bodies_.end() && next->first == body.address && next->second->bytes == body.bytes) { return true; }
    if (next != bodies_.end() && next->first - body.address < body.bytes.size()) { return false; }
    if (next != bodies_.begin() && covers(*std::prev(next)->second, body.address)) { return false; }
    bodies_.emplace_hint(next, body.address, &body);
    return true;
  }
  bool has_code(uint64_t address) const {
    auto next = bodies_.upper_bound(address);
    return next != bodies_.begin() && covers(*std::prev(next)->second, address);
  }
  const std::map<uint64_t, const CodeBody*>& bodies() const { return bodies_; }

 private:
  std::map<uint64_t, const CodeBody*> bodies_;
};

void add_generated(const Capture& capture, RecordedCode& code, std::vector<uint32_t>& versions_of) {
  std::vector<Version> versions;
  constexpr uint32_t kNone = UINT32_MAX;
  for (const CodeBody& body : capture.code) {
    if (capture.modules[body.module.value].kind != ModuleKind::kAnonymous || body.bytes.empty()) { continue; }
    if (versions_of.empty()) { versions_of.assign(capture.frames.size(), kNone); }
    uint32_t version = 0;
    while (version < versions.size() && !versions[version].add(body)) { ++version; }
    if (version == kMostVersions) { continue; }
    if (version == versions.size()) { versions.emplace_back().add(body); }
    for (capture::FrameId frame : body.frames) {
      const capture::Frame& row = capture.frames[frame.value];
      if (row.module == body.module && covers(body, row.address)) { versions_of[frame.value] = version; }
    }
  }
  for (uint32_t row = 0; row < versions_of.size(); ++row) {
    if (versions_of[row] != kNone) { continue; }
    versions_of[row] = 0;
    capture::ModuleId module = capture.frames[row].module;
    if (!module.valid() || capture.modules[module.value].kind != ModuleKind::kAnonymous) { continue; }
    while (versions_of[row] < versions.size() && versions[versions_of[row]].has_code(capture.frames[row].address)) {
      ++versions_of[row];
    }
  }
  for (uint32_t i = 0; i < versions.size(); ++i) {
    for (const auto& [address, body] : versions[i].bodies()) { code.bodies.push_back({generated_path(i), address, body->bytes}); }
  }
}

}  // namespace

std::string generated_path(uint32_t version) {
  return version == 0 ? std::string("//anon") : "//anon:" + std::to_string(version + 1);
}

LoadedCode load_code(const Capture& capture) {
  LoadedCode out;
  if (capture.code.empty() && capture.sources.empty()) { return out; }
  auto code = std::make_shared<RecordedCode>();
  code->arch = capture.info.arch;
  for (const CodeBody& body : capture.code) {
    const capture::Module& module = capture.modules[body.module.value];
    if (module.kind == ModuleKind::kKernel) {
      code->bodies.push_back({module.path, body.address, body.bytes});
    } else if (module.kind != ModuleKind::kAnonymous && !module.build_id.empty()) {
      code->bodies.push_back({module.build_id, body.address, body.bytes});
    }
  }
  add_generated(capture, *code, out.versions);
  std::stable_sort(code->bodies.begin(), code->bodies.end(), [](const RecordedCode::Body& a, const RecordedCode::Body& b) {
    return std::tie(a.module, a.address) < std::tie(b.module, b.address);
  });
  for (const capture::SourceText& source : capture.sources) { code->sources[source.file] += source.text; }
  out.recorded = std::move(code);
  return out;
}

}  // namespace wick
