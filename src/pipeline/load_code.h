// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The code that a recording contains -> RecordedCode.
//
// A profile has one module for the generated code of all processes and times, but an address may have different code in another
// process, or at another time. So the module has versions: no address of one has two codes, and a frame is in a version with its
// own code, or without any at its address.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "capture/capture.h"
#include "model/recorded_code.h"

namespace wick {

struct LoadedCode {
  std::shared_ptr<const RecordedCode> recorded;  // null: none
  std::vector<uint32_t> versions;                // by frame, of generated code; empty: all 0
};

LoadedCode load_code(const capture::Capture& capture);

// The path of the module of generated code.
std::string generated_path(uint32_t version);

}  // namespace wick
