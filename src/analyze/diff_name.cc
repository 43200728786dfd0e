// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff_name.h"

#include <algorithm>
#include <array>

namespace wick {
namespace {

constexpr std::string_view kHex = "0123456789abcdefABCDEF";
constexpr std::string_view kHexPrefix = "0x";
constexpr size_t kHashDigits = 16;

bool all_of(std::string_view text, std::string_view allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

// Length of "::h" and 16 digits at the end.
size_t hash_length(std::string_view name) {
  constexpr std::string_view kMark = "::h";
  size_t length = kMark.size() + kHashDigits;
  if (name.size() <= length) { return 0; }
  std::string_view tail = name.substr(name.size() - length);
  return tail.starts_with(kMark) && all_of(tail.substr(kMark.size()), kHex) ? length : 0;
}

bool is_clone_kind(std::string_view kind) {
  static constexpr std::array<std::string_view, 9> kKinds = {"llvm",     "part",   "constprop", "isra",  "cold",
                                                             "lto_priv", "__uniq", "clone",     "ltrans"};
  return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

// Length of ".part.0" at the end.
size_t clone_length(std::string_view name) {
  size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') { --digits; }
  if (digits == name.size() || digits < 2 || name[digits - 1] != '.') { return 0; }
  size_t dot = digits - 1;
  size_t before = name.rfind('.', dot - 1);
  if (before == std::string_view::npos || before == 0) { return 0; }
  return is_clone_kind(name.substr(before + 1, dot - before - 1)) ? name.size() - before : 0;
}

// Length of " [clone .part.0]" at the end, as demanglers write it.
size_t clone_words_length(std::string_view name) {
  if (!name.ends_with(']')) { return 0; }
  size_t at = name.rfind(" [clone .");
  return at != std::string_view::npos && at > 0 ? name.size() - at : 0;
}

// A legacy linkage name ends in the length and text of its last part, the hash, and E.
constexpr std::string_view kLinkageMark = "17h";
constexpr size_t kLinkageHash = kLinkageMark.size() + kHashDigits + 1;
bool has_linkage_hash(std::string_view name) {
  if (!name.ends_with('E') || !name.starts_with("_ZN") || name.size() <= kLinkageHash) { return false; }
  std::string_view tail = name.substr(name.size() - kLinkageHash);
  return tail.starts_with(kLinkageMark) && all_of(tail.substr(kLinkageMark.size(), kHashDigits), kHex);
}

}  // namespace

bool has_hash(std::string_view name) {
  return hash_length(name) > 0 || clone_length(name) > 0 || clone_words_length(name) > 0 || has_linkage_hash(name);
}

std::string name_without_hash(std::string_view name) {
  for (;;) {
    size_t length = std::max({hash_length(name), clone_length(name), clone_words_length(name)});
    if (length == 0) { break; }
    name.remove_suffix(length);
  }
  return has_linkage_hash(name) ? std::string(name.substr(0, name.size() - kLinkageHash)) + "E" : std::string(name);
}

std::array<Renamed, 2> match_hashed_names(const std::array<std::unordered_set<std::string>, 2>& hashed,
                                          const std::function<bool(size_t side, const std::string& plain)>& has_plain) {
  std::array<Renamed, 2> plain_of;  // names that the other side lacks
  std::array<std::unordered_set<std::string>, 2> plain;
  for (size_t side : {0, 1}) {
    for (const std::string& name : hashed[side]) {
      if (hashed[1 - side].count(name) > 0) { continue; }
      plain[side].insert(plain_of[side].emplace(name, name_without_hash(name)).first->second);
    }
  }
  std::array<Renamed, 2> out;
  for (size_t side : {0, 1}) {
    for (const auto& [name, without] : plain_of[side]) {
      if (plain[1 - side].count(without) > 0 || has_plain(1 - side, without)) { out[side].emplace(name, without); }
    }
  }
  return out;
}

std::string name_without_address(std::string_view name) {
  if (name.starts_with(kHexPrefix) && all_of(name.substr(kHexPrefix.size()), kHex)) { return "[unknown]"; }
  size_t plus = name.rfind("+0x");
  if (plus == std::string_view::npos || !name.ends_with(']')) { return std::string(name); }
  std::string_view digits = name.substr(plus + 3, name.size() - plus - 4);
  return all_of(digits, kHex) ? std::string(name.substr(0, plus)) + "]" : std::string(name);
}

std::string strip_hex(std::string_view name) {
  std::string out;
  for (size_t at = 0;;) {
    size_t found = name.find(kHexPrefix, at);
    if (found == std::string_view::npos) { return out + std::string(name.substr(at)); }
    size_t digits = found + kHexPrefix.size();
    size_t end = std::min(name.find_first_not_of(kHex, digits), name.size());
    out += name.substr(at, digits - at);
    if (end > digits) { out += "..."; }
    at = end;
  }
}

}  // namespace wick
