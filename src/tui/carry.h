// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A live view replaces its profile once a second. A state refers to functions and threads by their numbers in one profile; these
// functions find the same ones in the next, so that the selection, transforms and scroll positions stay where they are.

#include <memory>

#include "tui/data.h"
#include "tui/state.h"

namespace wick::tui {

// `next` with all functions and threads that the state refers to. Without them, a view of one thread would become a view of all
// when that thread has no samples.
std::shared_ptr<const Profile> with_chosen(std::shared_ptr<const Profile> next, const State& state, Data& data);

// The state, which belongs to `from`, for the profile of `to`, which comes from with_chosen(). Selected times are dropped: the
// next profile has others.
State carry_over(State state, Data& from, Data& to, Size size, bool unicode);

}  // namespace wick::tui
