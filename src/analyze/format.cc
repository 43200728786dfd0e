// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/format.h"

#include <cmath>
#include <iterator>

#include "base/text.h"
#include "base/utf8.h"

namespace wick {

double share(int64_t part, int64_t whole) { return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole); }

std::string format_percent(double share) {
  double percent = 100 * share, size = std::abs(percent);
  if (size == 0 || size >= 0.0995) { return strf("%.1f%%", percent); }
  return size >= 0.005 ? strf("%.2f%%", percent) : percent > 0 ? "<0.01%" : ">-0.01%";
}

std::string format_part(uint64_t part, uint64_t whole) {
  return format_percent(whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole));
}

std::string format_duration(int64_t ns) {
  double t = std::abs(static_cast<double>(ns));
  const char* sign = ns < 0 ? "-" : "";
  if (ns == 0) { return "0 s"; }
  if (t < 1e3) { return strf("%s%.0f ns", sign, t); }
  if (t < 999.5e3) { return strf(t < 99.95e3 ? "%s%.1f us" : "%s%.0f us", sign, t / 1e3); }
  if (t < 999.5e6) { return strf(t < 99.95e6 ? "%s%.1f ms" : "%s%.0f ms", sign, t / 1e6); }
  if (t < 119.995e9) { return strf("%s%.2f s", sign, t / 1e9); }
  uint64_t seconds = static_cast<uint64_t>(std::llround(t / 1e9));
  if (seconds < 7200) {
    return strf("%s%llu min %02llu s", sign, static_cast<unsigned long long>(seconds / 60),
                static_cast<unsigned long long>(seconds % 60));
  }
  uint64_t minutes = (seconds + 30) / 60;
  return strf("%s%llu h %02llu min", sign, static_cast<unsigned long long>(minutes / 60),
              static_cast<unsigned long long>(minutes % 60));
}

CostUnit unit_of(const Profile& profile, EventId event) {
  if (!event.valid()) { return {}; }
  return {profile.text(profile[event].unit), profile[event].divisor};
}

std::string format_cost(int64_t weight, const CostUnit& unit) {
  if (unit.name == "ns" && unit.divisor == 1) { return format_duration(weight); }
  double value = static_cast<double>(weight) / static_cast<double>(unit.divisor), size = std::abs(value);
  if (size < 10e3) { return strf("%.*g", size < 100 ? 4 : size < 1000 ? 5 : 6, value); }
  static const char* const kPrefixes[] = {"k", "M", "G", "T", "P", "E"};
  size_t i = 0;
  for (value /= 1e3, size /= 1e3; size >= 999.5 && i + 1 < std::size(kPrefixes); value /= 1e3, size /= 1e3) { ++i; }
  return strf(size < 9.995 ? "%.2f %s" : size < 99.95 ? "%.1f %s" : "%.0f %s", value, kPrefixes[i]);
}

std::string count_of(uint64_t n, std::string_view one, std::string_view many) {
  std::string word(n == 1 ? one : many);
  if (n != 1 && many.empty()) { word = std::string(one) + "s"; }
  return group_thousands(n) + " " + word;
}

std::string short_source(std::string_view path) {
  // Built by the project ("/rustc/HASH/library/…", its own dependencies "/rust/deps/…"), by a distribution
  // ("/usr/src/rustc-1.63.0/library/…"), or with the sources installed ("…/lib/rustlib/src/rust/library/…").
  auto from = [&](size_t at) { return "<std>/" + std::string(path.substr(at)); };
  constexpr std::string_view kLibrary = "/library/", kInstalled = "/rustlib/src/rust/library/", kDeps = "/rust/deps/";
  if (size_t at = path.find(kInstalled); at != std::string_view::npos) { return from(at + kInstalled.size()); }
  if (path.starts_with(kDeps)) { return from(kDeps.size()); }
  if (path.starts_with("/rustc/") || path.starts_with("/usr/src/rustc-")) {
    size_t folder = path.find('/', path.starts_with("/rustc/") ? 7 : 9);
    if (folder != std::string_view::npos && path.substr(folder).starts_with(kLibrary)) { return from(folder + kLibrary.size()); }
  }
  return std::string(path);
}

std::string shown_name(std::string_view name) { return name.empty() ? "[unnamed]" : printable(name); }

}  // namespace wick
