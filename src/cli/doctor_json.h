// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// `wick doctor --json`: docs/doctor-json.md.

#include <span>
#include <string>

#include "cli/doctor.h"

namespace wick {

std::string machine_json(const Machine& machine, const Diagnosis& diagnosis);
std::string files_json(std::span<const FileDiagnosis> files);

}  // namespace wick
