// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/usage_error.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/text.h"
#include "cli/command.h"
#include "cli/help.h"

namespace wick {
namespace {

// The message and the hint for "wick LINE".
std::string said(const std::string& line) {
  CLI::App root("", "wick");
  root.require_subcommand(1);
  Run report = add_report_command(*root.add_subcommand("report", "")),
      record = add_record_command(*root.add_subcommand("record", ""));
  std::vector<std::string> words = {"wick"};
  for (std::string_view word : split(line, ' ')) { words.emplace_back(word); }
  std::vector<std::string> backwards(words.rbegin(), words.rend() - 1);
  try {
    root.parse(backwards);
  } catch (const CLI::ParseError& error) {
    Error explained = explain_usage(root, error, words);
    EXPECT_EQ(explained.code(), Errc::kUsage);
    return explained.message() + " | " + explained.hint();
  }
  return "parsed";
}

TEST(UsageError, SuggestsTheNearestName) {
  EXPECT_EQ(said("reprot"), "unknown command \"reprot\"; did you mean report? | wick --help");
  EXPECT_EQ(said("zzzzzzz"), "unknown command \"zzzzzzz\" | wick --help");
  EXPECT_EQ(said("--versoin"), "unknown option --versoin | wick --help");
  EXPECT_EQ(said("report --limti 3"), "unknown option --limti; did you mean --limit? | wick report --help");
  EXPECT_EQ(said("report --colour=never x.wick"), "unknown option --colour; did you mean --color? | wick report --help");
  EXPECT_EQ(said("report --zzzzzzz"), "unknown option --zzzzzzz | wick report --help");
}

TEST(UsageError, RephrasesErrorsOfTheParser) {
  EXPECT_EQ(said("report --limit"), "--limit needs a value | wick report --help");
  EXPECT_EQ(said("report --limit many"), "--limit must be a number, 0 or more, not \"many\" | wick report --help");
  EXPECT_EQ(said("report a.wick b.wick"), "unexpected argument: b.wick | wick report --help");
  EXPECT_EQ(said("report --by colour"),
            "--by must be function, module, file, line, thread or process, not \"colour\" | wick report --help");
  EXPECT_EQ(said("record --iterations 0 true"),
            "--iterations must be a number from 1 to 1000000, not \"0\" | wick record --help");
  EXPECT_EQ(said("record -c some true"), "--count must be a number, 1 or more, not \"some\" | wick record --help");
  EXPECT_EQ(said("record --engine perv true"), "--engine must be auto, perf or ptrace, not \"perv\" | wick record --help");
  EXPECT_EQ(said("record --unwind lbr true"), "--unwind must be dwarf, fp or none, not \"lbr\" | wick record --help");
}

TEST(Help, HidesDetailsOfTheParser) {
  CLI::App root("", "wick");
  CLI::App* record = root.add_subcommand("record", "Record a program");
  auto run = add_record_command(*record);
  std::string text = record->help("wick");
  for (const char* alien : {"UINT", "TEXT", " in [", ":{", "..."}) {
    EXPECT_EQ(text.find(alien), std::string::npos) << alien << "\n" << text;
  }
  EXPECT_NE(text.find("\n  -o, --output FILE           "), std::string::npos) << text;
  EXPECT_NE(text.find("\n      --iterations N          "), std::string::npos) << text;
  EXPECT_NE(text.find("\nUsage: wick record [OPTIONS] -- COMMAND [ARGS…]\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace wick
