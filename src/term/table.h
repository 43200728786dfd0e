// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A table of text: columns as wide as they need; on a terminal those that may shrink share what is left of the line.
//
//   Table table({{"SELF", Align::kRight}, {"FUNCTION", Align::kLeft, Shrink::kName}});
//   table.add({{"42.1 %", Paint::kHot}, {"main"}});
//   out += table.render(style);

#include <string>
#include <vector>

#include "term/style.h"

namespace wick {

enum class Align { kLeft, kRight };
enum class Shrink { kNever, kName /* a function's */, kMiddle };

struct Column {
  std::string title;
  Align align = Align::kLeft;
  Shrink shrink = Shrink::kNever;
  int goes = 0;  // where the line is too narrow for all columns, the one with the highest number goes first; 0: never
};
struct Cell {
  std::string text;
  Paint paint = Paint::kPlain;
  std::string tail{};  // a dim word behind the text, which does not shrink; left out where there is no room
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }
  size_t size() const { return rows_.size(); }
  // Lines that end with "\n", the titles first when there are any; two blanks between columns.
  std::string render(const Style& style) const;

 private:
  // Of columns that are not shown: -1.
  std::vector<int> widths(const Style& style) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace wick
