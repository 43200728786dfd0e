// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/folded.h"

#include "analyze/runtime_frames.h"
#include "import/perf/perf_script.h"
#include "model/event_name.h"
#include "view/draft.h"

namespace wick {
namespace {

// Other tools know an event by its name up to the colon: "cycles" is "cycles:u" and "cycles:k".
std::string_view before_colon(std::string_view name) { return name.substr(0, name.find(':')); }

template <typename Fits>
std::vector<EventId> events_that(const Profile& profile, Fits fits) {
  std::vector<EventId> found;
  for (uint32_t i = 0; i < profile.events().size(); ++i) {
    if (fits(profile.text(profile.events()[i].name))) { found.push_back(EventId{i}); }
  }
  return found;
}

bool needs_frames(const ViewRequest& request, const FoldedQuery& query) {
  bool selects = !request.filter.everything() || !request.filter.event.empty() || !query.event_filter.empty();
  bool changes = query.compat || query.fold_runtimes || query.folded.recursive || !query.folded.frames.skip_after.empty();
  return selects || changes || request.names == NameStyle::kShort || query.count == CountWhat::kSamples;
}

Result<std::vector<EventId>> filter_events(const View& view, const std::string& wanted) {
  const Profile& profile = *view.profile;
  std::string plain = plain_event_name(wanted);
  std::vector<EventId> found = events_that(profile, [&](std::string_view name) { return name == wanted || name == plain; });
  if (found.empty()) {
    found = events_that(profile, [&](std::string_view name) { return before_colon(name) == wanted; });
  }
  if (!found.empty() || profile.events().empty()) { return found; }
  Filter filter = view.filter;
  filter.event = wanted;
  return select_samples(profile, filter).error();  // says which there are
}

}  // namespace

Result<View> load_folded(ViewRequest request, const FoldedQuery& query) {
  const FrameTextOptions& frames = query.folded.frames;
  request.import.rules = query.compat.value_or(Rules::kOwn);
  // stackcollapse-jstack.pl's default
  if (query.compat == Rules::kPerl && !request.import.java_ids) { request.import.java_ids = false; }
  request.import.merge = !request.needs_times();
  request.import.functions_only = !frames.addresses && !frames.source;
  WICK_LET(Draft draft, load_draft(request));
  if (query.fold_runtimes) { draft.profile = fold_runtime_frames(std::move(draft.profile)); }
  return finish(std::move(draft));
}

FoldedOptions choose_folded_options(const View& first, const FoldedQuery& query) {
  const Profile& profile = *first.profile;
  FoldedOptions options = query.folded;
  options.frames.compat = query.compat.value_or(Rules::kOwn);
  CountWhat usual = folded_by_weights(profile) ? CountWhat::kWeights : CountWhat::kSamples;
  options.weights = query.count.value_or(usual) == CountWhat::kWeights;
  options.period = query.count ? 0 : folded_period(profile, first.selection.event);
  return options;
}

Result<std::vector<EventId>> choose_folded_events(const View& view, const FoldedQuery& query) {
  const Profile& profile = *view.profile;
  if (!query.event_filter.empty()) { return filter_events(view, query.event_filter); }
  bool event_is_chosen = !view.filter.event.empty();
  if ((profile.is_difference() && !event_is_chosen) || !view.selection.event.valid()) { return std::vector<EventId>(); }
  if (!query.compat || event_is_chosen) { return std::vector{view.selection.event}; }
  EventId first = first_event(profile);
  if (query.compat == Rules::kPerl) { return std::vector{first}; }
  std::string_view plain = before_colon(profile.text(profile[first].name));
  return events_that(profile, [&](std::string_view name) { return before_colon(name) == plain; });
}

Status add_view(FoldedStacks& folded, const View& view, std::span<const EventId> events) {
  const Profile& profile = *view.profile;
  folded.use_raw_names(profile.imported_from() == kPerfScriptReader.what);
  if (events.empty() && profile.is_difference()) {
    WICK_LET(Selection before, select_samples(profile, view.filter, EventId{0}));
    WICK_LET(Selection after, select_samples(profile, view.filter, EventId{1}));
    return folded.add(profile, before, &after);
  }
  if (events.empty()) { return folded.add(profile, view.selection); }
  Selection all;
  all.event = events.front();
  for (EventId event : events) {
    WICK_LET(Selection one, select_samples(profile, view.filter, event));
    all.samples.insert(all.samples.end(), one.samples.begin(), one.samples.end());
  }
  return folded.add(profile, all);
}

std::optional<FoldedFiles> find_folded_files(const ViewRequest& request, std::span<const std::string> files,
                                             const FoldedQuery& query) {
  if (needs_frames(request, query)) { return std::nullopt; }
  FoldedFiles out;
  for (const std::string& file : files) {
    std::optional<LoadedFolded> loaded = find_folded_text(file, request.reader);
    if (!loaded || !loaded->text.warnings.empty()) { return std::nullopt; }
    if (!out.files.empty() && loaded->text.divisor != out.divisor) { return std::nullopt; }
    out.divisor = loaded->text.divisor;
    if (!out.lines.add(std::move(loaded->text.rows))) { return std::nullopt; }
    out.files.push_back(*std::move(loaded));
  }
  out.lines.sort();
  for (size_t i = 0; i < files.size(); ++i) {
    if (!out.files[i].file.check(files[i]).ok()) { return std::nullopt; }
  }
  return out;
}

}  // namespace wick
