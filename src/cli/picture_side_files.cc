// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/picture_side_files.h"

#include <unistd.h>

#include <cstdio>

#include "base/mapped_file.h"
#include "base/utf8.h"
#include "cli/flamegraph_options.h"
#include "cli/output.h"
#include "view/picture_files.h"

namespace wick {
namespace {

constexpr char kPaletteMapFile[] = "palette.map";

Result<std::string> read_text(const std::string& path) {
  WICK_LET(MappedFile file, MappedFile::open(path));
  return std::string(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
}

}  // namespace

Status PictureSideFiles::read(const PictureOptions& options, FlamegraphOptions& picture) {
  if (!options.attributes_file.empty()) {
    WICK_LET(std::string text, read_text(options.attributes_file));
    std::string ignored;
    Result<NameAttributes> parsed = parse_name_attributes(text, ignored);
    if (!parsed.ok()) { return std::move(parsed).error().context("cannot read " + options.attributes_file); }
    picture.attributes = *std::move(parsed);
    if (!ignored.empty() && !options.quiet) {
      std::fprintf(stderr, "warning: %s: ignoring some attributes; first: %s\n", printable(options.attributes_file).c_str(),
                   ignored.c_str());
    }
  }
  keeps_palette_ = options.keep_palette;
  if (!keeps_palette_) { return ok_status(); }
  if (::access(kPaletteMapFile, F_OK) == 0) {
    WICK_LET(std::string text, read_text(kPaletteMapFile));
    palette_ = parse_palette_map(text);
  }
  picture.palette_map = &palette_;
  return ok_status();
}

Status PictureSideFiles::write() const {
  return keeps_palette_ ? write_output(kPaletteMapFile, write_palette_map(palette_)) : ok_status();
}

}  // namespace wick
