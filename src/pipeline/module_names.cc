// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/module_names.h"

#include "base/text.h"

namespace wick {

using capture::ModuleKind;

std::string nameless_function(const capture::Module& module) {
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

std::string shown_module(const capture::Module& module, bool has_symbol) {
  if (module.kind == ModuleKind::kAnonymous && has_symbol) { return std::string(kGeneratedModule); }
  if (module.kind != ModuleKind::kFile) { return nameless_function(module); }
  std::string_view path = without_deleted(module.path);
  return std::string(path.substr(path.find_last_of('/') + 1));
}

}  // namespace wick
