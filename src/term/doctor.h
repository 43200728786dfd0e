// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Renders the findings of `wick doctor` as a table: a topic, yes or no, the reason, and the command to change it.

#include <string>
#include <vector>

#include "term/style.h"

namespace wick {

enum class Verdict { kYes, kLimited, kNo, kInfo };
const char* verdict_name(Verdict verdict);  // "yes", "limited", "no", "" (information only)

struct Finding {
  std::string name;   // machine-readable: "kernel_side"
  std::string topic;  // shown to users: "kernel side"
  Verdict verdict = Verdict::kInfo;
  std::string why;
  std::string command;  // to change it; empty if there is none or nothing to change
};

struct Diagnosis {
  std::string title, subtitle;
  std::vector<Finding> findings;
  std::vector<std::string> conclusions;  // paragraphs below the table; lines after a "\n" that start with two blanks are indented
};

// Fits the text to the width: wraps reasons between words, but never commands.
std::string render_diagnosis(const Diagnosis& diagnosis, const Style& style);

}  // namespace wick
