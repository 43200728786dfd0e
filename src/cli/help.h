// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The help text of every command. CLI11's formatter shows checks ("N:UINT in [1 - 1000000]") and counts bytes instead of columns.

#include <CLI/CLI.hpp>

#include <string>

namespace wick {

class Help : public CLI::FormatterBase {
 public:
  // `usage`: replaces "wick COMMAND [OPTIONS] [FILE]".
  explicit Help(std::string usage = "") : usage_(std::move(usage)) {}
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;

 private:
  std::string usage_;
};

}  // namespace wick
