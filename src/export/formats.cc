// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/formats.h"

#include <algorithm>
#include <utility>

#include "analyze/format.h"
#include "base/text.h"
#include "export/flamegraph.h"
#include "export/folded.h"
#include "export/gzip.h"
#include "export/viewer_page.h"
#include "export/writers.h"

namespace wick {
namespace {

// Like `wick collapse` without options.
void write_folded_export(const ExportView& view, const Sink& sink) {
  const Profile& p = view.profile;
  FoldedStacks folded({.weights = folded_by_weights(p),
                       .period = folded_period(p, view.selections.empty() ? EventId{} : view.selections[0].event)});
  Status added = folded.add(p, view.first(), view.selections.size() > 1 ? &view.selections[1] : nullptr);
  WICK_ASSERT(added.ok(), "a selection's costs can be added up");
  folded.write(sink);
}
void write_svg(const ExportView& view, const Sink& sink) { sink(flamegraph_svg(view.profile, view.first(), view.filter, {})); }
void write_firefox_gz(const ExportView& view, const Sink& sink) {
  write_gzip(sink, [&](const Sink& packed) { write_firefox(view, packed); });
}
void write_pprof_gz(const ExportView& view, const Sink& sink) {
  write_gzip(sink, [&](const Sink& packed) { write_pprof(view, packed); });
}

constexpr uint32_t kEverything = UINT32_MAX;
constexpr uint32_t kStacksAndThreads = kCarriesStacks | kCarriesThreads;

const ExportFormat kFormats[] = {
    {.name = "folded",
     .what = "folded stacks, for flame graph tools",
     .extension = ".folded",
     .carries = kStacksAndThreads | kCarriesSamples,
     .adds_up = true,
     .two_counts = true,
     .spells_stacks = true,
     .write = write_folded_export},
    {.name = "firefox",
     .what = "the Firefox Profiler, samply, Perfetto",
     .extension = ".json.gz",
     .carries = kEverything & ~(kCarriesCpus | kCarriesLosses),
     .needs_times = true,
     .write = write_firefox_gz},
    {.name = "pprof",
     .what = "pprof and compatible tools",
     .extension = ".pb.gz",
     .carries = kEverything & ~(kCarriesTimes | kCarriesCpus | kCarriesLosses),
     .adds_up = true,
     .write = write_pprof_gz},
    {.name = "speedscope",
     .what = "speedscope.app",
     .extension = ".speedscope.json",
     .carries = kStacksAndThreads | kCarriesCosts | kCarriesSamples,
     .spells_stacks = true,
     .write = write_speedscope},
    {.name = "chrome-trace",
     .what = "chrome://tracing, Perfetto",
     .extension = ".trace.json",
     .carries = kStacksAndThreads | kCarriesTimes | kCarriesProcesses | kCarriesModules,
     .needs_times = true,
     .no_negative = true,
     .write = write_chrome_trace},
    {.name = "cpuprofile",
     .what = "Chrome's DevTools, VS Code",
     .extension = ".cpuprofile",
     .carries = kStacksAndThreads | kCarriesCosts | kCarriesSamples,
     .no_negative = true,
     .repeats_rows = true,
     .write = write_cpuprofile},
    {.name = "callgrind",
     .what = "KCachegrind, callgrind_annotate",
     .extension = ".callgrind.out",
     .carries = kCarriesThreads | kCarriesModules | kCarriesLines | kCarriesCosts | kCarriesSamples | kCarriesEvents,
     .adds_up = true,
     .no_negative = true,
     .write = write_callgrind},
    {.name = "perf-script",
     .what = "the text of `perf script`",
     .extension = ".perf.txt",
     .carries = kEverything & ~(kCarriesLines | kCarriesBuildIds | kCarriesLosses),
     .needs_times = true,
     .repeats_rows = true,
     .spells_stacks = true,
     .write = write_perf_script},
    {.name = "svg",
     .what = "a flame graph, like `wick flamegraph`",
     .extension = ".svg",
     .carries = kCarriesStacks | kCarriesProcesses | kCarriesThreads | kCarriesModules | kCarriesInlining | kCarriesCosts |
                kCarriesSamples | kCarriesLosses,
     .adds_up = true,
     .write = write_svg},
    {.name = "html",
     .what = "the viewer in one file, for any browser",
     .extension = ".html",
     .carries = kEverything & ~kCarriesCpus,
     .two_counts = true,
     .write = write_html},
    {.name = "csv",
     .what = "a table of functions, for spreadsheets",
     .extension = ".csv",
     .carries = kCarriesModules | kCarriesCosts | kCarriesSamples,
     .adds_up = true,
     .write = write_csv},
    {.name = "json",
     .what = "the complete profile, for scripts",
     .extension = ".wick.json",
     .carries = kEverything,
     .write = write_profile_json},
};

bool ends_with(std::string_view name, std::string_view end) {
  if (name.size() < end.size()) { return false; }
  return std::equal(end.begin(), end.end(), name.end() - static_cast<ptrdiff_t>(end.size()),
                    [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b); });
}

// Other common extensions.
constexpr std::pair<std::string_view, std::string_view> kNameEnds[] = {
    {".pprof", "pprof"}, {".pprof.gz", "pprof"}, {".collapsed", "folded"}, {".callgrind", "callgrind"}, {".perf", "perf-script"},
};

// The data that the selected samples have.
uint32_t what_is_there(const ExportView& view) {
  const Profile& p = view.profile;
  uint32_t there = kCarriesStacks | kCarriesSamples;
  if (p.has_times() || p.left_behind().times) { there |= kCarriesTimes; }
  if (p.left_behind().cpus) { there |= kCarriesCpus; }
  bool many_samples_apart = false;
  std::vector<bool> threads(p.threads().size()), processes(p.processes().size());
  for (const Selection& s : view.selections) {
    many_samples_apart |= !is_sample_count(p, s);
    for (uint32_t row : s.samples) {
      const Sample& sample = p.samples()[row];
      if (p.has_times() && sample.cpu != 0) { there |= kCarriesCpus; }
      threads[sample.thread.value] = processes[p[sample.thread].process.value] = true;
    }
  }
  if (many_samples_apart) { there |= kCarriesCosts; }
  if (std::count(threads.begin(), threads.end(), true) > 1) { there |= kCarriesThreads; }
  if (std::count(processes.begin(), processes.end(), true) > 1) { there |= kCarriesProcesses; }
  for (uint32_t row : used_stacks(view).rows) {
    const Frame& frame = p[p.stacks()[row].frame];
    ModuleId module = p[frame.function].module;
    if (frame.line != 0) { there |= kCarriesLines; }
    if (frame.address != 0) { there |= kCarriesAddresses; }
    if (frame.inlined) { there |= kCarriesInlining; }
    if (module.valid()) { there |= kCarriesModules; }
    if (module.valid() && p[module].build_id.valid()) { there |= kCarriesBuildIds; }
  }
  if (std::any_of(p.losses().begin(), p.losses().end(), [](const Loss& l) { return l.samples && l.count > 0; })) {
    there |= kCarriesLosses;
  }
  return there;
}

uint64_t count_negative(const ExportView& view) {
  uint64_t sum = 0;
  for (const Selection& s : view.selections) {
    for (uint32_t row : s.samples) { sum += view.profile.samples()[row].weight < 0 ? view.profile.samples()[row].count : 0; }
  }
  return sum;
}

constexpr std::pair<Carried, const char*> kThings[] = {
    {kCarriesStacks, "stacks"},         {kCarriesTimes, "times"},         {kCarriesCpus, "CPUs"},
    {kCarriesThreads, "threads"},       {kCarriesProcesses, "processes"}, {kCarriesCosts, "costs"},
    {kCarriesSamples, "sample counts"}, {kCarriesModules, "modules"},     {kCarriesLines, "source lines"},
    {kCarriesAddresses, "addresses"},   {kCarriesInlining, "inlining"},   {kCarriesBuildIds, "build IDs"},
    {kCarriesLosses, "lost samples"},
};

}  // namespace

