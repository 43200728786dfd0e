// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "base/utf8.h"

namespace wick {

std::string vstrf(const char* format, va_list args) {
  va_list copy;
  va_copy(copy, args);
  int n = std::vsnprintf(nullptr, 0, format, copy);
  va_end(copy);
  std::string out(n > 0 ? static_cast<size_t>(n) : 0, '\0');
  if (n > 0) { std::vsnprintf(out.data(), out.size() + 1, format, args); }
  return out;
}

std::string strf(const char* format, ...) {
  va_list args;
  va_start(args, format);
  std::string out = vstrf(format, args);
  va_end(args);
  return out;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) { return parts; }
    text.remove_prefix(end + 1);
  }
}

std::string_view trim(std::string_view text) {
  const char* blanks = " \t\r\n\v\f";
  size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) { return {}; }
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<uint64_t> parse_u64(std::string_view text, int base) {
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) { return std::nullopt; }
  return value;
}

std::optional<double> parse_double(std::string_view text) {
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) { return std::nullopt; }
  return value;
}

std::optional<uint64_t> parse_bytes(std::string_view text) {
  size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  std::optional<double> value = parse_double(text.substr(0, end));
  std::string_view unit = trim(text.substr(end));
  if (unit.ends_with('B')) { unit.remove_suffix(1); }
  double factor = unit.empty() ? 1 : unit == "k" || unit == "K" ? 1e3 : unit == "M" ? 1e6 : unit == "G" ? 1e9 : 0;
  if (!value || factor == 0 || *value * factor >= 9e18) { return std::nullopt; }
  return static_cast<uint64_t>(*value * factor);
}

std::string to_hex(const uint8_t* data, size_t size) {
  static const char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(2 * size);
  for (size_t i = 0; i < size; ++i) {
    out += kDigits[data[i] >> 4];
    out += kDigits[data[i] & 15];
  }
  return out;
}

std::string group_thousands(uint64_t n) {
  std::string digits = std::to_string(n);
  for (size_t i = digits.size(); i > 3; i -= 3) { digits.insert(i - 3, 1, ','); }
  return digits;
}

std::string human_bytes(uint64_t bytes) {
  if (bytes < 1000) { return strf("%llu B", static_cast<unsigned long long>(bytes)); }
  const char* units[] = {"kB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes);
  int unit = -1;
  do {
    value /= 1000;
    ++unit;
  } while (value >= 999.5 && unit < 3);
  return strf(value < 9.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

namespace {
// $'…' of bash, ksh and zsh: safe to show in a terminal, and still this argument when pasted.
std::string quote_unprintable(std::string_view arg) {
  std::string out = "$'";
  for (char c : arg) {
    bool is_plain = c >= 0x20 && c < 0x7f;
    if (c == '\'' || c == '\\') { out += '\\'; }
    out += is_plain ? std::string(1, c) : strf("\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return out + "'";
}
}  // namespace

std::string shell_quote(std::string_view arg) {
  const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%^";
  if (!arg.empty() && arg.find_first_not_of(plain) == std::string_view::npos) { return std::string(arg); }
  if (printable(arg) != arg) { return quote_unprintable(arg); }
  std::string out = "'";
  for (char c : arg) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

namespace {
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1), before, before2;
  for (size_t j = 0; j <= b.size(); ++j) { row[j] = j; }
  for (size_t i = 1; i <= a.size(); ++i) {
    before2 = before;
    before = row;
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] != b[j - 1])});
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) { row[j] = std::min(row[j], before2[j - 2] + 1); }
    }
  }
  return row[b.size()];
}
}  // namespace

std::vector<std::string> nearest_words(std::string_view word, const std::vector<std::string>& candidates, size_t limit) {
  std::vector<std::pair<size_t, const std::string*>> near;
  for (const std::string& candidate : candidates) {
    size_t distance = edit_distance(word, candidate);
    bool inside = word.size() >= 4 && candidate.find(word) != std::string::npos;
    if (inside) { distance = std::min<size_t>(distance, 2); }
    if (distance <= std::max<size_t>(2, word.size() / 3)) { near.push_back({distance, &candidate}); }
  }
  std::stable_sort(near.begin(), near.end(), [](auto& a, auto& b) { return a.first < b.first; });
  std::vector<std::string> out;
  for (size_t i = 0; i < near.size() && i < limit; ++i) { out.push_back(*near[i].second); }
  return out;
}

}  // namespace wick
