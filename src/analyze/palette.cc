// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/hash.h"

namespace wick {
namespace {

using P = NamedPalette;

constexpr std::pair<std::string_view, P> kNames[] = {
    {"hot", P::kHot},       {"mem", P::kMem},       {"io", P::kIo},     {"wakeup", P::kWakeup}, {"chain", P::kChain},
    {"java", P::kJava},     {"js", P::kJs},         {"perl", P::kPerl}, {"python", P::kPython}, {"rust", P::kRust},
    {"red", P::kRed},       {"green", P::kGreen},   {"blue", P::kBlue}, {"aqua", P::kAqua},     {"yellow", P::kYellow},
    {"purple", P::kPurple}, {"orange", P::kOrange},
};

// A channel ranges from `from` to `from` + `span` as a value of the variation goes from 0 to 1.
struct Channel {
  int from, span;
  double Variation::* by;
};
struct Range {
  Channel r, g, b;
};
constexpr auto A = &Variation::a, B = &Variation::b, C = &Variation::c;

Range range_of(P palette) {
  switch (palette) {
    case P::kHot: return {{205, 50, C}, {0, 230, A}, {0, 55, B}};
    case P::kMem: return {{0, 0, A}, {190, 50, B}, {0, 210, A}};
    case P::kIo: return {{80, 60, A}, {80, 60, A}, {190, 55, B}};
    case P::kRed: return {{200, 55, A}, {50, 80, A}, {50, 80, A}};
    case P::kGreen: return {{50, 60, A}, {200, 55, A}, {50, 60, A}};
    case P::kBlue: return {{80, 60, A}, {80, 60, A}, {205, 50, A}};
    case P::kAqua: return {{50, 60, A}, {165, 55, A}, {165, 55, A}};
    case P::kYellow: return {{175, 55, A}, {175, 55, A}, {50, 20, A}};
    case P::kPurple: return {{190, 65, A}, {80, 60, A}, {190, 65, A}};
    case P::kOrange: return {{190, 65, A}, {90, 65, A}, {0, 0, A}};
    default: return {{160, 0, A}, {160, 0, A}, {160, 0, A}};
  }
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

template <size_t N>
bool starts_with_any(std::string_view name, const std::array<std::string_view, N>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view p) { return name.starts_with(p); });
}

P java_range(std::string_view name, char mark) {
  static constexpr std::array<std::string_view, 8> kPackages = {"java/", "javax/", "jdk/", "net/", "org/", "com/", "io/", "sun/"};
  if (mark == 'j') { return P::kGreen; }
  if (mark == 'i') { return P::kAqua; }
  std::string_view plain = name.starts_with('L') ? name.substr(1) : name;  // type signature
  if (starts_with_any(plain, kPackages) || has(name, ":::")) { return P::kGreen; }
  if (has(name, "::")) { return P::kYellow; }  // C++ of the JVM
  return mark == 'k' ? P::kOrange : P::kRed;
}

P js_range(std::string_view name, char mark) {
  if (mark == 'j') { return has(name, "/") ? P::kGreen : P::kAqua; }  // a file of the program; otherwise built in
  if (has(name, "::")) { return P::kYellow; }
  if (has(name, ".js") && has(name, "/")) { return P::kGreen; }
  if (has(name, ":")) { return P::kAqua; }
  if (name.find_first_not_of(' ') == name.npos) { return P::kGreen; }  // generated code without a symbol
  return mark == 'k' ? P::kOrange : P::kRed;
}

P perl_range(std::string_view name, char mark) {
  if (has(name, "::")) { return P::kYellow; }
  if (has(name, "Perl") || has(name, ".pl")) { return P::kGreen; }
  return mark == 'k' ? P::kOrange : P::kRed;
}

P python_range(std::string_view name, char mark) {
  if (mark == 'k') { return P::kOrange; }
  if (has(name, "site-packages") || has(name, "dist-packages")) { return P::kAqua; }  // installed
  if (has(name, "lib/python") || has(name, "<frozen ") || has(name, "<built-in") || has(name, "\\Lib\\")) { return P::kYellow; }
  return P::kRed;  // the program
}

P rust_range(std::string_view name, char mark) {
  static constexpr std::array<std::string_view, 5> kStandard = {"core::", "std::", "alloc::", "__rust_", "hashbrown::"};
  if (mark == 'k') { return P::kRed; }
  size_t tick = name.rfind('`');
  if (tick != name.npos) { name.remove_prefix(tick + 1); }
  if (name.starts_with('<')) { name.remove_prefix(1); }  // <alloc::vec::Vec<T> as core::ops::Drop>::drop
  if (starts_with_any(name, kStandard)) { return P::kOrange; }
  return has(name, "::") ? P::kAqua : P::kYellow;
}

P resolve(P palette, std::string_view name, char mark) {
  switch (palette) {
    case P::kWakeup: return P::kAqua;
    case P::kChain: return mark == 'w' ? P::kAqua : P::kBlue;  // wakers above off-CPU stacks
    case P::kJava: return java_range(name, mark);
    case P::kJs: return js_range(name, mark);
    case P::kPerl: return perl_range(name, mark);
    case P::kPython: return python_range(name, mark);
    case P::kRust: return rust_range(name, mark);
    default: return palette;
  }
}

// The first three letters from one end, with decreasing weight: the same number as in other tools, so that --hash gives the same
// colors. (They add each letter's weight to a sum that begins at 1.)
template <typename It>
double letters(It begin, It end) {
  double sum = 0, weight = 1, most = 1;
  for (int base = 10; begin != end && base <= 12; ++begin, ++base, weight *= 0.7) {
    sum += weight * (static_cast<unsigned char>(*begin) % base) / (base - 1);
    most += weight;
  }
  return 1 - sum / most;
}

}  // namespace

