// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/flamegraph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "analyze/color.h"
#include "analyze/diff_table.h"
#include "base/text.h"
#include "base/utf8.h"
#include "export/flamegraph_paint.h"
#include "model/testing.h"

namespace wick {
namespace {

using testing_profile::add_lines;
using testing_profile::edited;
using testing_profile::profile_of;
using testing_profile::with_samples;

std::string svg_of(const Profile& p, const FlamegraphOptions& options = {}, const Filter& filter = {}) {
  return flamegraph_svg(p, *select_samples(p, filter), filter, options);
}

size_t count(const std::string& text, std::string_view part) {
  size_t n = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) { ++n; }
  return n;
}

// Enough of XML to catch what a hostile name could break: tags nest, attributes are quoted, only known entities, only characters
// that XML 1.0 allows. (The web test lets a browser parse the same file.)
::testing::AssertionResult well_formed(std::string_view xml) {
  auto bad = [&](size_t at, const char* why) {
    return ::testing::AssertionFailure() << why << " at " << at << ": " << xml.substr(at, 60);
  };
  for (std::string_view rest = xml; !rest.empty();) {
    CodePoint c = decode_utf8(rest);
    bool allowed = c.valid && (c.value >= 0x20 || c.value == '\n' || c.value == '\t') && c.value != 0xfffe && c.value != 0xffff;
    if (!allowed) { return bad(static_cast<size_t>(rest.data() - xml.data()), "a character that XML forbids"); }
    rest.remove_prefix(c.size);
  }
  std::vector<std::string> open;
  for (size_t at = 0; at < xml.size();) {
    if (xml[at] == '&') {
      bool known = false;
      for (std::string_view e : {"&amp;", "&lt;", "&gt;", "&quot;"}) { known = known || xml.substr(at).starts_with(e); }
      if (!known) { return bad(at, "an unknown entity"); }
      ++at;
    } else if (xml[at] == '>') {
      return bad(at, "a stray >");
    } else if (xml[at] != '<') {
      ++at;
    } else if (xml.substr(at).starts_with("<!--")) {
      size_t end = xml.find("--", at + 4);
      if (end == std::string_view::npos || xml[end + 2] != '>') { return bad(at, "a comment with --"); }
      at = end + 3;
    } else if (xml.substr(at).starts_with("<![CDATA[")) {
      at = xml.find("]]>", at);
      if (at == std::string_view::npos) { return bad(0, "CDATA without an end"); }
      at += 3;
    } else {
      size_t end = at + 1;
      for (char quote = 0; end < xml.size() && (quote || xml[end] != '>'); ++end) {
        if (quote ? xml[end] == quote : xml[end] == '"') { quote = quote ? 0 : xml[end]; }
        if (xml[end] == '<') { return bad(end, "a < in a tag"); }
      }
      if (end >= xml.size()) { return bad(at, "a tag without an end"); }
      std::string_view tag = xml.substr(at + 1, end - at - 1);
      std::string name(tag.substr(0, tag.find_first_of(" \n/")));
      if (tag.starts_with("/")) {
        name = std::string(tag.substr(1));
        if (open.empty() || open.back() != name) { return bad(at, "tags do not nest"); }
        open.pop_back();
      } else if (!tag.starts_with("?") && !tag.ends_with("/")) {
        open.push_back(name);
      }
      at = end + 1;
    }
  }
  return open.empty() ? ::testing::AssertionSuccess() : bad(0, "a tag stays open");
}

TEST(Flamegraph, StillPictureAndDataAreBothThere) {
  Profile p = profile_of({"t;main;ns::run<int>(int) 60", "t;main;libc.so.6`memcpy 40"});
  std::string svg = svg_of(p);
  EXPECT_TRUE(well_formed(svg));
  EXPECT_EQ(count(svg, "<rect class=\""), 1 + 4 + 2u);  // background, boxes, legend
  EXPECT_NE(svg.find(">ns::run&lt;int&gt;(int)</text>"), std::string::npos);
  EXPECT_NE(svg.find("\"ns::run<int>(int)\""), std::string::npos);  // in the data
  EXPECT_NE(svg.find(">./app --size 10</text>"), std::string::npos);
  EXPECT_NE(svg.find(">100 samples of cpu-clock in 99.0 ms, 1 thread, none lost</text>"), std::string::npos);
  EXPECT_NE(svg.find(",\n\"depth\":[0,1,2,2]"), std::string::npos);
  EXPECT_NE(svg.find(",\n\"samples\":[100,100,60,40]"), std::string::npos);
  EXPECT_NE(svg.find(",\n\"self\":[0,0,60,40]"), std::string::npos);
  EXPECT_NE(svg.find(",\n\"perSample\":1000000}"), std::string::npos);
  EXPECT_EQ(svg.find("http", svg.find("<style>")),
            svg.find("http://www.w3.org/2000/svg", svg.find("<style>")));  // no other address
}

TEST(Flamegraph, HostileNamesStayText) {
  ProfileBuilder b;
  b.set_command({"./a\"><script>alert(1)</script>", "\x1b[31m", "]]>"});
  EventId e = b.event("cpu-clock", "ns");
  ThreadId t = b.add_thread(b.add_process(1, "p"), 1, "p");
  StackId s;
  for (std::string name : {"]]>", "</script><script>alert(1)</script>", "<!--", "\"'&amp;&", "\x01\x02\x03\n\r\t", "\xff\xfe\xc3",
                           "\xef\xbf\xbf", "\xed\xa0\x80", "]]]>]]>", "\\u003c\\", "函数🔥", "<![CDATA["}) {
    s = b.stack(b.frame({.function = b.function(name, "", b.module("/lib/" + name))}), s);
  }
  b.add_sample({.time_ns = 1, .thread = t, .stack = s, .event = e, .weight = 1});
  Profile p = std::move(b).build();
  std::string svg = svg_of(p, {.title = "<b>]]>\x01"});
  EXPECT_TRUE(well_formed(svg));
  EXPECT_EQ(count(svg, "]]>"), 2u);          // the ends of data and script
  EXPECT_EQ(count(svg, "<script"), 2 + 2u);  // those two, and the name where it stands in the data, in full and short
  EXPECT_TRUE(well_formed(svg_of(p)));
}

TEST(Flamegraph, InlinedFramesAreMarked) {
  ProfileBuilder b;
  EventId e = b.event("cpu-clock", "ns");
  ThreadId t = b.add_thread(b.add_process(1, "p"), 1, "p");
  ModuleId app = b.module("/app");
  StackId main = b.stack(b.frame({.function = b.function("main", "", app)}), {});
  auto add = [&](const char* name, bool inlined) {
    StackId s = b.stack(b.frame({.function = b.function(name, "", app), .inlined = inlined}), main);
    b.add_sample({.time_ns = 1, .thread = t, .stack = s, .event = e, .weight = 1});
  };
  add("always", true);
  add("both", true);
  add("both", false);
  std::string svg = svg_of(std::move(b).build());
  EXPECT_TRUE(well_formed(svg));
  size_t still = svg.find("wick-still"), data = svg.find("wick-data");
  EXPECT_EQ(count(svg.substr(still, data - still), " il\""), 1 + 1u);  // the box, and the legend
  EXPECT_NE(svg.find(">pale: inlined<"), std::string::npos);
  // all, main, both (in part), always
  std::string_view frames = std::string_view(svg).substr(svg.find("\"frames\":["));
  frames = frames.substr(10, frames.find(']') - 9);
  std::vector<std::string_view> numbers = split(frames.substr(1, frames.size() - 2), ',');
  ASSERT_EQ(numbers.size(), 16u);
  EXPECT_EQ(numbers[3], "0");
  EXPECT_EQ(numbers[7], "0");
  EXPECT_EQ(numbers[11], "2");
  EXPECT_EQ(numbers[15], "1");
  EXPECT_EQ(svg_of(profile_of({"t;main 3"})).find("pale: inlined"), svg_of(profile_of({"t;main 3"})).rfind("pale: inlined"));
}

std::string still_of(const std::string& svg) {
  size_t still = svg.find("wick-still"), data = svg.find("wick-data");
  return svg.substr(still, data - still);
}

TEST(Flamegraph, ClaimsNoKindsThatTheFileDoesNotRecord) {
  auto folded = [](std::vector<const char*> names) {
    ProfileBuilder b;
    b.set_imported("folded stacks", false);
    EventId e = b.event("samples", "samples");
    ThreadId t = b.add_thread(b.add_process(0, ""), 0, "");
    for (const char* name : names) {
      StackId s = b.stack(b.frame({.function = b.function(name, {}, {})}), {});
      b.add_sample({.thread = t, .stack = s, .event = e, .weight = 1});
    }
    return std::move(b).build();
  };
  std::string plain = still_of(svg_of(folded({"main", "memcpy", "vfs_read"})));
  for (const char* claim : {"program", "unclassified", "%"}) { EXPECT_EQ(plain.find(claim), std::string::npos) << claim; }
  std::string marked = still_of(svg_of(folded({"main", "memcpy", "parse", "vfs_read_[k]"})));
  EXPECT_NE(marked.find(">kernel 25.0%<"), std::string::npos);
  EXPECT_NE(marked.find(">unclassified 75.0%<"), std::string::npos);
  EXPECT_EQ(marked.find("program"), std::string::npos);
  EXPECT_NE(still_of(svg_of(profile_of({"t;main 3"}))).find(">program 100.0%<"), std::string::npos);
}

TEST(Flamegraph, WithoutTheScriptBoxesHaveTitles) {
  Profile p = profile_of({"t;main;hot<int> 999", "t;main;rare 1"});
  std::string svg = svg_of(p, {.script = false});
  EXPECT_TRUE(well_formed(svg));
  EXPECT_NE(svg.find("><title>hot&lt;int&gt; (999 samples, 99.9%)</title></rect>"), std::string::npos);
  EXPECT_NE(svg.find("><title>rare (1 sample, 0.1%)</title></rect>"), std::string::npos);  // too narrow for a name
  EXPECT_EQ(count(svg, "<title>"), 1 + 4u);                                                // of the picture, of each box
  EXPECT_EQ(count(svg_of(p), "<title>"), 1u);
  std::string named = svg_of(p, {.count_name = "bytes", .name_type = "Function:", .script = false});
  EXPECT_NE(named.find("<title>Function: rare (1,000,000 bytes, 0.1%)</title>"), std::string::npos);
}

TEST(Flamegraph, AnyWidth) {
  Profile p = profile_of({"t;main;a 60", "t;main;b 40"});
  for (int width : {1, 2, 9, 31, 40, 100, 299, 20'001}) {
    std::string svg = svg_of(p, {.width = width, .script = false});
    EXPECT_TRUE(well_formed(svg));
    EXPECT_NE(svg.find(strf("width=\"%d\"", width)), std::string::npos);
    EXPECT_EQ(svg.find("width=\"-"), std::string::npos) << width;
    EXPECT_EQ(svg.find("there are no samples"), std::string::npos) << width;
  }
}

TEST(Flamegraph, NamesOtherEvents) {
  ProfileBuilder b;
  ThreadId t = b.add_thread(b.add_process(1, "p"), 1, "p");
  StackId s = b.stack(b.frame({.function = b.function("main", "", {})}), {});
  for (const char* event : {"cpu-clock", "page-faults"}) {
    b.add_sample({.time_ns = 1, .thread = t, .stack = s, .event = b.event(event, "ns"), .weight = 1});
  }
  Profile p = std::move(b).build();
  EXPECT_NE(svg_of(p).find("1 sample of cpu-clock"), std::string::npos);
  EXPECT_NE(svg_of(p).find("; also recorded: page-faults (1 sample)<"), std::string::npos);
}

TEST(Flamegraph, ClosuresKeepTheirFunction) {
  Profile p = profile_of({"t;main 90", "t;main;application::server::handler::{{closure}} 10"});
  std::string svg = svg_of(p);
  EXPECT_NE(svg.find(">handler::{{"), std::string::npos);
}

TEST(Flamegraph, NarrowBoxesAreLeftOutAndCounted) {
  std::vector<std::string> lines = {"t;main;hot 20000"};
  for (int i = 0; i < 50; ++i) { lines.push_back(strf("t;main;cold%d 1", i)); }
  std::string svg = svg_of(profile_of(lines));
  EXPECT_EQ(svg.find("cold"), std::string::npos);
  EXPECT_NE(svg.find("50 branches under 0.1 px are hidden"), std::string::npos);
  EXPECT_NE(svg.find("\"samples\":[20050,20050,20000]"), std::string::npos);  // the totals are exact
}

TEST(Flamegraph, TwentyThousandLevels) {
  std::string deep = "t;main";
  for (int i = 0; i < 20000; ++i) { deep += ";descend"; }
  std::string svg = svg_of(profile_of({deep + " 5"}));
  EXPECT_TRUE(well_formed(svg));
  EXPECT_LT(svg.size(), 600'000u);
  EXPECT_LT(count(svg, "<rect class=\""), 300u);
  EXPECT_NE(svg.find("19,752 more levels above (visible with scripts enabled)"), std::string::npos);
}

TEST(Flamegraph, UnevenWeightsAreTheWidths) {
  ProfileBuilder b;
  EventId e = b.event("page-faults", "faults");
  ThreadId t = b.add_thread(b.add_process(1, "p"), 1, "p");
  for (int64_t weight : {1, 9}) {
    StackId s = b.stack(b.frame({.function = b.function(weight == 1 ? "light" : "heavy", "", {})}), {});
    b.add_sample({.time_ns = 1, .thread = t, .stack = s, .event = e, .weight = weight});
  }
  std::string svg = svg_of(std::move(b).build());
  EXPECT_NE(svg.find("\"weight\":[10,9,1],\n\"selfWeight\":[0,9,1]"), std::string::npos);
  EXPECT_EQ(svg.find("perSample\":"), std::string::npos);
}

TEST(Flamegraph, EmptyOrWorthlessSelectionsGiveAnEmptyPicture) {
  for (const Profile& p : {std::move(ProfileBuilder()).build(), profile_of({"t;main 3"}, {.module = "m", .weight = 0}),
                           profile_of({"t;main 3"}, {.module = "m", .weight = -5})}) {
    std::string svg = svg_of(p);
    EXPECT_TRUE(well_formed(svg));
    EXPECT_NE(svg.find("no samples to draw"), std::string::npos);
    EXPECT_EQ(svg.find("<script"), std::string::npos);
  }
  Profile p = profile_of({"t;main 3"});
  EXPECT_NE(svg_of(p, {}, {.focus = "nothing"}).find("no samples to draw"), std::string::npos);
}

TEST(Flamegraph, ShowsLossesAndSelection) {
  ProfileBuilder b;
  add_lines(b, {"t;main 90", "u;main 10"});
  b.add_loss("lost.ring_full", 7, true);
  std::string svg = svg_of(std::move(b).build(), {.width = 800}, {.thread = "u"});
  EXPECT_NE(svg.find(">7 samples lost (ring full: 7)</text>"), std::string::npos);
  EXPECT_NE(svg.find("10 samples of cpu-clock in 99.0 ms, 2 threads; thread u<"), std::string::npos);
  EXPECT_NE(svg.find(" width=\"800\" "), std::string::npos);
}

// WCAG 2.2: relative luminance and contrast ratio.
double luminance(Rgb c) {
  auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(c.r / 255.0) + 0.7152 * linear(c.g / 255.0) + 0.0722 * linear(c.b / 255.0);
}
double contrast(Rgb a, Rgb b) {
  double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

// The text's colors as the picture has them: the light theme's, then the dark one's.
std::vector<Rgb> inks(const std::string& svg) {
  std::vector<Rgb> out;
  for (size_t at = 0; (at = svg.find("--ink:#", at)) != std::string::npos; ++at) {
    uint64_t rgb = parse_u64(std::string_view(svg).substr(at + 7, 6), 16).value_or(0);
    out.push_back({static_cast<uint8_t>(rgb >> 16), static_cast<uint8_t>(rgb >> 8), static_cast<uint8_t>(rgb)});
  }
  return out;
}

TEST(Flamegraph, TextCanBeReadOnEveryBox) {
  std::vector<Rgb> ink = inks(svg_of(profile_of({"t;main 1"})));
  ASSERT_EQ(ink.size(), 2u);
  for (CodeKind kind : kCodeKinds) {
    for (unsigned shade = 0; shade < kShades; ++shade) {
      EXPECT_GE(contrast(color(kind, shade, Theme::kLight), ink[0]), 7.0) << code_kind_name(kind) << shade;
      EXPECT_GE(contrast(color(kind, shade, Theme::kDark), ink[1]), 4.5) << code_kind_name(kind) << shade;
    }
  }
}

// ---- options

bool has(const std::string& svg, std::string_view part) { return svg.find(part) != std::string::npos; }

TEST(Flamegraph, OutputIsTheSameEachTime) {
  Profile p = profile_of({"t;main;ns::run<int>(int) 60", "t;main;libc.so.6`memcpy 40", "t;main;a;b;c 7"});
  for (PaletteDraw draw : {PaletteDraw::kName, PaletteDraw::kLetters, PaletteDraw::kRandom}) {
    FlamegraphOptions o{.painting = Painting::kPalette, .draw = draw};
    EXPECT_TRUE(svg_of(p, o) == svg_of(p, o));
  }
  FlamegraphOptions random{.painting = Painting::kPalette, .draw = PaletteDraw::kRandom}, name{.painting = Painting::kPalette};
  EXPECT_FALSE(svg_of(p, random) == svg_of(p, name));
}

TEST(Flamegraph, PalettesGiveFixedColorsAndInks) {
  Profile p = profile_of({"t;main;java/lang/String:hash_[j] 60", "t;main;vfs_read_[k] 40"});
  std::string svg = svg_of(p, {.painting = Painting::kPalette, .palette = NamedPalette::kJava});
  EXPECT_TRUE(well_formed(svg));
  EXPECT_TRUE(has(svg, "<rect class=\"box\" fill=\"#"));
  EXPECT_TRUE(has(svg, "class=\"onlight\">vfs_read</text>"));  // without its mark
  EXPECT_FALSE(has(svg.substr(0, svg.find("<script>")), "_[k]"));
  EXPECT_FALSE(has(svg, ".a0{"));
}

TEST(Flamegraph, AMapKeepsColors) {
  Profile p = profile_of({"t;main 60"});
  PaletteMap map = {{"main", "rgb(1,2,3)"}};
  std::string svg = svg_of(p, {.palette_map = &map});
  EXPECT_TRUE(has(svg, "fill=\"#010203\""));
  EXPECT_EQ(map.size(), 2u);  // "all" is new
  EXPECT_TRUE(map.at("all").starts_with("rgb("));
  map["main"] = "nonsense";
  EXPECT_TRUE(well_formed(svg_of(p, {.palette_map = &map})));
}

TEST(Flamegraph, TextsAndSizesAreAsAsked) {
  Profile p = profile_of({"t;main;some::quite::long::name(int) 60", "t;main 1000"});
  std::string svg = svg_of(p, {.title = "T",
                               .subtitle = "S <1>",
                               .notes = "N -- x",
                               .count_name = "bytes",
                               .factor = 2,
                               .width = 900,
                               .row = 30,
                               .font = "\"Verdana\"",
                               .font_size = 20,
                               .inverted = true,
                               .cut_names_right = true,
                               .indent = true});
  EXPECT_TRUE(well_formed(svg));
  for (const char* part :
       {">T</text>", ">S &lt;1&gt;</text>", "<!-- NOTES: N - - x -->", ">N -- x</text>", "2,120,000,000 bytes", " width=\"900\"",
        "height=\"29\"", "font-family:\"Verdana\";font-size:20px", "  <rect class=\"box", "\"inverted\":true", "\"factor\":2"}) {
    EXPECT_TRUE(has(svg, part)) << part;
  }
  EXPECT_TRUE(has(svg, ">some…</text>") || has(svg, ">so…</text>") || has(svg, ">som…</text>"))
      << svg.substr(svg.find("boxes"), 900);
  EXPECT_FALSE(has(svg_of(p, {.script = false}), "<script"));
}

TEST(Flamegraph, TitleWithoutACommand) {
  ProfileBuilder b;
  b.set_imported("folded stacks", false);
  EventId e = b.event("samples", "samples", 0, 1'000'000);
  ThreadId t = b.add_thread(b.add_process(0, ""), 0, "");
  StackId s = b.stack(b.frame({.function = b.function("main", {}, {})}), {});
  b.add_sample({.thread = t, .stack = s, .event = e, .weight = 2'500'000, .count = 2});
  Profile p = std::move(b).build();
  EXPECT_TRUE(has(svg_of(p), "<title>Flame Graph</title>"));
  EXPECT_TRUE(has(svg_of(p), ">2.5 samples</text>"));
  EXPECT_TRUE(has(svg_of(p), "\"divisor\":1000000"));
  EXPECT_TRUE(has(svg_of(p, {.inverted = true}), "<title>Icicle Graph</title>"));
  EXPECT_TRUE(has(svg_of(p, {.chart = true}), "<title>Flame Chart</title>"));
}

TEST(Flamegraph, OtherEncodingsAreAsciiWithReferences) {
  ProfileBuilder b;
  add_lines(b, {"t;函数🔥 3"});
  Profile p = std::move(b).build();
  std::string svg = svg_of(p, {.encoding = "ISO-8859-1"});
  EXPECT_TRUE(has(svg, "encoding=\"ISO-8859-1\""));
  EXPECT_TRUE(has(svg, ">&#20989;&#25968;&#128293;</text>"));
  EXPECT_TRUE(has(svg, "\\u51fd\\u6570\\ud83d\\udd25"));
  EXPECT_TRUE(std::all_of(svg.begin(), svg.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

TEST(Flamegraph, FunctionsCanHaveLinks) {
  Profile p = profile_of({"t;main 3"});
  FlamegraphOptions o;
  o.attributes["main"] = {{"href", "https://x/?a=1&b=\"2\""}, {"title", "the <main>"}};
  std::string svg = svg_of(p, o);
  EXPECT_TRUE(well_formed(svg));
  EXPECT_TRUE(has(svg, "<a href=\"https://x/?a=1&amp;b=&quot;2&quot;\"><title>the &lt;main&gt;</title>"));
  EXPECT_TRUE(has(svg, "\"attributes\":{\"1\":{\"href\":\"https://x/?a=1&b=\\\"2\\\"\",\"title\":\"the <main>\"}}"));
}

TEST(Flamegraph, BackgroundsAndOtherColors) {
  Profile p = profile_of({"t;main 3"});
  std::string svg = svg_of(p, {.background = {{Rgb{238, 238, 238}, Rgb{224, 224, 255}}},
                               .search_color = "#123456",
                               .stroke_color = "black",
                               .ui_color = "teal"});
  EXPECT_TRUE(well_formed(svg));
  for (const char* part :
       {"<linearGradient id=\"wick-bg\"", "stop-color=\"#e0e0ff\"", "--match:#123456", ".box{stroke:black}", "--ui:teal"}) {
    EXPECT_TRUE(has(svg, part)) << part;
  }
  EXPECT_FALSE(has(svg, "prefers-color-scheme:dark"));
}

Profile difference() {
  ProfileBuilder b;
  ThreadId t = b.add_thread(b.add_process(0, ""), 0, "");
  auto add = [&](const char* event, const char* function, int64_t weight) {
    StackId s = b.stack(b.frame({.function = b.function("main", {}, {})}), {});
    s = b.stack(b.frame({.function = b.function(function, {}, {})}), s);
    b.add_sample(
        {.thread = t, .stack = s, .event = b.event(event, "samples"), .weight = weight, .count = static_cast<uint64_t>(weight)});
  };
  add("before", "parse", 60);
  add("before", "render", 40);
  add("before", "vanished", 20);
  add("after", "parse", 60);
  add("after", "render", 140);
  b.about().is_difference = true;
  return std::move(b).build();
}

TEST(Flamegraph, DifferencesShowGrowthAndRemovedFunctions) {
  Profile p = difference();
  std::string svg = svg_of(p);
  EXPECT_TRUE(well_formed(svg));
  for (const char* part :
       {"Differential Flame Graph", ">200 samples, before 120 samples<", "class=\"box p8\"", "class=\"box m2 gone\"",
        "class=\"box v0\"", ">vanished</text>", "\"mode\":\"difference\"", "\"value\":[220,220,140,60,20]",
        "\"before\":[120,120,40,60,20]", "\"largest\":100", ">gone (drawn as wide as before)</text>"}) {
    EXPECT_TRUE(has(svg, part)) << part;
  }
  EXPECT_TRUE(has(svg_of(p, {.negate = true}), "class=\"box m8\""));
  EXPECT_FALSE(svg_of(p, {.hues = DifferenceHues::kBlueOrange}) == svg);
  EXPECT_TRUE(well_formed(svg_of(p, {}, {.focus = "nothing"})));
  EXPECT_TRUE(well_formed(svg_of(p, {}, {.focus = "vanished"})));
  // Against itself it differs nowhere.
  Profile same = edited(difference(), [](ProfileBuilder& b) {
    std::vector<Sample> twice = b.so_far().samples();
    b.change_samples([](Sample& s) {
      s.event = EventId{0};
      return true;
    });
    for (Sample s : twice) {
      s.event = EventId{1};
      b.add_sample(s);
    }
  });
  std::string still = svg_of(same);
  EXPECT_TRUE(has(still, "\"largest\":0"));
  EXPECT_EQ(count(still, "class=\"box v0\""), 5u);
}

TEST(Flamegraph, NoiseIsGreyWhereAskedFor) {
  Profile p = difference();
  // parse stays, render and what is gone are beyond noise; ten more or less of a hundred are not.
  std::string svg = svg_of(p, {.changes = BoxChanges::kCosts});
  EXPECT_TRUE(well_formed(svg));
  EXPECT_TRUE(has(svg, "\"changed\":[2,4]")) << svg.substr(svg.find("\"largest"), 80);
  EXPECT_TRUE(has(svg, ">gray: within noise</text>"));
  EXPECT_FALSE(has(svg_of(p), "\"changed\""));
  p = with_samples(p, [](Sample& s) {
    int64_t weight = s.event == EventId{0} ? s.weight : s.weight == 60 ? 66 : 46;
    s.weight = weight == 20 ? 2 : weight;
    s.count = static_cast<uint64_t>(s.weight);
  });
  for (BoxChanges changes : {BoxChanges::kCosts, BoxChanges::kShares}) {
    svg = svg_of(p, {.changes = changes});
    EXPECT_TRUE(has(svg, "\"changed\":[]"));
    EXPECT_TRUE(has(svg, "\"largest\":0"));
    EXPECT_TRUE(has(svg, ">gray: no frame changed beyond noise</text>"));
    EXPECT_EQ(count(svg, "class=\"box p"), 0u);
    EXPECT_EQ(count(svg, "class=\"box m"), 0u);
  }
  EXPECT_GT(count(svg_of(p), "class=\"box p"), 0u);  // `wick flamegraph` draws what it is given
}

// What the table of `wick diff` marks has a color, though each of its boxes alone could be noise.
TEST(Flamegraph, ColorsAgreeWithTheTable) {
  std::vector<std::string> before = {"t;main;steady 2000"}, after = before;
  for (char caller = 'a'; caller < 'k'; ++caller) {
    std::string stack = std::string("t;main;work;") + caller + ";copy ";
    before.push_back(stack + "20");
    after.push_back(stack + "30");
  }
  after.push_back("t;main;work;k;copy 2");  // new there
  Profile x = profile_of(before), y = profile_of(after);
  for (bool shares : {false, true}) {
    Profile both = *combine_profiles(x, *select_samples(x), y, *select_samples(y), {.normalize = shares});
    Sides sides = *select_sides(both);
    DiffTable table = compute_diff(both, sides, shares);
    FlameTree tree = compute_flame_tree(both, sides.after, {.before = &sides.before});
    FlamegraphOptions options{.changes = shares ? BoxChanges::kShares : BoxChanges::kCosts};
    FlamePaint paint(both, tree, sides.after, &sides.before, options);
    size_t copies = 0, carriers = 0;
    for (const FlameNode& n : tree.nodes) {
      if (!n.function.valid()) { continue; }
      auto row = std::find_if(table.rows.begin(), table.rows.end(), [&](const DiffRow& r) { return r.id == n.function.value; });
      std::string_view name = node_name(both, tree, n);
      const std::string& color = paint.colors()[paint.color_of(n)];
      if (name == "copy") {
        EXPECT_EQ(table.verdict(row->self), Change::kGrew);
        EXPECT_EQ(paint.change_mark(n), FlamePaint::Mark::kOwn);
        EXPECT_EQ(color[0], 'p') << color;
        ++copies;
      }
      // Where the table has no mark there is no color, and the palest where only callees changed.
      if (!table.changed(*row)) { EXPECT_EQ(color, "v0") << name; }
      if (table.carries(*row)) {
        EXPECT_EQ(color, "p1") << name;
        ++carriers;
      }
    }
    EXPECT_EQ(copies, 11u);
    EXPECT_EQ(carriers, 1u) << shares;  // work
    EXPECT_TRUE(has(svg_of(both, options), ">palest: only callees changed</text>"));
  }
}

TEST(Flamegraph, TextCanBeReadOnEveryScale) {
  std::vector<Rgb> ink = inks(svg_of(profile_of({"t;main 1"})));
  ASSERT_EQ(ink.size(), 2u);
  for (DifferenceHues hues : {DifferenceHues::kRedBlue, DifferenceHues::kBlueOrange}) {
    for (int step = -kChangeSteps; step <= kChangeSteps; ++step) {
      EXPECT_GE(contrast(change_color(step, hues, Theme::kLight), ink[0]), 7.0) << step;
      EXPECT_GE(contrast(change_color(step, hues, Theme::kDark), ink[1]), 4.5) << step;
    }
  }
  for (int step = 0; step <= kWidthSteps; ++step) {
    EXPECT_GE(contrast(width_color(step, Theme::kLight), ink[0]), 6.5) << step;
    EXPECT_GE(contrast(width_color(step, Theme::kDark), ink[1]), 4.5) << step;
  }
}

}  // namespace
}  // namespace wick
