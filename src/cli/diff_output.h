// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What `wick diff` writes: a table, a picture, or folded stacks.

#include "cli/diff_options.h"
#include "view/diff.h"

namespace wick {

// Two files of folded stacks need not be taken apart to be joined. False: more is asked for, or they are something else.
Result<bool> write_joined_files(const DiffArguments& options);

Status write_folded_or_picture(const DiffArguments& options, const Diff& diff);
// As text or JSON.
Status write_diff_table(const DiffArguments& options, const Diff& diff, const ComparedRows& rows);

}  // namespace wick
