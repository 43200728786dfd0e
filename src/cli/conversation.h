// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/result.h"
#include "cli/address_answers.h"

namespace wick {

// Reads addresses from `input` as they come and writes the answers to `output` in the same order, so that a program may ask and
// wait. Much that comes at once is cut into slices, one thread for each of the writers; none goes far ahead of what has been
// written.
Status converse(std::vector<AnswerWriter>& writers, int input, int output);
Status write_answers(int output, Answer answer);

}  // namespace wick
