// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/insights_json.h"

#include <cmath>
#include <string_view>
#include <vector>

#include "analyze/format.h"

namespace wick {
namespace {

double rounded(double share) { return std::round(share * 10'000) / 10'000; }

void write_places(JsonWriter& json, const Profile& profile, const Selection& selection, std::string_view key,
                  const std::vector<InsightPlace>& places) {
  json.key(key).begin_array();
  for (const InsightPlace& place : places) {
    ModuleId module = place.function.valid() ? profile[place.function].module : ModuleId{};
    json.begin_object().key("name").value(place.name);
    json.key("module").value(module.valid() ? profile.text(profile[module].name) : std::string_view());
    json.key("file").value(profile.text(place.file)).key("line").value(place.line);
    json.key("share").value(rounded(share(place.cost.weight, selection.weight))).end_object();
  }
  json.end_array();
}

}  // namespace

void write_insights(JsonWriter& json, const Profile& profile, const Selection& selection, const Insights& insights) {
  json.key("insights").begin_array();
  for (const Insight& found : insights.found) {
    json.line().begin_object().key("rule").value(found.rule->id).key("title").value(found.rule->title);
    json.key("share").value(rounded(found.share)).key("sure").value(sure_name(found.rule->sure));
    json.key("weight").value(found.cost.weight).key("samples").value(found.cost.samples);
    write_places(json, profile, selection, "where", found.where);
    write_places(json, profile, selection, "frames", found.frames);
    json.key("advice").value(found.rule->advice).key("next").value(found.next.empty() ? found.next : "wick " + found.next);
    json.end_object();
  }
  if (!insights.found.empty()) { json.line(); }
  json.end_array();
}

}  // namespace wick
