// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Colors are chosen in OKLCH (perceived lightness, chroma, hue), so that all kinds have equal weight and differ only in hue.

#include "analyze/color.h"

#include <algorithm>
#include <cmath>

#include "analyze/runtime_frames.h"
#include "base/hash.h"

namespace wick {
namespace {

struct Oklch {
  double l, c, h;
};

double to_srgb(double linear) {
  double v = std::clamp(linear, 0.0, 1.0);
  return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
}

Rgb to_rgb(Oklch color) {
  double radians = color.h * 3.14159265358979 / 180;
  double a = color.c * std::cos(radians), b = color.c * std::sin(radians);
  double l = std::pow(color.l + 0.3963377774 * a + 0.2158037573 * b, 3);
  double m = std::pow(color.l - 0.1055613458 * a - 0.0638541728 * b, 3);
  double s = std::pow(color.l - 0.0894841775 * a - 1.2914855480 * b, 3);
  auto byte = [](double linear) { return static_cast<uint8_t>(std::lround(255 * to_srgb(linear))); };
  return {byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          byte(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

// Shades are spread between two hues. Dark yellow looks olive, so the dark theme has a different range.
struct Palette {
  double hue_from, hue_to, chroma;
};

Palette palette(CodeKind kind, Theme theme) {
  bool light = theme == Theme::kLight;
  switch (kind) {
    case CodeKind::kUnclassified:
    case CodeKind::kProgram: return light ? Palette{42, 80, 0.120} : Palette{32, 66, 0.118};       // amber to apricot
    case CodeKind::kLibrary: return light ? Palette{158, 186, 0.080} : Palette{158, 186, 0.078};   // green to teal
    case CodeKind::kStandard: return light ? Palette{228, 252, 0.075} : Palette{232, 256, 0.095};  // blue
    case CodeKind::kSystem: return light ? Palette{288, 312, 0.075} : Palette{288, 312, 0.100};    // violet
    case CodeKind::kKernel: return light ? Palette{2, 18, 0.100} : Palette{358, 374, 0.125};       // rose
    case CodeKind::kUnknown: return {80, 80, 0.006};                                               // gray
  }
  return {0, 0, 0};
}

bool starts_with_any(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view p) { return name.starts_with(p); });
}

bool is_system_module(std::string_view name) {
  return starts_with_any(name, {"libc.so", "libc-", "libc.musl", "ld-linux", "ld-musl", "ld-2", "libm.so", "libm-", "libpthread",
                                "librt.so", "libdl.so", "linux-vdso", "[vdso]", "libgcc_s"});
}

bool is_standard_library(std::string_view name, std::string_view module) {
  if (starts_with_any(module, {"libstdc++", "libc++", "libstd-"})) { return true; }
  if (name.starts_with('<')) { name.remove_prefix(1); }  // <alloc::vec::Vec<T> as core::ops::Drop>::drop
  return starts_with_any(name, {"std::", "core::", "alloc::", "__gnu_cxx::", "__cxxabiv1::", "hashbrown::", "__rust_", "__rustc",
                                "rust_begin_unwind", "operator new", "operator delete", "__cxa_", "__gxx_"});
}

}  // namespace

CodeKind code_kind(const Profile& profile, FunctionId id) {
  CodeKind kind = owner_kind(profile, id);
  return profile[id].known || kind == CodeKind::kKernel ? kind : CodeKind::kUnknown;
}

CodeKind owner_kind(const Profile& profile, FunctionId id) {
  const Function& f = profile[id];
  bool has_module = f.module.valid();
  if (has_module && profile[f.module].kernel) { return CodeKind::kKernel; }
  std::string_view name = profile.text(f.name), module = has_module ? profile.text(profile[f.module].name) : std::string_view();
  if (is_standard_library(name, module) || name == kRuntimeFrames || name == kProgramStart || name == kThreadStart) {
    return CodeKind::kStandard;
  }
  if (!has_module) { return CodeKind::kUnclassified; }
  if (is_system_module(module)) { return CodeKind::kSystem; }
  bool shared_object = module.ends_with(".so") || module.find(".so.") != std::string_view::npos;
  return shared_object ? CodeKind::kLibrary : CodeKind::kProgram;
}

std::string_view code_kind_name(CodeKind kind) {
  switch (kind) {
    case CodeKind::kProgram: return "program";
    case CodeKind::kLibrary: return "libraries";
    case CodeKind::kStandard: return "standard library";
    case CodeKind::kSystem: return "system";
    case CodeKind::kKernel: return "kernel";
    case CodeKind::kUnknown: return "unknown";
    case CodeKind::kUnclassified: return "unclassified";
  }
  return {};
}

unsigned color_shade(std::string_view name) { return static_cast<unsigned>(hash_text(name) >> 32) % kShades; }

Rgb color(CodeKind kind, unsigned shade, Theme theme) {
  Palette p = palette(kind, theme);
  double t = static_cast<double>(shade % kShades) / (kShades - 1);
  // Lightness does not follow the order of hues: shades with similar hues differ in lightness.
  static constexpr double kLightness[kShades] = {0.0, 0.6, 0.2, 0.8, 0.4, 1.0};
  double u = kLightness[shade % kShades];
  double hue = p.hue_from + (p.hue_to - p.hue_from) * t;
  return theme == Theme::kLight ? to_rgb({0.800 + 0.075 * u, p.chroma, hue}) : to_rgb({0.440 + 0.075 * u, p.chroma, hue});
}

}  // namespace wick
