// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The files beside the profile that a flame graph is drawn with: attributes of functions (--nameattr), and the colors of other
// pictures (--cp).

#include <string>

#include "base/result.h"
#include "export/flamegraph.h"

namespace wick {

struct PictureOptions;

class PictureSideFiles {
 public:
  // Into `picture`, which then refers to this object. Warnings go to standard error, unless options.quiet.
  Status read(const PictureOptions& options, FlamegraphOptions& picture);
  // The colors, with those of functions that are new.
  Status write() const;

 private:
  bool keeps_palette_ = false;
  PaletteMap palette_;
};

}  // namespace wick
