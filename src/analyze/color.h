// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// THE color function of frames. (The terminal has a few colors of its own: term/style.h.) The hue shows the kind of code; within
// a kind, the shade depends on the name, so that neighbors differ and a function always looks the same.

#include <array>
#include <cstdint>
#include <string_view>

#include "model/profile.h"

namespace wick {

enum class CodeKind : uint8_t {
  kProgram,   // the program's own code
  kLibrary,   // other shared objects
  kStandard,  // the standard library of C++ or Rust, even if compiled into another module
  kSystem,    // libc, the dynamic loader, the vDSO
  kKernel,
  kUnknown,       // no symbol, or a truncated stack
  kUnclassified,  // the profile does not name the function's module
};
constexpr std::array<CodeKind, 7> kCodeKinds = {CodeKind::kProgram, CodeKind::kLibrary, CodeKind::kStandard,    CodeKind::kSystem,
                                                CodeKind::kKernel,  CodeKind::kUnknown, CodeKind::kUnclassified};
constexpr unsigned kShades = 6;

CodeKind code_kind(const Profile& profile, FunctionId function);
// The same, but code without a symbol has the kind of its module.
CodeKind owner_kind(const Profile& profile, FunctionId function);
std::string_view code_kind_name(CodeKind kind);  // "program", "libraries", …
// 0 … kShades-1, derived from the name.
unsigned color_shade(std::string_view name);

enum class Theme { kLight, kDark };
struct Rgb {
  uint8_t r = 0, g = 0, b = 0;
};

// The fill of a frame. Its contrast with the text (--ink in export/flamegraph.css) is at least 7:1 (light) and 4.5:1 (dark).
Rgb color(CodeKind kind, unsigned shade, Theme theme);

}  // namespace wick
