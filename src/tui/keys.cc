// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "tui/keys.h"

namespace wick::tui {
namespace {

using namespace key;
constexpr const char kViewsTitle[] = "Views", kMove[] = "Move", kSearchTitle[] = "Search", kSelected[] = "The selected function",
                     kTreeTitle[] = "Flame graph, call tree", kTime[] = "Threads and time", kOther[] = "Other";

constexpr Binding kBindings[] = {
    {'1', Action::kFlame, kViewsTitle, "1", "Flame graph"},
    {'2', Action::kThreads, kViewsTitle, "2", "Threads over time"},
    {'3', Action::kTree, kViewsTitle, "3", "Call tree"},
    {'4', Action::kFunctions, kViewsTitle, "4", "Functions"},
    {'5', Action::kAround, kViewsTitle, "5", "Callers and callees of the selected function"},
    {'6', Action::kCode, kViewsTitle, "6", "Source and assembly of the selected function"},
    {'7', Action::kQuality, kViewsTitle, "7", "Recording: what it has, what is lost or incomplete"},
    {'8', Action::kQuality},  // as on the viewer's page
    {']', Action::kNextView, kViewsTitle, "] [", "Next, previous view"},
    {'[', Action::kPreviousView},

    {kUp, Action::kUp, kMove, "arrows hjkl", "Move"},
    {kDown, Action::kDown},
    {kLeft, Action::kLeft},
    {kRight, Action::kRight},
    {'k', Action::kUp},
    {'j', Action::kDown},
    {'h', Action::kLeft},
    {'l', Action::kRight},
    {kPageUp, Action::kPageUp, kMove, "PgUp PgDn", "Page up, down (also Ctrl-B, Ctrl-F)"},
    {kPageDown, Action::kPageDown},
    {ctrl('b'), Action::kPageUp},
    {ctrl('f'), Action::kPageDown},
    {kHome, Action::kHome, kMove, "Home End", "First, last row"},
    {kEnd, Action::kEnd},
    {'G', Action::kEnd},
    {kEnter, Action::kEnter, kMove, "Enter", "Callers and callees; open or close; zoom; choose", KeyFor::kFiles},
    {kEnter, Action::kEnter, kMove, "Enter", "Source and assembly; zoom; choose", KeyFor::kLive},
    {'\n', Action::kEnter},
    {kEscape, Action::kEscape, kMove, "Esc", "Back: zoom out; clear the search, then the selected time and threads"},

    {'/', Action::kSearch, kSearchTitle, "/", "Search with a regular expression"},
    {'n', Action::kNextMatch, kSearchTitle, "n N", "Next, previous match"},
    {'N', Action::kPreviousMatch},
    {'g', Action::kKeepMatching, kSearchTitle, "g", "Keep only samples that match"},

    {'f', Action::kFocusFunction, kSelected, "f", "Focus on the function"},
    {'F', Action::kFocusSubtree, kSelected, "F", "Focus on this subtree (flame graph, call tree)"},
    {'S', Action::kFocusSelf, kSelected, "S", "Focus on its self time"},
    {'m', Action::kMergeFunction, kSelected, "m", "Merge into its callers"},
    {'M', Action::kMergeNode, kSelected, "M", "Merge this node alone (flame graph, call tree)"},
    {'d', Action::kDropFunction, kSelected, "d", "Drop samples with it"},
    {'c', Action::kCollapseSubtree, kSelected, "c", "Collapse what it calls"},
    {'r', Action::kCollapseRecursion, kSelected, "r R", "Collapse recursion, direct recursion"},
    {'R', Action::kCollapseDirectRecursion},
    {'C', Action::kCollapseModule, kSelected, "C", "Collapse its library"},
    {'u', Action::kUndo, kSelected, "u U", "Undo, redo (also Alt-Left, Alt-Right)"},
    {'U', Action::kRedo},
    {kAltLeft, Action::kUndo},
    {kAltRight, Action::kRedo},
    {ctrl('r'), Action::kRedo},

    {'i', Action::kInvert, kTreeTitle, "i", "Invert: from the leaves to their callers"},
    {'0', Action::kResetZoom, kTreeTitle, "0", "Reset the zoom"},
    {'*', Action::kOpenAll, kTreeTitle, "*", "Open all rows below (call tree)"},
    {kTab, Action::kOtherSide, kTreeTitle, "Tab", "Between callers and callees"},
    {kBackTab, Action::kOtherSide},
    {'s', Action::kSwitch, kTreeTitle, "s o", "Sort functions; show source, assembly or both", KeyFor::kFiles},
    {'o', Action::kSwitch, kTreeTitle, "o", "Sort functions; show source, assembly or both", KeyFor::kLive},
    {'o', Action::kSwitch, nullptr, nullptr, nullptr, KeyFor::kFiles},

    {' ', Action::kSpace, kTime, "Space", "Begin a range of time; Enter chooses it"},
    {'t', Action::kToggleThread, kTime, "t", "Add or remove the thread"},
    {'x', Action::kClearSelection, kTime, "x", "Show all threads and times again"},
    {'e', Action::kEvent, kTime, "e", "Next event"},

    {'p', Action::kPause, kOther, "p", "Pause or resume the display; recording continues", KeyFor::kLive},
    {'s', Action::kSave, kOther, "s", "Save the recording so far", KeyFor::kLive},
    {'%', Action::kCompareShares, kOther, "%", "Compare shares or costs (two files)", KeyFor::kFiles},
    {ctrl('l'), Action::kRedraw, kOther, "Ctrl-L", "Redraw the screen"},
    {'?', Action::kHelp, kOther, "?", "This sheet"},
    {'q', Action::kQuit, kOther, "q", "Quit"},
};

}  // namespace

std::span<const Binding> key_map() { return kBindings; }

std::optional<Action> find_action(Key k, bool live) {
  for (const Binding& b : kBindings) {
    if (b.key == k && b.is_for(live)) { return b.action; }
  }
  return {};
}

}  // namespace wick::tui
