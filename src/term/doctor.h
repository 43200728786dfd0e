// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What `wick doctor` found, as a table for people: a topic, yes or no, why, and the command that would change it.

#include <string>
#include <vector>

#include "term/style.h"

namespace wick {

enum class Verdict { kYes, kLimited, kNo, kInfo };
const char* verdict_name(Verdict verdict);  // "yes", "limited", "no", "" (only told)

struct Finding {
  std::string name;   // for programs that read it: "kernel_side"
  std::string topic;  // for people: "kernel side"
  Verdict verdict = Verdict::kInfo;
  std::string why;
  std::string command;  // that would change it; empty when there is none, or nothing to change
};

struct Diagnosis {
  std::string title, subtitle;
  std::vector<Finding> findings;
  std::vector<std::string> conclusions;  // paragraphs below the table; lines after a "\n" that begin with two blanks are indented
};

// Text that fits the width: reasons are broken between words, commands never.
std::string render_diagnosis(const Diagnosis& diagnosis, const Style& style);

}  // namespace wick