std::optional<NamedPalette> find_palette(std::string_view name) {
  const auto* it = std::find_if(std::begin(kNames), std::end(kNames), [&](const auto& row) { return row.first == name; });
  return it == std::end(kNames) ? std::nullopt : std::optional(it->second);
}

std::vector<std::string> palette_names() {
  std::vector<std::string> names;
  for (const auto& [name, palette] : kNames) { names.emplace_back(name); }
  return names;
}

MarkedName split_mark(std::string_view name) {
  size_t n = name.size();
  bool marked = n > 4 && name[n - 4] == '_' && name[n - 3] == '[' && name[n - 1] == ']' &&
                std::string_view("kijw").find(name[n - 2]) != std::string_view::npos;
  return marked ? MarkedName{name.substr(0, n - 4), name[n - 2]} : MarkedName{name};
}

Variation vary_by_name(std::string_view name) {
  uint64_t hash = hash_text(name);
  auto part = [&](int shift) { return static_cast<double>(hash >> shift & 0xffff) / 65535; };
  return {part(48), part(32), part(16)};
}

Variation vary_by_letters(std::string_view name) {
  // Without the module; and from the other end, the module.
  size_t tick = name.rfind('`');
  std::string_view head = tick == name.npos ? name : name.substr(tick + 1), tail = name.substr(0, tick);
  double forward = letters(head.begin(), head.end()), back = letters(tail.rbegin(), tail.rend());
  return {forward, back, back};
}

double RandomVariation::next() {
  state_ ^= state_ << 13;
  state_ ^= state_ >> 7;
  state_ ^= state_ << 17;
  return static_cast<double>(state_ >> 11) / static_cast<double>(uint64_t{1} << 53);
}
Variation RandomVariation::draw() {
  double a = next(), b = next(), c = next();
  return {a, b, c};
}

Rgb palette_color(NamedPalette palette, std::string_view name, char mark, const Variation& variation) {
  if (name == "--") { return {160, 160, 160}; }
  if (name == "-") { return {200, 200, 200}; }
  Range range = range_of(resolve(palette, name, mark));
  auto value = [&](const Channel& c) { return static_cast<uint8_t>(c.from + std::floor(c.span * variation.*c.by)); };
  return {value(range.r), value(range.g), value(range.b)};
}

bool wants_dark_text(Rgb c) {
  auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  // WCAG: equal contrast with black and white is at a luminance of 0.179.
  return 0.2126 * linear(c.r / 255.0) + 0.7152 * linear(c.g / 255.0) + 0.0722 * linear(c.b / 255.0) > 0.179;
}

}  // namespace wick
