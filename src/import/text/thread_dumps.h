// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Dumps of all threads' stacks, usually many in a row: profiles made with a debugger.

#include "import/common/reader.h"

namespace wick {

bool is_gdb(const Head& head);
Result<Profile> read_gdb(Input& input, const ImportOptions& options);
constexpr Reader kGdbReader = {"gdb", "gdb backtraces", is_gdb, read_gdb};

bool is_eu_stack(const Head& head);
Result<Profile> read_eu_stack(Input& input, const ImportOptions& options);
constexpr Reader kEuStackReader = {"elfutils", "eu-stack backtraces", is_eu_stack, read_eu_stack};

bool is_procstack(const Head& head);
Result<Profile> read_procstack(Input& input, const ImportOptions& options);
constexpr Reader kProcstackReader = {"aix", "AIX procstack output", is_procstack, read_procstack};

bool is_faulthandler(const Head& head);
Result<Profile> read_faulthandler(Input& input, const ImportOptions& options);
constexpr Reader kFaulthandlerReader = {"faulthandler", "Python faulthandler dumps", is_faulthandler, read_faulthandler};

}  // namespace wick
