// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// `wick doctor` checks this machine (doctor_machine.cc) or a file (doctor_file.cc).

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/debug_package.h"
#include "elf/inspect.h"
#include "record/machine.h"
#include "term/doctor.h"

namespace wick {

Diagnosis diagnose_machine(const Machine& machine);

struct FileDiagnosis {
  std::string path;
  elf::Inspection facts;
  std::string debug_file;                // separate debug file; empty if none
  std::vector<std::string> build_flags;  // recommended build flags, most important first
  std::vector<std::string> name_flags;   // those that add symbols and lines
  DebugFileSource debug_source;          // of a debug file that would add them
  Diagnosis diagnosis;
};
// `name`: a path, or a name to find in PATH.
Result<FileDiagnosis> diagnose_file(const std::string& name);
// One after another, then a single command that installs all missing debug files.
std::string render_files(std::span<const FileDiagnosis> files, const Style& style);

}  // namespace wick
