// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A text table: columns are as wide as needed; on a terminal, shrinkable ones share the rest of the line.
//
//   Table table({{"SELF", Align::kRight}, {"FUNCTION", Align::kLeft, Shrink::kName}});
//   table.add({{"42.1%", Paint::kHot}, {"main"}});
//   out += table.render(style);

#include <string>
#include <vector>

#include "term/style.h"

namespace wick {

enum class Align { kLeft, kRight };
enum class Shrink { kNever, kName /* a function's */, kMiddle, kEnd };

struct Column {
  std::string title;
  Align align = Align::kLeft;
  Shrink shrink = Shrink::kNever;
  int goes = 0;  // in a line too narrow for all columns, the one with the highest number is dropped first; 0: never
};
struct Cell {
  std::string text;
  Paint paint = Paint::kPlain;
  std::string tail{};  // a dim word after the text that does not shrink; omitted if there is no room
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }
  size_t size() const { return rows_.size(); }
  // Lines that end with "\n", starting with the titles if there are any; two blanks between columns.
  std::string render(const Style& style) const;

 private:
  // -1 for hidden columns.
  std::vector<int> widths(const Style& style) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace wick
