// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Exported files can be far larger than the profile, so they are written in pieces.

#include <charconv>
#include <concepts>
#include <functional>
#include <string>
#include <string_view>

namespace wick {

// Receives the next bytes; false: stop.
using Sink = std::function<bool(std::string_view)>;

//   PieceWriter out(sink);
//   while (… && out.step()) { out.text += …; }
//   out.finish();
class PieceWriter {
 public:
  explicit PieceWriter(const Sink& sink) : sink_(sink) {}

  std::string text;  // append here

  // Call regularly: passes on what has accumulated. False: stop.
  bool step() {
    if (text.size() >= kPieceBytes) { hand_over(); }
    return wanted_;
  }
  void finish() { hand_over(); }

 private:
  static constexpr size_t kPieceBytes = size_t{64} << 10;

  void hand_over() {
    if (wanted_ && !text.empty()) { wanted_ = sink_(text); }
    text.clear();
  }

  const Sink& sink_;
  bool wanted_ = true;
};

inline void append_number(std::string& out, std::integral auto number) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

}  // namespace wick
