// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The export formats by name and file extension, and what each can store.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "export/export_view.h"
#include "export/piece_writer.h"

namespace wick {

// Data of a profile that a format may be unable to store.
enum Carried : uint32_t {
  kCarriesTimes = 1 << 0,
  kCarriesCpus = 1 << 1,
  kCarriesThreads = 1 << 2,
  kCarriesProcesses = 1 << 3,
  kCarriesModules = 1 << 4,
  kCarriesLines = 1 << 5,
  kCarriesAddresses = 1 << 6,
  kCarriesInlining = 1 << 7,
  kCarriesCosts = 1 << 8,
  kCarriesSamples = 1 << 9,  // how many there were
  kCarriesStacks = 1 << 10,
  kCarriesEvents = 1 << 11,  // more than one
  kCarriesBuildIds = 1 << 12,
  kCarriesLosses = 1 << 13,
};

struct ExportFormat {
  std::string_view name;       // as given to --format
  std::string_view what;       // description for users
  std::string_view extension;  // default extension
  uint32_t carries = 0;
  bool needs_times = false;    // samples without times get artificial ones
  bool adds_up = false;        // only sums of equal stacks: the order of samples does not matter
  bool two_counts = false;     // for a difference, writes both events, before and after
  bool no_negative = false;    // writes negative costs as 0
  bool repeats_rows = false;   // writes a row of several samples that many times
  bool spells_stacks = false;  // writes all frames for each row, without a table of stacks
  void (*write)(const ExportView& view, const Sink& sink) = nullptr;

  bool has_place_for(Carried what_else) const { return (carries & what_else) != 0; }
};

std::span<const ExportFormat> export_formats();
const ExportFormat* find_export_format(std::string_view name);        // null: no such name
const ExportFormat* format_of_file_name(std::string_view file_name);  // null: unknown

// Fails if deep stacks would make the text, which repeats every frame, thousands of times larger than the profile.
Status check_export_size(const ExportFormat& format, const ExportView& view);

// Sentences about data that the format loses or makes up.
std::vector<std::string> export_remarks(const ExportFormat& format, const ExportView& view);

}  // namespace wick