std::span<const ExportFormat> export_formats() { return kFormats; }

const ExportFormat* find_export_format(std::string_view name) {
  for (const ExportFormat& format : kFormats) {
    if (format.name == name) { return &format; }
  }
  return nullptr;
}

const ExportFormat* format_of_file_name(std::string_view file_name) {
  // "callgrind.out.4711": the tool's own name for such files.
  std::string_view base = file_name.substr(file_name.rfind('/') + 1);
  if (base.starts_with("callgrind.out")) { return find_export_format("callgrind"); }
  for (auto [end, name] : kNameEnds) {
    if (ends_with(base, end)) { return find_export_format(name); }
  }
  const ExportFormat* longest = nullptr;
  for (const ExportFormat& format : kFormats) {
    bool longer = longest == nullptr || format.extension.size() > longest->extension.size();
    if (ends_with(base, format.extension) && longer) { longest = &format; }
  }
  return longest;
}

Status check_export_size(const ExportFormat& format, const ExportView& view) {
  if (!format.spells_stacks) { return ok_status(); }
  const Profile& p = view.profile;
  std::vector<uint32_t> depth(p.stacks().size());
  for (size_t i = 0; i < depth.size(); ++i) {
    depth[i] = p.stacks()[i].caller.valid() ? depth[p.stacks()[i].caller.value] + 1 : 1;
  }
  uint64_t frames = 0;
  for (const Selection& selection : view.selections) {
    for (uint32_t row : selection.samples) { frames += depth[p.samples()[row].stack.value]; }
  }
  if (frames <= kMostSpelledFrames) { return ok_status(); }
  return Error("%s would contain %s frames: it repeats the stack, up to %s frames, for each sample",
               std::string(format.name).c_str(), group_thousands(frames).c_str(),
               group_thousands(*std::max_element(depth.begin(), depth.end())).c_str())
      .with_code(Errc::kBadInput)
      .with_hint("wick export --format pprof");
}

