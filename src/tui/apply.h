// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tui/data.h"
#include "tui/keys.h"
#include "tui/state.h"

namespace wick::tui {

State first_state(Data& data);

// The state after a key or a click. `unicode`: as drawn (the code view's lines depend on it).
State apply(State state, const Input& input, Data& data, Size size, bool unicode);

// Moves selections that are gone to what is nearest, and scrolls to them.
State settle(State state, Data& data, Size size, bool unicode);

}  // namespace wick::tui
