// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "model/event_name.h"

namespace wick {

std::string plain_event_name(std::string_view name) {
  constexpr std::string_view kWhere = "ukh", kHow = "pPHGSDWeb";
  size_t colon = name.rfind(':');
  std::string_view modifiers = colon == name.npos ? std::string_view() : name.substr(colon + 1);
  std::string kept;
  for (char c : modifiers) {
    bool is_where = kWhere.find(c) != kWhere.npos;
    if (!is_where && kHow.find(c) == kHow.npos) { return std::string(name); }
    if (is_where) { kept += c; }
  }
  if (modifiers.empty() || colon == 0) { return std::string(name); }
  return std::string(name.substr(0, colon)) + (kept.empty() ? "" : ":" + kept);
}

}  // namespace wick
