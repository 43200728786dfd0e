// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/result.h"
#include "cli/address_answers.h"

namespace wick {

// Reads addresses from `input` as they arrive and writes the answers to `output` in the same order, so that a program can ask one
// at a time. Large input is split into slices, one thread per writer; no thread gets far ahead of the output.
Status converse(std::vector<AnswerWriter>& writers, int input, int output);
Status write_answers(int output, Answer answer);

}  // namespace wick
