// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The formats that profiles can be exported to, by name and by the names of files; what each has room for.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "export/export_view.h"
#include "export/piece_writer.h"

namespace wick {

// What a profile may hold and a format may have no place for.
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
  std::string_view name;       // as people write it after --format
  std::string_view what;       // for people
  std::string_view extension;  // of the file that is written where nobody named one
  uint32_t carries = 0;
  bool needs_times = false;    // samples without times get some
  bool adds_up = false;        // nothing but sums of equal stacks: the order of samples does not matter
  bool two_counts = false;     // of a difference both events are written, before and after
  bool no_negative = false;    // costs below zero are written as 0
  bool repeats_rows = false;   // a row that stands for several samples is written so many times
  bool spells_stacks = false;  // each row has all frames of its stack, in place of a table of stacks
  void (*write)(const ExportView& view, const Sink& sink) = nullptr;

  bool has_place_for(Carried what_else) const { return (carries & what_else) != 0; }
};

std::span<const ExportFormat> export_formats();
const ExportFormat* find_export_format(std::string_view name);        // nothing: no such name
const ExportFormat* format_of_file_name(std::string_view file_name);  // nothing: the name does not tell

// Where stacks are deep and many, text that has every frame of each can be thousands of times the profile: that is refused.
Status check_export_size(const ExportFormat& format, const ExportView& view);

// What is in the view and gets lost in the format, and what is made up: a sentence each, for people.
std::vector<std::string> export_remarks(const ExportFormat& format, const ExportView& view);

}  // namespace wick
