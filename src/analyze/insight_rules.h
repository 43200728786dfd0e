// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The table of symptoms that `wick report --insights` looks for (docs/insights.md). A rule is data: names of functions, which
// samples count, and from which share on the finding is shown. Rules without names are measured by analyze/insights.cc.
//
// Names are compared as insight_name() writes them: whole names, so a program's my_malloc_stats or regex::compile matches
// nothing.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/profile.h"

namespace wick {

// kCertain: names of functions, or counts, prove what the time is spent on. kLikely: a measured property that has other causes in
// rare cases. kGuess: the property is measured, but whether it is a problem depends on the program.
enum class Sure : uint8_t { kGuess, kLikely, kCertain };
std::string_view sure_name(Sure sure);

enum class Symptom : uint8_t {
  kDirect,      // a function with such a name is on the stack, and it calls no code of the program above this sample
  kAnywhere,    // a function with such a name is on the stack
  kInnermost,   // the innermost function has such a name
  kOutOfLine,   // likewise, and it is not inlined
  kKernel,      // the innermost function is in the kernel
  kUnnamed,     // the innermost function is generated code without a symbol
  kRecursion,   // a function is on the stack many times
  kLine,        // one source line of the program
  kThread,      // one thread, while others of its process wait
  kProcesses,   // short-lived processes
  kSmallPieces  // like kAnywhere, if the fixed cost of each call dominates
};

enum class CodeSpace : uint8_t { kUser, kKernel };

struct InsightRule {
  std::string_view id, title;
  Symptom symptom;
  Sure sure;
  double least_share;
  std::string_view advice;
  // Regular expressions for whole names, of functions in user space or the kernel. kDirect: with_kernel includes the kernel's
  // part.
  std::string_view user_names{}, kernel_names{};
  bool with_kernel = false;
};

std::span<const InsightRule> insight_rules();
constexpr size_t kMostRules = 64;  // one bit each

// A function's name without arguments, return type, inline namespaces, and suffixes of compilers.
std::string insight_name(std::string_view name);

// The bit of functions that are fixed costs of each read or write, as opposed to moving the data.
constexpr size_t kFixedCostsBit = kMostRules - 1;

struct ClassifiedFunctions {
  std::vector<uint64_t> rules;  // of each function: a bit per rule with a matching name, and kFixedCostsBit
  std::vector<bool> own;        // code of the program or of a library that is no standard library, C library, runtime or kernel
};
// Compares each name once with all rules.
ClassifiedFunctions classify_functions(const Profile& profile);

}  // namespace wick
