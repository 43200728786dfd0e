// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/view.h"

#include "analyze/combine.h"
#include "analyze/format.h"
#include "analyze/overview.h"
#include "base/text.h"
#include "base/utf8.h"
#include "import/import.h"
#include "view/draft.h"

namespace wick {
namespace {

// A file that is added must have counted the event that is shown, or nothing of it would be seen.
Status check_added(const Profile& one, const std::string& file, const Draft& sum) {
  std::string_view shown = sum.profile.text(sum.profile[sum.selection.event].name);
  std::string_view unit = sum.profile.text(sum.profile[sum.selection.event].unit);
  std::string others;
  for (const Event& event : one.events()) {
    if (one.text(event.name) == shown && one.text(event.unit) == unit) { return ok_status(); }
    others += (others.empty() ? "" : ", ") + shown_name(one.text(event.name));
  }
  if (one.samples().empty()) { return ok_status(); }
  return Error("cannot add %s: it counts %s, not %s", file.c_str(), others.c_str(), shown_name(shown).c_str())
      .with_code(Errc::kUsage);
}

}  // namespace

Result<Draft> load_draft(const ViewRequest& request) {
  WICK_ASSERT(!request.files.empty(), "a view is of a file");
  LoadOptions load{request.inlines, request.names, request.sources, request.reader, request.import};
  Draft draft;
  draft.filter = request.filter;
  WICK_LET(draft.profile, load_profile(request.files[0], load));
  std::vector<Profile> profiles;
  if (request.files.size() > 1) {
    profiles.resize(request.files.size());
    profiles[0] = std::move(draft.profile);
    for (size_t i = 1; i < profiles.size(); ++i) { WICK_LET(profiles[i], load_profile(request.files[i], load)); }
    draft.profile = merge_profiles(profiles, {.merge = request.import.merge});
  }
  Result<Selection> selection = select_samples(draft.profile, draft.filter);
  if (!selection.ok()) { return for_file(std::move(selection).error(), request); }
  draft.selection = *std::move(selection);
  for (size_t i = 0; i < profiles.size() && draft.selection.event.valid(); ++i) {
    WICK_OK(check_added(profiles[i], request.files[i], draft));
  }
  return draft;
}

Result<View> load_view(const ViewRequest& request) {
  WICK_LET(Draft draft, load_draft(request));
  return finish(std::move(draft));
}

Result<const Reader*> parse_format(const std::string& name) {
  if (name.empty()) { return nullptr; }
  if (const Reader* reader = find_reader(name)) { return reader; }
  std::vector<std::string> names;
  for (const Reader& r : readers()) { names.emplace_back(r.name); }
  std::vector<std::string> near = nearest_words(name, names);
  std::string list;
  for (const std::string& known : near.empty() ? names : near) { list += (list.empty() ? "" : ", ") + known; }
  return Error("unknown format \"%s\"; %s%s", printable(name).c_str(), near.empty() ? "known: " : "did you mean ",
               (list + (near.empty() ? "" : "?")).c_str())
      .with_code(Errc::kUsage);
}

Error for_file(Error error, const ViewRequest& request) {
  if (request.named_in_errors == NamedInErrors::kNone) { return error; }
  const std::string& file = request.files[0];
  for (std::string_view command : {"wick report ", "wick export "}) {
    if (!error.hint().starts_with(command)) { continue; }
    std::string rest = error.hint().substr(command.size());
    error = std::move(error).with_hint(std::string(command) + shell_quote(file) + " " + rest);
    break;
  }
  if (error.hint().starts_with("wick annotate ")) {  // the function comes first
    std::string hint = error.hint() + " " + shell_quote(file);
    error = std::move(error).with_hint(std::move(hint));
  }
  if (error.code() != Errc::kBadInput && request.named_in_errors != NamedInErrors::kAll) { return error; }
  return std::move(error).context(file == kStandardInput ? "standard input" : file);
}

std::string describe_event_choice(const View& view, std::span<const EventId> shown) {
  const Profile& profile = *view.profile;
  std::string others = describe_other_events(profile, shown);
  if (!view.filter.event.empty() || shown.empty() || others.empty()) { return {}; }
  std::string names;
  for (EventId id : shown) { names += (names.empty() ? "" : ", ") + shown_name(profile.text(profile[id].name)); }
  return "showing " + names + "; also recorded: " + others;
}

}  // namespace wick
