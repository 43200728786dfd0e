// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/compared_files.h"

#include <CLI/CLI.hpp>

namespace wick {

void add_second_file(CLI::App& app, std::string& file, const std::string& description) {
  app.add_option("FILE2", file, description)->check(CLI::Validator(check_file_name, ""))->type_name("");
}

Result<DiffRequest> understand_comparison(const ProfileOptions& options, const std::string& after) {
  if (options.file == kStandardInput && after == kStandardInput) {
    return Error("only one profile can be read from standard input").with_code(Errc::kUsage);
  }
  DiffRequest request;
  WICK_LET(request.view, understand(options));
  request.before = options.file;
  request.after = after;
  return request;
}

}  // namespace wick
