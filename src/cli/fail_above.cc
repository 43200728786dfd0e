// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/fail_above.h"

#include <algorithm>
#include <cstdio>

#include "term/diff_view.h"

namespace wick {
namespace {

constexpr size_t kRegressionsNamed = 5;
constexpr int kRegressed = 1, kCannotJudge = 3;

}  // namespace

int judge_regressions(const ComparedRows& rows, double allowed_percent) {
  const DiffTable& table = rows.table;
  std::vector<Regression> found = find_regressions(table, allowed_percent / 100);
  if (found.empty()) {
    std::string too_few = find_too_few_samples(table);
    if (too_few.empty()) {
      // Whoever reads only the exit code should know what it does not mean.
      std::string uniform = describe_uniform_change(table);
      if (!uniform.empty()) { std::fprintf(stderr, "wick: --fail-above judges shares only: %s\n", uniform.c_str()); }
      return 0;
    }
    std::fprintf(stderr, "wick: --fail-above cannot judge: %s (needs at least %d samples in each profile)\n", too_few.c_str(),
                 static_cast<int>(kFewestSamples));
    return kCannotJudge;
  }
  for (const std::string& warning : table.warnings) { std::fprintf(stderr, "warning: %s\n", warning.c_str()); }
  for (size_t i = 0; i < std::min(found.size(), kRegressionsNamed); ++i) {
    std::fprintf(stderr, "wick: %s\n", describe_regression(rows.combined, table, found[i]).c_str());
  }
  if (found.size() > kRegressionsNamed) { std::fprintf(stderr, "wick: and %zu more\n", found.size() - kRegressionsNamed); }
  std::fprintf(stderr, "wick: regression: a share grew by more than %g points (--fail-above)\n", allowed_percent);
  return kRegressed;
}

}  // namespace wick
