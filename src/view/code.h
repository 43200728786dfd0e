// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "annotate/code_rows.h"
#include "annotate/function_code.h"

namespace wick {

// "line", "inlined", …
const char* code_row_name(CodeRow::Kind kind);

// Whether frames have addresses as in the files of their modules. Other tools may count differently.
bool has_linked_addresses(const Profile& profile);

// The viewer's page adds up the lines of all builds of a function, and shows the instructions of one.
FunctionCode read_page_code(CodeReader& reader, FunctionId function);

// `Code` of docs/view-protocol.md.
std::string code_json(const FunctionCode& code);

}  // namespace wick