std::vector<std::string> export_remarks(const ExportFormat& format, const ExportView& view) {
  const Profile& p = view.profile;
  std::vector<std::string> out;
  uint32_t there = what_is_there(view), missing = there & ~format.carries;
  // One number per stack: the cost or the number of samples.
  if (format.write == write_folded_export && folded_by_weights(p)) {
    bool apart = (there & kCarriesCosts) != 0;
    missing &= ~uint32_t{kCarriesCosts};
    if (apart) { missing |= kCarriesSamples; }
  }
  // A row has one number: for times the samples (with the cost in another column), otherwise the cost.
  if (format.write == write_firefox_gz) {
    for (const Selection& s : view.selections) {
      bool is_time = s.event.valid() && p.text(p[s.event].unit) == "ns";
      if (!is_time && !is_sample_count(p, s)) { missing |= kCarriesSamples; }
    }
  }
  // The page shows all the rest, and nothing reads it back.
  if (format.write == write_html) { missing &= ~uint32_t{kCarriesCpus}; }
  std::string list;
  for (auto [thing, words] : kThings) {
    if ((missing & thing) != 0) { list += (list.empty() ? "" : ", ") + std::string(words); }
  }
  if (!list.empty()) { out.push_back(std::string(format.name) + " cannot store: " + list); }
  if (p.left_behind().labels) { out.push_back("sample labels are not exported"); }
  if (format.needs_times && !p.has_times()) { out.push_back("the samples have no times; writing them one after another"); }
  if (uint64_t below = format.no_negative ? count_negative(view) : 0; below > 0) {
    out.push_back(count_of(below, "sample") + (below == 1 ? " has a negative cost" : " have negative costs") + ", written as 0");
  }
  if (format.repeats_rows && !repeats_rows(view)) {
    out.push_back("more than " + group_thousands(kMostRepeated) + " samples: writing one per stack, with its total cost");
  }
  return out;
}

}  // namespace wick
