// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// THE colour function of boxes that stand for functions. (The terminal has its own few colours: term/style.h.) The hue says what
// kind of code a function is; within a kind the shade varies with the name, so that neighbours can be told apart and the same
// function always looks the same.

#include <array>
#include <cstdint>
#include <string_view>

#include "model/profile.h"

namespace wick {

enum class CodeKind : uint8_t {
  kProgram,   // the program's own code
  kLibrary,   // other shared objects
  kStandard,  // the standard library of C++ or Rust, wherever it was compiled into
  kSystem,    // libc, the dynamic loader, the vDSO
  kKernel,
  kUnknown,  // no name, or a stack that was cut
  kUntold,   // the file does not say where the function's code is from
};
constexpr std::array<CodeKind, 7> kCodeKinds = {CodeKind::kProgram, CodeKind::kLibrary, CodeKind::kStandard, CodeKind::kSystem,
                                                CodeKind::kKernel,  CodeKind::kUnknown, CodeKind::kUntold};
constexpr unsigned kShades = 6;

CodeKind code_kind(const Profile& profile, FunctionId function);
std::string_view code_kind_name(CodeKind kind);  // "program", "libraries", …
// 0 … kShades-1, from the name alone.
unsigned colour_shade(std::string_view name);

enum class Theme { kLight, kDark };
struct Rgb {
  uint8_t r = 0, g = 0, b = 0;
};

// The box. The contrast with the text on it (--ink in export/flamegraph.css) is at least 7:1 (light) and 4.5:1 (dark).
Rgb colour(CodeKind kind, unsigned shade, Theme theme);

}  // namespace wick
