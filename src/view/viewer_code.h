// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Source and assembly for the viewer's page, function by function.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/diff_profile.h"
#include "annotate/function_code.h"
#include "annotate/line_diff.h"
#include "view/code.h"
#include "view/view.h"

namespace wick {

// Files and symbols as the request names them.
CodeOptions code_options(const ViewRequest& request, SourcePlaces source);

class ViewerCode {
 public:
  // `functions`: rows of the profile. Needs the profile only during the call.
  ViewerCode(const Profile& profile, const std::vector<FunctionId>& functions, CodeOptions options);

  // By the number in `functions`; no code for an invalid one.
  FunctionCode read(size_t number);
  CodeReader::SourceVersion find_source(size_t number, const std::string& file);
  std::string_view build_id(size_t number) const;

 private:
  std::vector<FunctionId> functions_;
  Profile code_;  // modules, functions and frames only; sets functions_
  CodeReader reader_;
};

// Of a comparison: a function's code in the file after, or before if it is only there.
class ComparedCode {
 public:
  // `functions`: by the numbers that `json` takes. Needs the profiles only during the call.
  ComparedCode(const Profile& before, const Profile& after, const std::vector<CombinedFunction>& functions, CodeOptions options);

  FunctionCode read(size_t number);
  // For the page, which compares lines: a note says if their numbers, and addresses, may mean other code before.
  std::string json(size_t number);
  // The source of one side, to compare lines.
  VersionedLines find_lines(size_t number, bool is_before, const std::string& file);
  Builds compare_builds(size_t number) const;
  // Only the file before has samples of it, so its code is from there.
  bool is_only_before(size_t number) const;

 private:
  std::vector<CombinedFunction> functions_;
  ViewerCode before_, after_;
};

}  // namespace wick
