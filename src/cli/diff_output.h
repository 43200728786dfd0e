// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The outputs of `wick diff`: a table, a flame graph, or folded stacks.

#include "cli/diff_options.h"
#include "view/diff.h"

namespace wick {

// Joins two files of folded stacks without parsing stacks. Returns false if the options need more, or the files have another
// format.
Result<bool> write_joined_files(const DiffArguments& options);

Status write_folded_or_picture(const DiffArguments& options, const Diff& diff);
// The lines of a function (--annotate), as text or JSON.
Status write_line_diff(const DiffArguments& options, const DiffRequest& request, const Diff& diff);
// Text or JSON.
Status write_diff_table(const DiffArguments& options, const Diff& diff, const ComparedRows& rows);

}  // namespace wick
