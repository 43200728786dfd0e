// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Extra files of a flame graph: attributes of functions (--nameattr), and the colors of earlier images (--cp).

#include <string>

#include "base/result.h"
#include "export/flamegraph.h"

namespace wick {

struct PictureOptions;

class PictureSideFiles {
 public:
  // Fills `picture`, which then refers to this object. Prints warnings unless options.quiet.
  Status read(const PictureOptions& options, FlamegraphOptions& picture);
  // Writes the colors, including those of new functions.
  Status write() const;

 private:
  bool keeps_palette_ = false;
  PaletteMap palette_;
};

}  // namespace wick
